#include "sinew/render/gl/shape_pass.h"

#include <array>
#include <cstddef>
#include <vector>

namespace sinew::render::gl {
namespace {

using math::Vec3f;

struct Corner {
    Vec3f position;
    Vec3f edges;  ///< barycentric; ones where no edge is to be seen
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

/// From (0,0,0) to (0,1,0), with a square ring of radius 1 at an eighth of its length.
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

/// Unit ball: an octahedron subdivided three times, 512 triangles.
std::vector<Corner> ball() {
    std::vector<Corner> corners;
    for (const float x : {-1.0f, 1.0f})
        for (const float y : {-1.0f, 1.0f})
            for (const float z : {-1.0f, 1.0f})
                subdivide(x * Vec3f::UnitX(), y * Vec3f::UnitY(), z * Vec3f::UnitZ(), 3, corners);
    return corners;
}

void instance_attribute(GLuint place, int size, GLsizei stride, std::size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, size, GL_FLOAT, GL_FALSE, stride, reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(place, 1);
}

SolidInstance place_bone(const BoneShape& bone) {
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
        instance.color[static_cast<std::size_t>(row)] = bone.color[row];
    }
    return instance;
}

SolidInstance place_ball(const SphereShape& shape) {
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
MarkInstance place_segment(const SegmentShape& shape) {
    return {three(shape.start), three(shape.end), four(shape.color), shape.width};
}
MarkInstance place_point(const PointShape& shape) {
    return {three(shape.center), three(shape.center), four(shape.color), shape.radius};
}

template <class Instance, class Shape>
std::vector<Instance> place_all(const std::vector<Shape>& shapes, Instance (*place)(const Shape&)) {
    std::vector<Instance> instances;
    instances.reserve(shapes.size());
    for (const Shape& shape : shapes) instances.push_back(place(shape));
    return instances;
}

}  // namespace

void ShapePass::prepare() {
    if (bone_.layout) return;
    const auto make_solid = [](const std::vector<Corner>& corners) {
        Stamp stamp{make_vertex_array(), make_buffer(), make_buffer(), static_cast<GLsizei>(corners.size())};
        glBindVertexArray(stamp.layout.id());
        upload(GL_ARRAY_BUFFER, stamp.vertices, std::span<const Corner>(corners), GL_STATIC_DRAW);
        for (const GLuint place : {0U, 1U}) {
            glEnableVertexAttribArray(place);
            glVertexAttribPointer(place, 3, GL_FLOAT, GL_FALSE, sizeof(Corner),
                                  reinterpret_cast<const void*>(std::size_t{place} * sizeof(Vec3f)));
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
    ball_ = make_solid(ball());
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
    draw<SolidInstance>(bone_, GL_TRIANGLES, place_all(overlay.bones, &place_bone));
    programs.shape.set("rounded", 1);
    draw<SolidInstance>(ball_, GL_TRIANGLES, place_all(overlay.balls, &place_ball));
}

void ShapePass::draw_marks(const Programs& programs, const Overlay& overlay) {
    programs.segment.use();
    draw<MarkInstance>(segment_, GL_TRIANGLE_STRIP, place_all(overlay.segments, &place_segment));
    programs.point.use();
    draw<MarkInstance>(point_, GL_TRIANGLE_STRIP, place_all(overlay.points, &place_point));
}

}  // namespace sinew::render::gl
