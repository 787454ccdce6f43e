#version 330 core
// Every lit surface: the level (one instance), bodies (one instance each), the player. Flat facets: light is the same all over
// a triangle, so it is computed here, once a corner.
in vec3 in_position;
in vec4 in_normal;          // 128 + 127 n
in vec4 in_colour;          // rgb, pattern / 255
in vec3 instance_position;
in vec4 instance_rotation;  // quaternion x y z w

uniform mat4 view_projection;
uniform mat4 shadow_matrix; // world -> 0..1 in the shadow map
uniform vec3 sun;           // direction to the sun
uniform vec3 sun_light;     // linear colours
uniform vec3 sky_light;
uniform vec3 ground_light;
uniform float pattern_scale[8];  // repeats a metre

out vec3 in_shade;          // linear colour without the sun
out vec3 by_sun;            // what the sun adds
out vec3 shadow_position;
out vec3 pattern_place;     // u, v, layer

vec3 turned(vec3 v, vec4 q) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
    vec3 local_normal = in_normal.xyz * (255.0 / 127.0) - 128.0 / 127.0;
    vec3 world_position = turned(in_position, instance_rotation) + instance_position;
    vec3 normal = turned(local_normal, instance_rotation);
    int pattern = int(in_colour.a * 255.0 + 0.5);
    vec3 albedo = in_colour.rgb * in_colour.rgb;  // sRGB to linear, near enough

    in_shade = albedo * mix(ground_light, sky_light, normal.y * 0.5 + 0.5);
    by_sun = albedo * sun_light * max(dot(normal, sun), 0.0);
    if (pattern == 7) {     // glow: never darker than its colour
        in_shade = albedo * 1.2;
        by_sun = vec3(0.0);
    }

    // Patterns lie along the surface, in the axes of the body: they move with it.
    vec3 a = abs(local_normal);
    vec2 along = a.y >= a.x && a.y >= a.z ? in_position.xz : a.x > a.z ? in_position.zy : in_position.xy;
    pattern_place = vec3(along * pattern_scale[pattern & 7], float(pattern));

    // Off the surface by a little: a facet doesn't shade itself.
    shadow_position = (shadow_matrix * vec4(world_position + 0.04 * normal, 1.0)).xyz;
    gl_Position = view_projection * vec4(world_position, 1.0);
}
