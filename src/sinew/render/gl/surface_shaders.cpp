#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {
namespace {

/// One vertex shader for colour, depth and edges: the same positions to the last bit in all of them.
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
out vec2 texture_place;
out vec4 vertex_color;
invariant gl_Position;
void main() {
    world_point = position;
    world_normal = normal;
    texture_place = uv_set == 1 ? uv1 : uv0;
    vertex_color = color;
    gl_Position = projection * vec4(position, 1.0);
}
)glsl";

constexpr std::string_view shading_inputs = R"glsl(
in vec3 world_point;
in vec3 world_normal;
in vec2 texture_place;
in vec4 vertex_color;
uniform sampler2D base_color_map;
uniform vec4 base_color;
uniform bool textured;
uniform float alpha_cutoff;

vec4 surface_color() {
    vec4 color = base_color * vertex_color;
    if (textured) color *= texture(base_color_map, texture_place);
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
    vec3 place = (shadow_matrix * vec4(point + n * (shadow.y * (1.0 + 2.0 * (1.0 - nl))), 1.0)).xyz;
    float open = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            float weight = float((2 - abs(x)) * (2 - abs(y)));
            open += weight * texture(shadow_map, vec3(place.xy + vec2(x, y) * (1.6 * shadow.x), place.z));
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
    if (min(w.x, min(w.y, w.z)) <= 0.0) return;  // passes the eye: its edges have no place in the picture
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

}  // namespace sinew::render::gl
