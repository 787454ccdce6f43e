#version 330 core
in vec2 place;
uniform sampler2D picture;
out vec4 colour;
void main() { colour = vec4(texture(picture, place).rgb, 1.0); }
