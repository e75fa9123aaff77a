// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/array.h"
#include "sinew/render/gl/passes.h"
#include "sinew/render/gl/shaders.h"

namespace sinew::render::gl {
namespace {

/// Bones and spheres: one small mesh, drawn many times, each with a matrix and a colour.
constexpr std::string_view shape_vertex = R"glsl(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 corner;      // barycentric, all 1 where there are no edges to show
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec3 color;
out vec3 world_point;
out vec3 sphere_normal;
out vec3 edges;
flat out vec3 shape_color;
void main() {
    vec4 p = vec4(position, 1.0);
    world_point = vec3(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    sphere_normal = position;
    edges = corner;
    shape_color = color;
    gl_Position = view_projection * vec4(world_point, 1.0);
}
)glsl";

constexpr std::string_view shape_fragment = R"glsl(
in vec3 world_point;
in vec3 sphere_normal;
in vec3 edges;
flat in vec3 shape_color;
uniform bool rounded;
out vec4 result;
void main() {
    vec3 to_eye = direction_to_eye(world_point);
    vec3 n = facing_normal(rounded ? sphere_normal : vec3(0.0), world_point, to_eye);
    vec3 color = tone_mapped(lit(Look(shape_color, 0.0, 0.45), n, to_eye, 1.0));
    vec3 width = max(fwidth(edges), vec3(1e-6));
    vec3 inside = smoothstep(vec3(0.3), vec3(1.3), edges / width);
    float edge = 1.0 - min(inside.x, min(inside.y, inside.z));
    result = vec4(mix(color, shape_color * 0.12, 0.7 * edge), 1.0);
}
)glsl";

/// A segment as a rectangle with a width in pixels.
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
    // What lies behind the near plane cannot be seen: cut there.
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

namespace {

using math::Vec3f;

struct Corner {
    Vec3f position;
    Vec3f edges;  ///< barycentric; ones where no edge is visible
};

struct SolidInstance {
    std::array<float, 12> rows;
    std::array<float, 3> color;
};

struct MarkInstance {
    std::array<float, 3> start;
    std::array<float, 3> end;
    std::array<float, 4> color;
    float size;
};

/// From (0,0,0) to (0,1,0), with a square ring of radius 1 at one eighth of its length.
std::vector<Corner> octahedron() {
    const std::array<Vec3f, 4> ring = {Vec3f(1, 0.125f, 0), Vec3f(0, 0.125f, 1), Vec3f(-1, 0.125f, 0),
                                       Vec3f(0, 0.125f, -1)};
    std::vector<Corner> corners;
    for (std::size_t i = 0; i < 4; ++i)
        for (const Vec3f& end : {Vec3f(0, 0, 0), Vec3f(0, 1, 0)}) {
            corners.push_back({ring[i], Vec3f::UnitX()});
            corners.push_back({ring[(i + 1) % 4], Vec3f::UnitY()});
            corners.push_back({end, Vec3f::UnitZ()});
        }
    return corners;
}

void subdivide(const Vec3f& a, const Vec3f& b, const Vec3f& c, int depth, std::vector<Corner>& corners) {
    if (depth == 0) {
        for (const Vec3f& p : {a, b, c}) corners.push_back({p, Vec3f::Ones()});
        return;
    }
    const Vec3f ab = (a + b).normalized();
    const Vec3f bc = (b + c).normalized();
    const Vec3f ca = (c + a).normalized();
    subdivide(a, ab, ca, depth - 1, corners);
    subdivide(b, bc, ab, depth - 1, corners);
    subdivide(c, ca, bc, depth - 1, corners);
    subdivide(ab, bc, ca, depth - 1, corners);
}

/// Unit sphere: an octahedron subdivided three times, 512 triangles.
std::vector<Corner> unit_sphere() {
    std::vector<Corner> corners;
    for (const float x : {-1.0f, 1.0f})
        for (const float y : {-1.0f, 1.0f})
            for (const float z : {-1.0f, 1.0f})
                subdivide(x * Vec3f::UnitX(), y * Vec3f::UnitY(), z * Vec3f::UnitZ(), 3, corners);
    return corners;
}

void instance_attribute(GLuint location, int size, GLsizei stride, std::size_t offset) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, stride, reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(location, 1);
}

SolidInstance bone_instance(const BoneShape& bone) {
    const Vec3f along = bone.end - bone.start;
    const Vec3f side = along.squaredNorm() > 0 ? Vec3f(along.unitOrthogonal()) : Vec3f(Vec3f::UnitX());
    const Vec3f other = side.cross(along).normalized();
    SolidInstance instance{};
    for (int row = 0; row < 3; ++row) {
        float* const target = instance.rows.data() + static_cast<std::ptrdiff_t>(row) * 4;
        target[0] = side[row] * bone.radius;
        target[1] = along[row];
        target[2] = other[row] * bone.radius;
        target[3] = bone.start[row];
        instance.color[at(row)] = bone.color[row];
    }
    return instance;
}

SolidInstance sphere_instance(const SphereShape& shape) {
    SolidInstance instance{};
    for (std::size_t row = 0; row < 3; ++row) {
        instance.rows[row * 4 + row] = shape.radius;
        instance.rows[row * 4 + 3] = shape.center[static_cast<Eigen::Index>(row)];
        instance.color[row] = shape.color[static_cast<Eigen::Index>(row)];
    }
    return instance;
}

std::array<float, 3> three(const Vec3f& v) {
    return {v.x(), v.y(), v.z()};
}
std::array<float, 4> four(const math::Vec4f& v) {
    return {v.x(), v.y(), v.z(), v.w()};
}
MarkInstance segment_instance(const SegmentShape& shape) {
    return {three(shape.start), three(shape.end), four(shape.color), shape.width};
}
MarkInstance point_instance(const PointShape& shape) {
    return {three(shape.center), three(shape.center), four(shape.color), shape.radius};
}

template <class Instance, class Shape>
std::vector<Instance> instances_of(const std::vector<Shape>& shapes, Instance (*instance_of)(const Shape&)) {
    std::vector<Instance> instances;
    instances.reserve(shapes.size());
    for (const Shape& shape : shapes) instances.push_back(instance_of(shape));
    return instances;
}

}  // namespace

void ShapePass::prepare() {
    if (bone_.layout) return;
    const auto make_solid = [](const std::vector<Corner>& corners) {
        Stamp stamp{make_vertex_array(), make_buffer(), make_buffer(), static_cast<GLsizei>(corners.size())};
        glBindVertexArray(stamp.layout.id());
        upload(GL_ARRAY_BUFFER, stamp.vertices, std::span<const Corner>(corners), GL_STATIC_DRAW);
        for (const GLuint location : {0U, 1U}) {
            glEnableVertexAttribArray(location);
            glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, sizeof(Corner),
                                  reinterpret_cast<const void*>(std::size_t{location} * sizeof(Vec3f)));
        }
        glBindBuffer(GL_ARRAY_BUFFER, stamp.instances.id());
        for (GLuint row = 0; row < 3; ++row)
            instance_attribute(2 + row, 4, sizeof(SolidInstance), std::size_t{row} * 4 * sizeof(float));
        instance_attribute(5, 3, sizeof(SolidInstance), offsetof(SolidInstance, color));
        return stamp;
    };
    const auto make_mark = [] {
        Stamp stamp{make_vertex_array(), Buffer(), make_buffer(), 4};
        glBindVertexArray(stamp.layout.id());
        glBindBuffer(GL_ARRAY_BUFFER, stamp.instances.id());
        instance_attribute(0, 3, sizeof(MarkInstance), offsetof(MarkInstance, start));
        instance_attribute(1, 3, sizeof(MarkInstance), offsetof(MarkInstance, end));
        instance_attribute(2, 4, sizeof(MarkInstance), offsetof(MarkInstance, color));
        instance_attribute(3, 1, sizeof(MarkInstance), offsetof(MarkInstance, size));
        return stamp;
    };
    bone_ = make_solid(octahedron());
    sphere_ = make_solid(unit_sphere());
    segment_ = make_mark();
    point_ = make_mark();
    glBindVertexArray(0);
}

template <class Instance>
void ShapePass::draw(const Stamp& stamp, GLenum mode, std::span<const Instance> instances) {
    if (instances.empty()) return;
    upload(GL_ARRAY_BUFFER, stamp.instances, instances, GL_STREAM_DRAW);
    glBindVertexArray(stamp.layout.id());
    glDrawArraysInstanced(mode, 0, stamp.vertex_count, static_cast<GLsizei>(instances.size()));
    glBindVertexArray(0);
}

void ShapePass::draw_solids(const Programs& programs, const Overlay& overlay) {
    programs.shape.use();
    programs.shape.set("rounded", 0);
    draw<SolidInstance>(bone_, GL_TRIANGLES, instances_of(overlay.bones, &bone_instance));
    programs.shape.set("rounded", 1);
    draw<SolidInstance>(sphere_, GL_TRIANGLES, instances_of(overlay.spheres, &sphere_instance));
}

void ShapePass::draw_marks(const Programs& programs, const Overlay& overlay) {
    programs.segment.use();
    draw<MarkInstance>(segment_, GL_TRIANGLE_STRIP, instances_of(overlay.segments, &segment_instance));
    programs.point.use();
    draw<MarkInstance>(point_, GL_TRIANGLE_STRIP, instances_of(overlay.points, &point_instance));
}

}  // namespace sinew::render::gl
