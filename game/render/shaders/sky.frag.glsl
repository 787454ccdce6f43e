#version 330 core
in vec3 sky;
out vec4 colour;
void main() { colour = vec4(sky, 1.0); }
