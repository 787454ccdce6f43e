#version 330 core
in vec2 corner;
in vec4 tint;
out vec4 colour;
void main() {
    float inside = 1.0 - smoothstep(0.55, 1.0, length(corner));
    if (inside <= 0.0) discard;
    colour = vec4(tint.rgb, tint.a * inside);
}
