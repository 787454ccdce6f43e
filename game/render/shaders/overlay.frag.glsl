#version 330 core
in vec2 texture_place;
in vec4 tint;
in vec3 box;
in vec2 from_middle;

uniform sampler2D atlas;

out vec4 colour;

void main() {
    float cover = texture(atlas, texture_place).r;
    if (box.z > 0.0) {     // rounded corners, smooth over one pixel
        vec2 beyond = abs(from_middle) - (box.xy - box.z);
        cover *= clamp(0.5 + box.z - length(max(beyond, 0.0)), 0.0, 1.0);
    }
    colour = vec4(tint.rgb, tint.a * cover);
}
