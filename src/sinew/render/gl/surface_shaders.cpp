// SPDX-License-Identifier: MIT
#include <string>

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

namespace {

/// One vertex shader for colour, depth and edges, so that positions are identical in all of them.
constexpr std::string_view vertex_source = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv0;
layout(location = 3) in vec2 uv1;
layout(location = 4) in vec4 color;
uniform mat4 projection;
uniform int uv_set;
out vec3 world_point;
out vec3 world_normal;
out vec2 texture_uv;
out vec4 vertex_color;
invariant gl_Position;
void main() {
    world_point = position;
    world_normal = normal;
    texture_uv = uv_set == 1 ? uv1 : uv0;
    vertex_color = color;
    gl_Position = projection * vec4(position, 1.0);
}
)glsl";

constexpr std::string_view shading_inputs = R"glsl(
in vec3 world_point;
in vec3 world_normal;
in vec2 texture_uv;
in vec4 vertex_color;
uniform sampler2D base_color_map;
uniform vec4 base_color;
uniform bool textured;
uniform float alpha_cutoff;

vec4 surface_color() {
    vec4 color = base_color * vertex_color;
    if (textured) color *= texture(base_color_map, texture_uv);
    return color;
}
)glsl";

constexpr std::string_view surface_source = R"glsl(
uniform sampler2DShadow shadow_map;
uniform int shading;       // 0 smooth, 1 flat, 2 unlit
uniform int alpha_mode;    // 0 opaque, 1 mask, 2 blend
uniform float opacity;
uniform vec3 emissive;
uniform float metallic;
uniform float roughness;
out vec4 result;

// Percentage-closer filter: nine bilinear comparisons under a tent.
float open_to_key(vec3 point, vec3 n) {
    if (shadow.w < 0.5) return 1.0;
    float nl = dot(n, key_direction.xyz);
    if (nl <= 0.0) return 0.0;
    // A step along the normal instead of a depth bias alone: no acne on slopes, no gap at the feet.
    vec3 uv = (shadow_matrix * vec4(point + n * (shadow.y * (1.0 + 2.0 * (1.0 - nl))), 1.0)).xyz;
    float open = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            float weight = float((2 - abs(x)) * (2 - abs(y)));
            open += weight * texture(shadow_map, vec3(uv.xy + vec2(x, y) * (1.6 * shadow.x), uv.z));
        }
    return open / 16.0;
}

void main() {
    vec4 color = surface_color();
    if (alpha_mode == 1 && color.a < alpha_cutoff) discard;
    float alpha = (alpha_mode == 2 ? color.a : 1.0) * opacity;
    if (shading == 2) {
        result = vec4(color.rgb, alpha);
        return;
    }
    vec3 to_eye = direction_to_eye(world_point);
    vec3 n = facing_normal(shading == 1 ? vec3(0.0) : world_normal, world_point, to_eye);
    vec3 light = lit(Look(color.rgb, metallic, roughness), n, to_eye, open_to_key(world_point, n));
    // A translucent surface is thicker where it is seen from the side.
    if (opacity < 1.0) alpha = mix(alpha, 1.0, 0.75 * pow(1.0 - clamp(dot(n, to_eye), 0.0, 1.0), 2.5));
    result = vec4(tone_mapped(light + emissive), alpha);  // over nothing: blending multiplies by alpha
}
)glsl";

constexpr std::string_view depth_source = R"glsl(
uniform int alpha_mode;
void main() {
    if (alpha_mode != 0 && surface_color().a < alpha_cutoff) discard;
}
)glsl";

/// Distances of a point to the three edges, in pixels (Baerentzen 2006).
constexpr std::string_view wire_geometry_source = R"glsl(
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
noperspective out vec3 to_edges;
invariant gl_Position;
void main() {
    vec3 w = vec3(gl_in[0].gl_Position.w, gl_in[1].gl_Position.w, gl_in[2].gl_Position.w);
    if (min(w.x, min(w.y, w.z)) <= 0.0) return;  // behind the camera: its edges are not visible
    vec2 p[3];
    for (int i = 0; i < 3; ++i) p[i] = 0.5 * viewport.xy * gl_in[i].gl_Position.xy / w[i];
    float area = abs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x));
    for (int i = 0; i < 3; ++i) {
        to_edges = vec3(0.0);
        to_edges[i] = area / max(distance(p[(i + 1) % 3], p[(i + 2) % 3]), 1e-6);
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
    EndPrimitive();
}
)glsl";

constexpr std::string_view wire_source = R"glsl(
noperspective in vec3 to_edges;
uniform vec4 wire_color;
out vec4 result;
void main() {
    float nearest = min(to_edges.x, min(to_edges.y, to_edges.z));
    float alpha = wire_color.a * (1.0 - smoothstep(0.25, 1.1, nearest));
    if (alpha < 0.004) discard;
    result = vec4(wire_color.rgb, alpha);
}
)glsl";

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text(frame_source());
    for (const std::string_view part : parts) text += part;
    return text;
}

}  // namespace

std::string surface_fragment() {
    return joined({lighting_source(), shading_inputs, surface_source});
}

std::string depth_fragment() {
    return joined({shading_inputs, depth_source});
}

Program make_surface_program() {
    return {"surface", joined({vertex_source}), surface_fragment()};
}

Program make_depth_program() {
    return {"depth", joined({vertex_source}), depth_fragment()};
}

Program make_wire_program() {
    return {"wire", joined({vertex_source}), joined({wire_source}), joined({wire_geometry_source})};
}

namespace {

/// One triangle that covers the target.
constexpr std::string_view cover_vertex = R"glsl(
out vec2 uv;
void main() {
    uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
)glsl";

constexpr std::string_view background_fragment = R"glsl(
out vec4 result;
void main() {
    vec2 p = (gl_FragCoord.xy + viewport.zw) / vec2(background_center.w, background_edge.w) - vec2(0.5, 0.54);
    float far = smoothstep(0.0, 1.0, length(p * vec2(1.15, 1.0)) / 0.75);
    result = vec4(mix(background_center.rgb, background_edge.rgb, far), 1.0);
}
)glsl";

/// From the shadow map: whether the light through this texel hits an object before the ground, and how far
/// above the ground.
constexpr std::string_view ground_shadow_fragment = R"glsl(
in vec2 uv;
uniform sampler2D depth_map;
uniform mat4 shadow_inverse;
out vec4 result;
void main() {
    vec2 sum = vec2(0.0);
    vec3 start = (shadow_inverse * vec4(uv, 0.0, 1.0)).xyz;
    float ground_depth = (start.y - ground.x) / (key_direction.y * shadow.z);
    ivec2 first = ivec2(gl_FragCoord.xy) * 2;  // this map has half the side of the shadow map
    for (int i = 0; i < 4; ++i) {
        float depth = texelFetch(depth_map, first + ivec2(i & 1, i >> 1), 0).r;
        float gap = ground_depth - depth;
        if (depth < 1.0 && gap > 0.0) sum += vec2(1.0, min(gap, 1.0));
    }
    result = vec4(sum / 4.0, 0.0, 1.0);
}
)glsl";

constexpr std::string_view contact_fragment = R"glsl(
in vec2 uv;
uniform sampler2D depth_map;
out vec4 result;
void main() {
    float height = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r;
    // Nearer than a tenth of the range darkens most; what is high hardly does.
    float covered = height < 1.0 ? exp(-9.0 * height) : 0.0;
    result = vec4(covered, 0.0, 0.0, 1.0);
}
)glsl";

constexpr std::string_view ground_vertex = R"glsl(
out vec3 world_point;
void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    world_point = vec3(ground_center.x, ground.x, ground_center.z) + vec3(corner.x, 0.0, corner.y) * ground.z;
    gl_Position = view_projection * vec4(world_point, 1.0);
}
)glsl";

constexpr std::string_view ground_fragment = R"glsl(
in vec3 world_point;
out vec4 result;

// 1 on lines of a grid with unit cells, `width` pixels wide, fading where the cells get too small to see.
float grid(vec2 p, vec2 pixel, float width) {
    vec2 d = abs(fract(p - 0.5) - 0.5) / pixel;
    vec2 line = clamp(0.5 * width + 0.5 - d, 0.0, 1.0) * clamp(1.3 - 3.0 * pixel, 0.0, 1.0);
    return max(line.x, line.y);
}

void main() {
    vec2 pixel = max(fwidth(world_point.xz), vec2(1e-9));
    float far = length(world_point.xz - ground_center.xz) / ground.z;
    float fade = 1.0 - smoothstep(0.15, 1.0, far);
    float lines = 0.0;
    if (ground_parts.x > 0.5) {
        vec2 cell = world_point.xz / ground.y;
        vec2 cell_pixel = pixel / ground.y;
        lines = max(0.34 * grid(cell, cell_pixel, 1.2), 0.15 * grid(cell * 10.0, cell_pixel * 10.0, 1.0));
    }
    vec2 axes = (0.85 * ground_parts.y) * clamp(1.6 - abs(world_point.zx) / pixel.yx, 0.0, 1.0);
    // The x axis over the z axis over the lines.
    vec4 color = vec4(0.20, 0.22, 0.25, 1.0) * lines;
    color = mix(color, vec4(0.04, 0.13, 0.62, 1.0), axes.y);
    color = mix(color, vec4(0.62, 0.05, 0.06, 1.0), axes.x);
    result = color * fade;
}
)glsl";

constexpr std::string_view ground_dark_vertex = R"glsl(
out vec3 world_point;
void main() {
    world_point = vec3((gl_VertexID & 1) == 0 ? dark_box.x : dark_box.z, ground.x,
                       (gl_VertexID & 2) == 0 ? dark_box.y : dark_box.w);
    gl_Position = view_projection * vec4(world_point, 1.0);
}
)glsl";

constexpr std::string_view ground_dark_fragment = R"glsl(
in vec3 world_point;
uniform sampler2D ground_shadow_map;
uniform sampler2D contact_map;
out vec4 result;

// Cubic B-spline over a whole level of the pyramid by four bilinear fetches: blurred without visible texels.
vec4 smooth_fetch(sampler2D map, vec2 uv, float level) {
    vec2 size = vec2(textureSize(map, int(level)));
    vec2 p = uv * size - 0.5;
    vec2 f = fract(p);
    vec2 base = p - f;
    vec2 f2 = f * f;
    vec2 f3 = f2 * f;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
    vec2 w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0;
    vec2 w3 = f3 / 6.0;
    vec2 w2 = 1.0 - w0 - w1 - w3;
    vec2 g0 = w0 + w1;
    vec2 g1 = w2 + w3;
    vec2 low = (base - 0.5 + w1 / g0) / size;
    vec2 high = (base + 1.5 + w3 / g1) / size;
    return g0.y * (g0.x * textureLod(map, low, level) + g1.x * textureLod(map, vec2(high.x, low.y), level)) +
           g1.y * (g0.x * textureLod(map, vec2(low.x, high.y), level) + g1.x * textureLod(map, high, level));
}

// Shadow of an area light: the farther above the ground the caster, the softer.
float key_shadow(vec2 uv) {
    if (any(greaterThan(abs(uv - 0.5), vec2(0.5)))) return 0.0;
    vec2 around = smooth_fetch(ground_shadow_map, uv, 5.0).rg;
    if (around.r < 0.002) return 0.0;
    float gap = around.g / around.r;                          // mean distance, part of the depth range
    float radius = 0.10 * gap * shadow.z / ground_center.w;   // of the penumbra, part of the map
    float level = clamp(log2(max(radius * 512.0, 1.0)), 1.0, 5.0);
    float sharper = floor(level);
    return mix(smooth_fetch(ground_shadow_map, uv, sharper).r,
               smooth_fetch(ground_shadow_map, uv, min(sharper + 1.0, 5.0)).r, level - sharper);
}

float contact(vec2 uv) {
    if (any(greaterThan(abs(uv - 0.5), vec2(0.5)))) return 0.0;
    return 0.55 * smooth_fetch(contact_map, uv, 2.0).r + 0.75 * smooth_fetch(contact_map, uv, 4.0).r;
}

void main() {
    vec2 key_uv = (shadow_matrix * vec4(world_point, 1.0)).xy;
    vec2 contact_uv = (contact_matrix * vec4(world_point, 1.0)).xy;
    float open = (1.0 - 0.50 * key_shadow(key_uv)) * (1.0 - clamp(0.80 * contact(contact_uv), 0.0, 0.8));
    result = vec4(vec3(0.010, 0.012, 0.018), 1.0) * (1.0 - open);
}
)glsl";

/// What was drawn with several samples per pixel, over the background.
constexpr std::string_view composite_fragment = R"glsl(
uniform sampler2D drawn;
uniform vec4 corner;
out vec4 result;
void main() {
    result = texelFetch(drawn, ivec2(gl_FragCoord.xy) - ivec2(corner.xy), 0);
}
)glsl";

}  // namespace

Program make_background_program() {
    return {"background", with_frame(cover_vertex), with_frame(background_fragment)};
}

Program make_ground_program() {
    return {"ground", with_frame(ground_vertex), with_frame(ground_fragment)};
}

Program make_ground_dark_program() {
    return {"ground dark", with_frame(ground_dark_vertex), with_frame(ground_dark_fragment)};
}

Program make_composite_program() {
    return {"composite", with_frame(cover_vertex), with_frame(composite_fragment)};
}

Program make_ground_shadow_program() {
    return {"ground shadow", with_frame(cover_vertex), with_frame(ground_shadow_fragment)};
}

Program make_contact_program() {
    return {"contact", with_frame(cover_vertex), with_frame(contact_fragment)};
}

}  // namespace sinew::render::gl
