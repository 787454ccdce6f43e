#version 330 core
// Unlit coloured vertices: debug lines, rings.
in vec3 in_position;
in vec4 in_colour;
uniform mat4 view_projection;
out vec4 tint;
void main() {
    tint = in_colour;
    gl_Position = view_projection * vec4(in_position, 1.0);
}
