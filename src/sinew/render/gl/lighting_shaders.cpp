#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {

std::string with_frame(std::string_view source, std::string_view before) {
    return std::string(frame_source()) + std::string(before) + std::string(source);
}

std::string_view frame_source() {
    return R"glsl(#version 330 core
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 shadow_matrix;
    mat4 contact_matrix;
    vec4 eye;
    vec4 backward;
    vec4 key_direction;
    vec4 fill_direction;
    vec4 rim_direction;
    vec4 viewport;
    vec4 shadow;
    vec4 ground;
    vec4 ground_center;
    vec4 ground_parts;
    vec4 dark_box;
    vec4 background_center;
    vec4 background_edge;
};
)glsl";
}

std::string_view lighting_source() {
    return R"glsl(
const vec3 sky_light = vec3(0.44, 0.47, 0.52);
const vec3 floor_light = vec3(0.21, 0.195, 0.18);
const vec3 key_light = vec3(1.16, 1.10, 1.02);
const vec3 fill_light = vec3(0.13, 0.15, 0.18);
const vec3 rim_light = vec3(0.62, 0.66, 0.72);

vec3 direction_to_eye(vec3 point) {
    return eye.w > 0.5 ? normalize(eye.xyz - point) : backward.xyz;
}

// Turns a shading normal to the side that is seen, judged by the triangle itself: neither open meshes nor wrong
// windings come out black.
vec3 facing_normal(vec3 normal, vec3 point, vec3 to_eye) {
    vec3 facet = cross(dFdx(point), dFdy(point));
    facet *= dot(facet, to_eye) < 0.0 ? -1.0 : 1.0;
    float size = dot(normal, normal);
    if (size < 1e-12) return normalize(facet);
    return normal * (inversesqrt(size) * (dot(normal, facet) < 0.0 ? -1.0 : 1.0));
}

// Specular term of GGX with the height-correlated Smith visibility in Hammon's form; pi is left out of the
// distribution because lights here are given as irradiance / pi.
vec3 specular(vec3 f0, float alpha, vec3 n, vec3 v, vec3 l, float nl, float nv) {
    vec3 h = normalize(v + l);
    float nh = clamp(dot(n, h), 0.0, 1.0);
    float vh = clamp(dot(v, h), 0.0, 1.0);
    float a2 = alpha * alpha;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float visibility = 0.5 / max(mix(2.0 * nl * nv, nl + nv, alpha), 1e-4);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
    return fresnel * min(a2 / (d * d) * visibility, 12.0);
}

// What a mirror would see: a bright ceiling, a dim floor and a broad soft box around the key light.
vec3 surroundings(vec3 direction, float roughness) {
    vec3 hemisphere = mix(floor_light, sky_light, smoothstep(-0.6, 0.8, direction.y));
    float edge = mix(0.80, 0.20, roughness);
    float box = smoothstep(edge, 1.0, dot(direction, key_direction.xyz));
    return hemisphere * 1.2 + vec3(1.3 * (1.0 - 0.6 * roughness)) * box;
}

// Directional albedo of GGX, fitted by Karis 2014.
vec3 environment_albedo(vec3 f0, float roughness, float nv) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a + r.zw;
    return f0 * ab.x + ab.y;
}

struct Look {
    vec3 color;
    float metallic;
    float roughness;
};

// Key (shadowed), fill and rim lights over a hemisphere; `open` is the part of the key light that arrives.
vec3 lit(Look look, vec3 n, vec3 v, float open) {
    float nv = clamp(dot(n, v), 1e-3, 1.0);
    float alpha = max(look.roughness * look.roughness, 0.02);
    vec3 f0 = mix(vec3(0.04), look.color, look.metallic);
    vec3 diffuse = look.color * (1.0 - look.metallic);
    vec3 ambient = mix(floor_light, sky_light, smoothstep(-1.0, 1.0, n.y));
    vec3 sum = diffuse * ambient;
    sum += surroundings(reflect(-v, n), look.roughness) * environment_albedo(f0, look.roughness, nv);
    float nl = clamp(dot(n, key_direction.xyz), 0.0, 1.0);
    sum += key_light * (open * nl) * (diffuse + specular(f0, alpha, n, v, key_direction.xyz, nl, nv));
    // The fill wraps around the form, so that its side away from the key keeps its shape.
    float wrapped = clamp((dot(n, fill_direction.xyz) + 0.4) / 1.4, 0.0, 1.0);
    sum += fill_light * wrapped * diffuse;
    float edge = pow(1.0 - nv, 3.0) * clamp(dot(n, rim_direction.xyz) + 0.25, 0.0, 1.0);
    sum += rim_light * edge * (0.35 * diffuse + 0.25);
    return sum * key_direction.w;
}

// Leaves colours alone up to a knee, then rolls off towards 1, slowly losing saturation.
vec3 tone_mapped(vec3 color) {
    const float knee = 0.72;
    float peak = max(color.r, max(color.g, color.b));
    if (peak <= knee) return color;
    float rolled = knee + (1.0 - knee) * (1.0 - exp(-(peak - knee) / (1.0 - knee)));
    vec3 scaled = color * (rolled / peak);
    return mix(scaled, vec3(rolled), 0.6 * (1.0 - rolled / peak));
}
)glsl";
}

Programs make_programs() {
    return {make_surface_program(),    make_depth_program(),         make_wire_program(),
            make_background_program(), make_ground_program(),        make_ground_dark_program(),
            make_composite_program(),  make_ground_shadow_program(), make_contact_program(),
            make_shape_program(),      make_segment_program(),       make_point_program()};
}

}  // namespace sinew::render::gl
