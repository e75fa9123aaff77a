#include <string>

#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {
namespace {

/// One triangle that covers the target.
constexpr std::string_view cover_vertex = R"glsl(
out vec2 place;
void main() {
    place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
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

/// From the shadow map: does the light through this texel hit something before it hits the ground, and how
/// far before?
constexpr std::string_view ground_shadow_fragment = R"glsl(
in vec2 place;
uniform sampler2D depth_map;
uniform mat4 shadow_inverse;
out vec4 result;
void main() {
    vec4 sum = vec4(0.0);
    vec2 texel = 0.25 / vec2(512.0);
    vec3 start = (shadow_inverse * vec4(place, 0.0, 1.0)).xyz;
    float ground_depth = (start.y - ground.x) / (key_direction.y * shadow.z);
    for (int i = 0; i < 4; ++i) {
        vec2 offset = vec2((i & 1) == 0 ? -1.0 : 1.0, (i & 2) == 0 ? -1.0 : 1.0) * texel;
        float depth = texture(depth_map, place + offset).r;
        float gap = ground_depth - depth;
        if (depth < 1.0 && gap > 0.0) sum += vec4(1.0, clamp(gap, 0.0, 1.0), 0.0, 0.0);
    }
    result = sum / 4.0;
}
)glsl";

constexpr std::string_view contact_fragment = R"glsl(
in vec2 place;
uniform sampler2D depth_map;
out vec4 result;
void main() {
    float height = texture(depth_map, place).r;
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
uniform sampler2D ground_shadow_map;
uniform sampler2D contact_map;
out vec4 result;

// Cubic B-spline over a level of the pyramid by four bilinear fetches: blurred without visible texels.
vec4 smooth_fetch(sampler2D map, vec2 uv, float level) {
    vec2 size = vec2(textureSize(map, 0)) * exp2(-level);
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
    vec2 around = smooth_fetch(ground_shadow_map, uv, 5.0).rg;
    if (around.r < 0.002) return 0.0;
    float gap = around.g / around.r;                          // mean distance, part of the depth range
    float radius = 0.10 * gap * shadow.z / ground_center.w;   // of the penumbra, part of the map
    float level = clamp(log2(max(radius * 512.0, 1.0)), 1.0, 5.0);
    return smooth_fetch(ground_shadow_map, uv, level).r;
}

float contact(vec2 uv) {
    return 0.55 * smooth_fetch(contact_map, uv, 2.5).r + 0.75 * smooth_fetch(contact_map, uv, 4.5).r;
}

// 1 on lines of a grid with unit cells, `width` pixels wide, fading where the cells get too small to see.
float grid(vec2 p, float width) {
    vec2 step_size = max(fwidth(p), vec2(1e-7));
    vec2 d = abs(fract(p - 0.5) - 0.5) / step_size;
    vec2 line = (1.0 - smoothstep(width * 0.5 - 0.5, width * 0.5 + 0.5, d)) * (1.0 - smoothstep(0.1, 0.45, step_size));
    return max(line.x, line.y);
}

float axis(float distance_to_axis, float width) {
    float pixels = abs(distance_to_axis) / max(fwidth(distance_to_axis), 1e-7);
    return 1.0 - smoothstep(width * 0.5 - 0.5, width * 0.5 + 0.5, pixels);
}


void main() {
    vec2 from_center = (world_point.xz - ground_center.xz) / ground.z;
    float fade = 1.0 - smoothstep(0.15, 1.0, length(from_center));
    float lines = 0.0;
    if (ground_parts.x > 0.5) {
        vec2 cell = world_point.xz / ground.y;
        lines = max(0.34 * grid(cell, 1.2), 0.15 * grid(cell * 10.0, 1.0));
    }
    float red = ground_parts.y * axis(world_point.z, 2.2);
    float blue = ground_parts.y * axis(world_point.x, 2.2);
    float dark = 0.0;
    if (ground_parts.z > 0.5) {
        vec2 key_place = (shadow_matrix * vec4(world_point, 1.0)).xy;
        vec2 contact_place = (contact_matrix * vec4(world_point, 1.0)).xy;
        float cast = 0.42 * key_shadow(key_place);
        dark = 1.0 - (1.0 - cast) * (1.0 - clamp(0.62 * contact(contact_place), 0.0, 0.8));
    }
    // Lines first, shadow over them; all premultiplied so that it works over nothing too.
    vec3 color = vec3(0.20, 0.22, 0.25) * (lines * fade);
    float alpha = lines * fade;
    float a = 0.85 * red * fade;
    color = mix(color, vec3(0.62, 0.05, 0.06), a);
    alpha += a * (1.0 - alpha);
    a = 0.85 * blue * fade;
    color = mix(color, vec3(0.04, 0.13, 0.62), a);
    alpha += a * (1.0 - alpha);
    color *= 1.0 - dark;
    color += vec3(0.010, 0.012, 0.018) * dark;
    alpha += dark * (1.0 - alpha);
    if (alpha < 0.002) discard;
    result = vec4(color / alpha, alpha);
}
)glsl";

std::string with_frame(std::string_view source) {
    return std::string(frame_source()) + std::string(source);
}

}  // namespace

Program make_background_program() {
    return {"background", with_frame(cover_vertex), with_frame(background_fragment)};
}

Program make_ground_program() {
    return {"ground", with_frame(ground_vertex), with_frame(ground_fragment)};
}

Program make_ground_shadow_program() {
    return {"ground shadow", with_frame(cover_vertex), with_frame(ground_shadow_fragment)};
}

Program make_contact_program() {
    return {"contact", with_frame(cover_vertex), with_frame(contact_fragment)};
}

}  // namespace sinew::render::gl
