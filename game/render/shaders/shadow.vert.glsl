#version 330 core
// Depth from the sun: the same places as solid.vert.glsl, nothing else.
in vec3 in_position;
in vec3 instance_position;
in vec4 instance_rotation;

uniform mat4 light_projection;

vec3 turned(vec3 v, vec4 q) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
    gl_Position = light_projection * vec4(turned(in_position, instance_rotation) + instance_position, 1.0);
}
