#version 330 core
in vec3 local_position;
in vec3 local_normal;
in vec3 world_position;
in vec3 world_normal;
in vec3 shadow_position;
in vec3 albedo;
flat in int pattern;

uniform vec3 eye;
uniform vec3 sun;            // direction to the sun
uniform vec3 sun_light;      // linear colours
uniform vec3 sky_light;
uniform vec3 ground_light;
uniform vec3 haze_colour;
uniform vec3 sky_colour;
uniform vec2 haze;           // distance where it begins, 1 / depth
uniform float seconds;
uniform float shadow_texel;
uniform int shadow_taps;     // 0: no shadows
uniform sampler2DShadow shadow_map;

out vec4 colour;

float hash(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.547); }

float shadow() {
    vec2 from_middle = abs(shadow_position.xy - 0.5);
    float edge = max(from_middle.x, from_middle.y);
    if (edge >= 0.5 || shadow_position.z >= 1.0) return 1.0;
    float lit;
    if (shadow_taps == 1) {
        lit = texture(shadow_map, shadow_position);
    } else {
        lit = 0.0;
        lit += texture(shadow_map, shadow_position + vec3(-0.4, -1.2, 0.0) * shadow_texel);
        lit += texture(shadow_map, shadow_position + vec3(1.2, -0.4, 0.0) * shadow_texel);
        lit += texture(shadow_map, shadow_position + vec3(0.4, 1.2, 0.0) * shadow_texel);
        lit += texture(shadow_map, shadow_position + vec3(-1.2, 0.4, 0.0) * shadow_texel);
        lit *= 0.25;
    }
    return mix(lit, 1.0, smoothstep(0.42, 0.5, edge));
}

// The two coordinates that run along the surface, in its own axes.
vec2 along(vec3 n) {
    vec3 a = abs(n);
    if (a.y >= a.x && a.y >= a.z) return local_position.xz;
    return a.x > a.z ? local_position.zy : local_position.xy;
}

// How much a surface differs from its plain colour here; `fine` fades to 0 with distance, so that nothing flickers.
float patterned(vec3 n, float fine) {
    vec2 p = along(n);
    if (pattern == 1) {                                   // tiles: squares of 2 m with a joint
        vec2 cell = floor(p * 0.5);
        vec2 joint = abs(fract(p * 0.5) - 0.5);
        float checker = mod(cell.x + cell.y, 2.0);
        float line = step(0.488, max(joint.x, joint.y));
        return 1.0 + fine * (0.09 * checker - 0.045 - 0.16 * line);
    }
    if (pattern == 2) {                                   // planks: 0.25 m wide
        float plank = floor(p.y * 4.0);
        float seam = step(0.44, abs(fract(p.y * 4.0) - 0.5));
        return 1.0 + fine * (0.14 * hash(vec2(plank, 3.0)) - 0.07 - 0.22 * seam);
    }
    if (pattern == 3) return 1.0 + fine * 0.10 * (hash(floor(p * 1.5)) - 0.5);   // grass: patches
    if (pattern == 5) {                                   // stripes: warning bands across
        return mod(floor((p.x + p.y) * 1.6), 2.0) < 0.5 ? 1.0 : 1.0 - 0.45 * fine;
    }
    if (pattern == 6) {                                   // stone: courses of blocks, 1 m x 0.5 m
        float course = floor(p.y * 2.0);
        vec2 block = vec2(floor(p.x + 0.5 * mod(course, 2.0)), course);
        vec2 joint = abs(vec2(fract(p.x + 0.5 * mod(course, 2.0)), fract(p.y * 2.0)) - 0.5);
        float line = max(step(0.485, joint.x), step(0.47, joint.y));
        return 1.0 + fine * (0.12 * hash(block) - 0.06 - 0.13 * line);
    }
    return 1.0;
}

void main() {
    vec3 to_eye = eye - world_position;
    float distance_to_eye = length(to_eye);
    vec3 n = normalize(gl_FrontFacing ? world_normal : -world_normal);
    if (pattern == 4) {                                   // waves turn their triangles: the normal as drawn
        n = normalize(cross(dFdx(world_position), dFdy(world_position)));
        if (n.y < 0.0) n = -n;
    }
    float fine = clamp(1.6 - distance_to_eye * 0.03, 0.0, 1.0);
    vec3 base = albedo;
    if (pattern != 0) base *= patterned(local_normal, fine);

    float facing = dot(n, sun);
    float direct = 0.0;
    if (facing > 0.0) direct = shadow_taps == 0 ? facing : facing * shadow();
    vec3 light = mix(ground_light, sky_light, n.y * 0.5 + 0.5) + sun_light * direct;
    vec3 lit = base * light;

    if (pattern == 4) {                                   // water: the sky at flat angles, the sun's glitter
        vec3 view = to_eye / distance_to_eye;
        float fresnel = 0.06 + 0.74 * pow(1.0 - clamp(dot(n, view), 0.0, 1.0), 3.0);
        vec3 mirrored = reflect(-view, n);
        vec3 reflected = mix(haze_colour, sky_colour, clamp(mirrored.y * 1.5, 0.0, 1.0));
        lit = mix(lit, reflected, fresnel);
        lit += sun_light * pow(clamp(dot(mirrored, sun), 0.0, 1.0), 60.0) * (direct > 0.0 ? 0.7 : 0.0);
    } else if (pattern == 7) {
        lit = max(lit, base * 1.15);                      // glow: never darker than its colour
    }

    float air = clamp((distance_to_eye - haze.x) * haze.y, 0.0, 1.0);
    air = air * air * (3.0 - 2.0 * air);
    air = max(air, 0.16 * min(distance_to_eye * 0.012, 1.0));
    colour = vec4(sqrt(mix(lit, haze_colour, air)), 1.0);
}
