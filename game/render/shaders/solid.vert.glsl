#version 330 core
// Every lit surface: the level (one instance), bodies (one instance each), the player.
in vec3 in_position;
in vec4 in_normal;          // 128 + 127 n; w: moves with the waves
in vec4 in_colour;          // rgb, pattern / 255
in vec3 instance_position;
in vec4 instance_rotation;  // quaternion x y z w

uniform mat4 view_projection;
uniform mat4 shadow_matrix; // world -> 0..1 in the shadow map
uniform vec3 wave_grid;     // terrain: x and z of its corner, cells a metre
uniform vec4 waves;         // amplitude in metres, frequency, speed x ticks

out vec3 local_position;
out vec3 local_normal;
out vec3 world_position;
out vec3 world_normal;
out vec3 shadow_position;
out vec3 albedo;
flat out int pattern;

vec3 turned(vec3 v, vec4 q) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
    vec3 normal = in_normal.xyz * (255.0 / 127.0) - 128.0 / 127.0;
    vec3 place = in_position;
    if (in_normal.w > 0.5) {
        // Terrain water: render/water.py's formula. Map heights grow downwards, so the sign turns.
        vec2 cell = floor((place.xz - wave_grid.xy) * wave_grid.z + 0.5) - 128.0;
        float phase = mod(dot(cell, cell) * waves.y + waves.z, 2048.0);
        place.y -= waves.x * (cos(phase * 0.0030679616) - 0.5);
    }
    local_position = place;
    local_normal = normal;
    world_position = turned(place, instance_rotation) + instance_position;
    world_normal = turned(normal, instance_rotation);
    // Off the surface by a little: a flat face doesn't shade itself.
    shadow_position = (shadow_matrix * vec4(world_position + 0.04 * world_normal, 1.0)).xyz;
    albedo = in_colour.rgb * in_colour.rgb;  // sRGB to linear, near enough
    pattern = int(in_colour.a * 255.0 + 0.5);
    gl_Position = view_projection * vec4(world_position, 1.0);
}
