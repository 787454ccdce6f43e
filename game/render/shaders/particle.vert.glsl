#version 330 core
// One instance a particle: a square that faces the camera.
in vec2 in_corner;         // -1..1
in vec3 in_position;
in float in_size;
in vec4 in_colour;

uniform mat4 view_projection;
uniform vec3 right;
uniform vec3 up;

out vec2 corner;
out vec4 tint;

void main() {
    corner = in_corner;
    tint = in_colour;
    vec3 place = in_position + (right * in_corner.x + up * in_corner.y) * in_size * 0.5;
    gl_Position = view_projection * vec4(place, 1.0);
}
