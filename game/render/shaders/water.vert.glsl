#version 330 core
// Water surfaces: each grid point rises and sinks by the wave table's formula.
in vec3 in_position;
in vec4 in_shore;            // colour of the land; w: wetness, the shore runs at a half
in vec4 in_water;            // colour of the water; w: moves with the waves

uniform mat4 view_projection;
uniform mat4 shadow_matrix;
uniform vec3 wave_grid;      // x and z of the terrain's corner, cells a metre
uniform vec3 waves;          // amplitude in metres, frequency, speed x ticks

out vec3 world_position;
out vec3 shadow_position;
out vec3 ground;
out vec3 water;
out float wet;                // 1 in the water, 0 on the shore

void main() {
    world_position = in_position;
    if (in_water.w > 0.5) {
        // render/water.py's formula. Map heights grow downwards, so the sign turns.
        vec2 cell = (in_position.xz - wave_grid.xy) * wave_grid.z - 128.0;
        float phase = mod(dot(cell, cell) * waves.y + waves.z, 2048.0);
        world_position.y -= waves.x * (cos(phase * 0.0030679616) - 0.5);
    }
    wet = in_shore.w;
    ground = in_shore.rgb * in_shore.rgb;
    water = in_water.rgb * in_water.rgb;
    shadow_position = (shadow_matrix * vec4(world_position, 1.0)).xyz;
    gl_Position = view_projection * vec4(world_position, 1.0);
}
