#version 330 core
in vec3 world_position;
in vec3 shadow_position;
in vec3 ground;
in vec3 water;
in float wet;

uniform vec3 eye;
uniform vec3 sun;
uniform vec3 sun_light;
uniform vec3 sky_light;
uniform vec3 haze_colour;
uniform vec3 sky_colour;
uniform vec2 haze;
uniform float seconds;
uniform sampler2DShadow shadow_map;

out vec4 colour;

void main() {
    vec3 n = normalize(cross(dFdx(world_position), dFdy(world_position)));
    if (n.y < 0.0) n = -n;
    // Small ripples over the facets of the waves.
    vec2 p = world_position.xz;
    float depth = 1.0 / gl_FragCoord.w;
    float near = clamp(1.3 - depth * 0.02, 0.0, 1.0);   // far away they would only shimmer
    n.x += near * (0.035 * sin(p.x * 2.3 + p.y * 0.9 + seconds * 1.7) + 0.025 * sin(p.y * 4.1 - seconds * 2.3));
    n.z += near * (0.035 * sin(p.y * 2.7 - p.x * 0.7 + seconds * 1.3) + 0.025 * sin(p.x * 3.7 + seconds * 1.9));
    n = normalize(n);
    vec3 to_eye = eye - world_position;
    vec3 view = to_eye * inversesqrt(dot(to_eye, to_eye));
#if SHADOW_TAPS == 0
    float lit = 1.0;
#else
    vec2 from_middle = abs(shadow_position.xy - 0.5);
    float lit = max(texture(shadow_map, shadow_position), step(0.49, max(from_middle.x, from_middle.y)));
#endif

    float facing = clamp(dot(n, view), 0.0, 1.0);
    float glance = 1.0 - facing;
    vec3 mirrored = reflect(-view, n);
    // The shore line wanders a little, with foam along it.
    float line = wet + 0.05 * sin(p.x * 1.3 + seconds * 0.8) * sin(p.y * 1.1 - seconds * 0.6);
    float water_share = smoothstep(0.47, 0.53, line);
    float foam = smoothstep(0.47, 0.51, line) * (1.0 - smoothstep(0.53, 0.62, line)) * 0.5;
    vec3 albedo = mix(mix(ground, water, water_share), vec3(0.85), foam);
    vec3 body = albedo * (sky_light + sun_light * (0.30 + 0.70 * lit) * max(dot(n, sun), 0.0));
    vec3 reflected = mix(haze_colour, sky_colour, clamp(mirrored.y * 1.4, 0.0, 1.0));
    vec3 shown = mix(body, reflected, water_share * (1.0 - foam) * (0.08 + 0.72 * glance * glance * glance));
    float glitter = clamp(dot(mirrored, sun), 0.0, 1.0);
    glitter *= glitter; glitter *= glitter; glitter *= glitter; glitter *= glitter; glitter *= glitter; glitter *= glitter;
    shown += sun_light * glitter * lit * water_share * 0.9;

    float air = clamp((depth - haze.x) * haze.y, 0.0, 1.0);
    air = max(air * air * (3.0 - 2.0 * air), min(depth * 0.0014, 0.11));
    colour = vec4(sqrt(mix(shown, haze_colour, air)), 1.0);
}
