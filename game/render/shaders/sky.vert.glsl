#version 330 core
// The sky is infinitely far: directions with colours, at the depth of the far plane.
in vec3 in_direction;
in vec4 in_colour;

uniform mat4 view_projection;  // without the eye's place

out vec3 sky;

void main() {
    sky = in_colour.rgb;
    gl_Position = (view_projection * vec4(in_direction, 1.0)).xyww;
}
