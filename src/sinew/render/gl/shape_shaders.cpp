#include <string>

#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {
namespace {

/// Bones and balls: one small mesh, drawn many times with its own matrix and colour.
constexpr std::string_view shape_vertex = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 corner;      // barycentric, all 1 where there are no edges to show
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec3 color;
out vec3 world_point;
out vec3 ball_normal;
out vec3 edges;
flat out vec3 shape_color;
void main() {
    vec4 p = vec4(position, 1.0);
    world_point = vec3(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    ball_normal = position;
    edges = corner;
    shape_color = color;
    gl_Position = view_projection * vec4(world_point, 1.0);
}
)glsl";

constexpr std::string_view shape_fragment = R"glsl(
in vec3 world_point;
in vec3 ball_normal;
in vec3 edges;
flat in vec3 shape_color;
uniform bool rounded;
out vec4 result;
void main() {
    vec3 to_eye = direction_to_eye(world_point);
    vec3 n = facing_normal(rounded ? ball_normal : vec3(0.0), world_point, to_eye);
    vec3 color = tone_mapped(lit(Look(shape_color, 0.0, 0.45), n, to_eye, 1.0));
    vec3 width = max(fwidth(edges), vec3(1e-6));
    vec3 inside = smoothstep(vec3(0.3), vec3(1.3), edges / width);
    float edge = 1.0 - min(inside.x, min(inside.y, inside.z));
    result = vec4(mix(color, shape_color * 0.12, 0.7 * edge), 1.0);
}
)glsl";

/// A segment as a rectangle that is some pixels wide.
constexpr std::string_view segment_vertex = R"glsl(
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 color;
layout(location = 3) in float width;
noperspective out float across;
flat out float half_width;
flat out vec4 shape_color;
void main() {
    vec4 a = view_projection * vec4(start, 1.0);
    vec4 b = view_projection * vec4(end, 1.0);
    // What lies behind the near plane has no place in the picture: cut there.
    float da = a.z + a.w;
    float db = b.z + b.w;
    if (da < 0.0 && db > 0.0) a = mix(a, b, da / (da - db) * 1.0001);
    if (db < 0.0 && da > 0.0) b = mix(b, a, db / (db - da) * 1.0001);
    vec2 half_size = 0.5 * viewport.xy;
    vec2 along = b.xy / b.w * half_size - a.xy / a.w * half_size;
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    half_width = 0.5 * width;
    float reach = half_width + 0.75;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    vec4 p = (gl_VertexID & 2) == 0 ? a : b;
    across = side * reach;
    shape_color = color;
    p.xy += vec2(-along.y, along.x) * (side * reach) / half_size * p.w;
    gl_Position = p;
}
)glsl";

constexpr std::string_view segment_fragment = R"glsl(
noperspective in float across;
flat in float half_width;
flat in vec4 shape_color;
out vec4 result;
void main() {
    float cover = 1.0 - smoothstep(half_width - 0.5, half_width + 0.5, abs(across));
    if (cover < 0.01) discard;
    result = vec4(shape_color.rgb, shape_color.a * cover);
}
)glsl";

constexpr std::string_view point_vertex = R"glsl(
layout(location = 0) in vec3 center;
layout(location = 2) in vec4 color;
layout(location = 3) in float radius;
noperspective out vec2 from_center;
flat out float disc_radius;
flat out vec4 shape_color;
void main() {
    vec4 p = view_projection * vec4(center, 1.0);
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    from_center = corner * (radius + 0.75);
    disc_radius = radius;
    shape_color = color;
    p.xy += from_center / (0.5 * viewport.xy) * p.w;
    gl_Position = p;
}
)glsl";

constexpr std::string_view point_fragment = R"glsl(
noperspective in vec2 from_center;
flat in float disc_radius;
flat in vec4 shape_color;
out vec4 result;
void main() {
    float r = length(from_center);
    float cover = 1.0 - smoothstep(disc_radius - 0.5, disc_radius + 0.5, r);
    if (cover < 0.01) discard;
    // A darker border keeps points apart from what they lie on.
    float border = smoothstep(disc_radius - 1.6, disc_radius - 0.6, r);
    result = vec4(shape_color.rgb * mix(1.0, 0.35, border), shape_color.a * cover);
}
)glsl";

}  // namespace

Program make_shape_program() {
    return {"shape", with_frame(shape_vertex), with_frame(shape_fragment, lighting_source())};
}

Program make_segment_program() {
    return {"segment", with_frame(segment_vertex), with_frame(segment_fragment)};
}

Program make_point_program() {
    return {"point", with_frame(point_vertex), with_frame(point_fragment)};
}

}  // namespace sinew::render::gl
