#version 330 core
// Rectangles and letters in window pixels, (0, 0) at the top left.
in vec2 in_place;
in vec2 in_texture;        // atlas pixels
in vec4 in_colour;
in vec4 in_box;            // half size and corner radius in pixels, 0 for letters; from the middle: in_from_middle
in vec2 in_from_middle;

uniform vec2 window;
uniform float atlas_size;

out vec2 texture_place;
out vec4 tint;
out vec3 box;
out vec2 from_middle;

void main() {
    texture_place = in_texture / atlas_size;
    tint = in_colour;
    box = in_box.xyz;
    from_middle = in_from_middle;
    gl_Position = vec4(in_place.x / window.x * 2.0 - 1.0, 1.0 - in_place.y / window.y * 2.0, 0.0, 1.0);
}
