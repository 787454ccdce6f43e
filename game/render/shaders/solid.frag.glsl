#version 330 core
// SHADOW_TAPS: 0 no shadows, 1 soft over a texel, 4 softer
in vec3 in_shade;
in vec3 by_sun;
in vec3 shadow_position;
in vec3 pattern_place;

uniform vec3 haze_colour;
uniform vec2 haze;           // depth where it begins, 1 / its depth
uniform float shadow_texel;
uniform sampler2DShadow shadow_map;
uniform sampler2DArray patterns;

out vec4 colour;

float sunlit() {
#if SHADOW_TAPS == 0
    return 1.0;
#else
#if SHADOW_TAPS == 1
    float lit = texture(shadow_map, shadow_position);
#else
    float lit = texture(shadow_map, shadow_position + vec3(-0.4, -1.2, 0.0) * shadow_texel);
    lit += texture(shadow_map, shadow_position + vec3(1.2, -0.4, 0.0) * shadow_texel);
    lit += texture(shadow_map, shadow_position + vec3(0.4, 1.2, 0.0) * shadow_texel);
    lit += texture(shadow_map, shadow_position + vec3(-1.2, 0.4, 0.0) * shadow_texel);
    lit *= 0.25;
#endif
    // The shadowed square ends softly; beyond it everything is in the sun.
    vec2 from_middle = abs(shadow_position.xy - 0.5);
    return max(lit, clamp((max(from_middle.x, from_middle.y) - 0.42) * 12.5, 0.0, 1.0));
#endif
}

void main() {
    vec3 lit = (in_shade + by_sun * sunlit()) * (texture(patterns, pattern_place).r * 2.0);
    float depth = 1.0 / gl_FragCoord.w;
    float air = clamp((depth - haze.x) * haze.y, 0.0, 1.0);
    air = max(air * air * (3.0 - 2.0 * air), min(depth * 0.0014, 0.11));
    colour = vec4(sqrt(mix(lit, haze_colour, air)), 1.0);
}
