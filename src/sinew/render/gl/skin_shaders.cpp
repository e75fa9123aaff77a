// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "sinew/render/gl/shaders.h"
#include "sinew/render/gl/skin.h"

namespace sinew::render::gl {
namespace {

constexpr std::string_view inputs_source = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uvec4 joints_0;
layout(location = 4) in vec4 weights_0;
#if INFLUENCES > 4
layout(location = 3) in uvec4 joints_1;
layout(location = 5) in vec4 weights_1;
#endif
layout(location = 6) in uvec2 set_range;  // number of the influence set, its first palette entry
layout(location = 7) in vec4 color;
layout(location = 8) in mat4 placement;
layout(location = 12) in int frame;
uniform samplerBuffer palette;
uniform int frame_texels;   // texels of a frame
uniform int center_texel;   // where in a frame the centres of the sets begin
uniform bool exact_normals;
uniform mat4 projection;
out vec3 world_point;
out vec3 world_normal;
out vec2 texture_uv;
out vec4 vertex_color;
invariant gl_Position;

float weights[INFLUENCES];
int entries[INFLUENCES];  // first texel of each influence

// Matrices belong to joints. Quaternions belong to slots of influence sets, because each set has its own signs.
int entry_of(int slot, uint joint) {
    int entry = RULE == LINEAR ? int(joint) : int(set_range.y) + slot;
    return frame * frame_texels + entry * ENTRY_TEXELS;
}

void gather() {
    for (int i = 0; i < 4; ++i) {
        weights[i] = weights_0[i];
        entries[i] = entry_of(i, joints_0[i]);
#if INFLUENCES > 4
        weights[4 + i] = weights_1[i];
        entries[4 + i] = entry_of(4 + i, joints_1[i]);
#endif
    }
    // The first joint takes what the others leave, as on the CPU: convex to the last bit.
    weights[0] = 1.0;
    for (int i = 1; i < INFLUENCES; ++i) weights[0] -= weights[i];
}
)glsl";

constexpr std::string_view blend_source = R"glsl(
struct Affine {
    mat3 linear;
    vec3 move;
};

// Slots without an influence have no weight and may lie beyond the palette.
vec4 blended(int texel) {
    vec4 sum = weights[0] * texelFetch(palette, entries[0] + texel);
    for (int i = 1; i < INFLUENCES; ++i)
        if (weights[i] > 0.0) sum += weights[i] * texelFetch(palette, entries[i] + texel);
    return sum;
}

int heaviest_entry() {
    int best = 0;
    for (int i = 1; i < INFLUENCES; ++i)
        if (weights[i] > weights[best]) best = i;
    return entries[best];
}

Affine blended_matrix(int texel) {
    vec4 x = blended(texel), y = blended(texel + 1), z = blended(texel + 2);
    return Affine(transpose(mat3(x.xyz, y.xyz, z.xyz)), vec3(x.w, y.w, z.w));
}

// Rotation matrix of a quaternion of any length, s = 2 / |q|^2.
mat3 rotation(vec4 q, float s) {
    vec3 d = s * q.xyz * q.xyz;
    vec3 w = s * q.w * q.xyz;
    float xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    return mat3(1.0 - d.y - d.z, xy + w.z, xz - w.y,
                xy - w.z, 1.0 - d.x - d.z, yz + w.x,
                xz + w.y, yz - w.x, 1.0 - d.x - d.y);
}

// det(M) M^-T: how area vectors move, finite for a singular M too.
mat3 cofactors(mat3 m) {
    return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
}

vec3 unit(vec3 v) {
    return v / sqrt(max(dot(v, v), 1e-37));
}
)glsl";

/// One of these makes the affine map of a vertex. A blend of quaternions that vanishes follows its heaviest
/// joint.
constexpr std::string_view linear_source = R"glsl(
Affine blended_map() {
    return blended_matrix(0);
}
)glsl";

constexpr std::string_view dual_source = R"glsl(
// Kavan 2007, 4.3: t = s (w de - we d + d x de).
Affine blended_map() {
    vec4 real = blended(0), dual = blended(1);
    if (dot(real, real) < 1e-8) {
        real = texelFetch(palette, heaviest_entry());
        dual = texelFetch(palette, heaviest_entry() + 1);
    }
    float s = 2.0 / dot(real, real);
    return Affine(rotation(real, s), s * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz)));
}
)glsl";

constexpr std::string_view centered_source = R"glsl(
// v' = Q (v - c) + sum w_i C_i c: the blended rotation about the centre of the set.
Affine blended_map() {
    vec4 real = blended(0);
    if (dot(real, real) < 1e-8) real = texelFetch(palette, heaviest_entry());
    vec3 center = texelFetch(palette, frame * frame_texels + center_texel + int(set_range.x)).xyz;
    mat3 rotation_matrix = rotation(real, 2.0 / dot(real, real));
    return Affine(rotation_matrix, blended(1).xyz - rotation_matrix * center);
}
)glsl";

constexpr std::string_view main_source = R"glsl(
void main() {
    gather();
    vec3 point = position, across = normal;
#if STRETCH
    Affine stretch = blended_matrix(ENTRY_TEXELS - 3);
    point = stretch.linear * point + stretch.move;
    across = cofactors(stretch.linear) * across;
#endif
    Affine map = blended_map();
    point = map.linear * point + map.move;
    across = unit((RULE == LINEAR && exact_normals ? cofactors(map.linear) : map.linear) * across);
    world_point = (placement * vec4(point, 1.0)).xyz;
    world_normal = unit(cofactors(mat3(placement)) * across);
    texture_uv = vec2(0.0);
    vertex_color = color;
    gl_Position = projection * vec4(world_point, 1.0);
}
)glsl";

std::string_view rule_source(GpuEntry entry) {
    switch (entry) {
        case GpuEntry::matrix:
            return linear_source;
        case GpuEntry::dual:
            return dual_source;
        case GpuEntry::centered:
            break;
    }
    return centered_source;
}

}  // namespace

Program make_skin_program(const SkinProgramKind& kind) {
    const std::string settings = fmt::format(
        "#define LINEAR {}\n#define RULE {}\n#define INFLUENCES {}\n#define STRETCH {}\n#define ENTRY_TEXELS "
        "{}\n",
        static_cast<int>(GpuEntry::matrix), static_cast<int>(kind.entry), kind.influences,
        kind.stretch ? 1 : 0, entry_texels(kind.entry, kind.stretch));
    const std::string vertex = fmt::format("{}{}{}{}{}{}", frame_source(), settings, inputs_source,
                                           blend_source, rule_source(kind.entry), main_source);
    constexpr std::array<const char*, 2> captured = {"world_point", "world_normal"};
    return {"skin", vertex, kind.depth ? depth_fragment() : surface_fragment(), {}, captured};
}

}  // namespace sinew::render::gl
