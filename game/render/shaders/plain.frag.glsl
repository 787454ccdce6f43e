#version 330 core
in vec4 tint;
out vec4 colour;
void main() { colour = tint; }
