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
    vec2 sum = vec2(0.0);
    vec3 start = (shadow_inverse * vec4(place, 0.0, 1.0)).xyz;
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
in vec2 place;
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
    vec2 key_place = (shadow_matrix * vec4(world_point, 1.0)).xy;
    vec2 contact_place = (contact_matrix * vec4(world_point, 1.0)).xy;
    float open = (1.0 - 0.50 * key_shadow(key_place)) * (1.0 - clamp(0.80 * contact(contact_place), 0.0, 0.8));
    result = vec4(vec3(0.010, 0.012, 0.018), 1.0) * (1.0 - open);
}
)glsl";

/// What was drawn with several samples a pixel, over the background.
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
