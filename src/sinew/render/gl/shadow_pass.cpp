// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/render/gl/passes.h"

namespace sinew::render::gl {
namespace {

using math::Mat4f;
using math::Vec3f;

/// Matrix from world to the unit cube along three axes: (p . axis - low) / size.
struct Slab {
    Vec3f axis;
    float low = 0;
    float size = 1;
};

Mat4f unit_cube(const Slab& x, const Slab& y, const Slab& z) {
    Mat4f matrix = Mat4f::Zero();
    int row = 0;
    for (const Slab* slab : {&x, &y, &z}) {
        matrix.block<1, 3>(row, 0) = slab->axis.transpose() / slab->size;
        matrix(row, 3) = -slab->low / slab->size;
        ++row;
    }
    matrix(3, 3) = 1;
    return matrix;
}

/// Matrix from the unit cube to OpenGL's clip cube.
Mat4f to_clip(const Mat4f& to_unit) {
    Mat4f stretch = Mat4f::Identity();
    stretch.diagonal().head<3>().setConstant(2);
    stretch.topRightCorner<3, 1>().setConstant(-1);
    return stretch * to_unit;
}

struct Range {
    float low = std::numeric_limits<float>::max();
    float high = std::numeric_limits<float>::lowest();
    float size() const { return high - low; }
    float middle() const { return (low + high) / 2; }
};

Range along(const geometry::Box& box, const Vec3f& axis) {
    const float middle = box.center().dot(axis);
    const float half = box.size().dot(axis.cwiseAbs()) / 2;
    return {middle - half, middle + half};
}

/// A square around two ranges. Side and centre are quantised, so that texels keep their positions while a
/// character moves.
struct Square {
    float side = 1;
    float low_x = 0;
    float low_y = 0;
};

Square square_around(const Range& x, const Range& y, float texels) {
    const float needed = 1.3f * std::max({x.size(), y.size(), 1e-6f});
    const float side = std::pow(1.1f, std::ceil(std::log(needed) / std::log(1.1f)));
    const float texel = side / texels;
    const auto snapped = [&](float low) { return std::floor(low / texel) * texel; };
    return {side, snapped(x.middle() - side / 2), snapped(y.middle() - side / 2)};
}

/// Extends the box by the points where light through the corners of the shadow map reaches the ground.
void include_shadow(math::Vec4f& box, const Mat4f& from_unit, const Vec3f& light, float ground) {
    for (const float u : {0.0f, 1.0f})
        for (const float v : {0.0f, 1.0f}) {
            const Vec3f start = (from_unit * math::Vec4f(u, v, 0, 1)).head<3>();
            const Vec3f hit = start - light * ((start.y() - ground) / light.y());
            box.head<2>() = box.head<2>().cwiseMin(math::Vec2f(hit.x(), hit.z()));
            box.tail<2>() = box.tail<2>().cwiseMax(math::Vec2f(hit.x(), hit.z()));
        }
}

}  // namespace

void ShadowPass::prepare() {
    if (nothing_) return;
    map_ = make_target(GL_DEPTH_COMPONENT24, map_side, map_side, false);
    ground_shadow_ = make_target(GL_RG16, ground_side, ground_side, true);
    heights_ = make_target(GL_DEPTH_COMPONENT24, contact_side, contact_side, false);
    contact_ = make_target(GL_R8, contact_side, contact_side, true);
    nothing_ = make_vertex_array();
}

void ShadowPass::fit(FrameBlock& frame, const geometry::Box& casters) {
    frame.shadow_matrix = frame.contact_matrix = Mat4f::Identity();
    frame.shadow = {1.0f / map_side, 0, 1, 0};
    if (casters.empty()) {
        frame.ground_parts.z() = 0;
        return;
    }
    const Vec3f light = frame.key_direction.head<3>();
    const Vec3f right = Vec3f::UnitY().cross(light).normalized();
    const Vec3f up = light.cross(right);
    const Square square = square_around(along(casters, right), along(casters, up), ground_side);
    const Range depth = along(casters, light);
    const float slack = 0.02f * std::max(depth.size(), square.side);
    const float range = depth.size() + 2 * slack;
    frame.shadow_matrix = unit_cube({right, square.low_x, square.side}, {up, square.low_y, square.side},
                                    {-light, -(depth.high + slack), range});
    frame.shadow = {1.0f / map_side, square.side / map_side, range, 1};
    frame.ground_center.w() = square.side;

    const Square below =
        square_around(along(casters, Vec3f::UnitX()), along(casters, Vec3f::UnitZ()), contact_side);
    const float height = 0.28f * std::max(casters.size().y(), 0.3f * casters.diagonal());
    frame.contact_matrix =
        unit_cube({Vec3f::UnitX(), below.low_x, below.side}, {Vec3f::UnitZ(), below.low_y, below.side},
                  {Vec3f::UnitY(), frame.ground.x(), height});
    frame.ground.w() = height;
    frame.dark_box = {below.low_x, below.low_y, below.low_x + below.side, below.low_y + below.side};
    include_shadow(frame.dark_box, frame.shadow_matrix.inverse(), light, frame.ground.x());
}

void ShadowPass::draw(const Programs& programs, const FrameBlock& frame,
                      const DrawCasters& draw_casters) const {
    const bool on_ground = frame.ground_parts.z() > 0.5f;
    const bool on_meshes = frame.shadow.w() > 0.5f;
    if (!on_ground && !on_meshes) return;
    glDisable(GL_BLEND);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);
    glDepthMask(GL_TRUE);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    map_.bind();
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_casters(to_clip(frame.shadow_matrix));
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (on_ground) {
        heights_.bind();
        glClear(GL_DEPTH_BUFFER_BIT);
        draw_casters(to_clip(frame.contact_matrix));
        glDisable(GL_DEPTH_TEST);
        const auto convert = [&](const Program& program, const Target& from, const Target& to) {
            to.bind();
            program.use();
            bind_texture(unit_base_color, GL_TEXTURE_2D, from.texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
            program.set("depth_map", unit_base_color);
            program.set("shadow_inverse", Mat4f(frame.shadow_matrix.inverse()));
            glBindVertexArray(nothing_.id());
            glDrawArrays(GL_TRIANGLES, 0, 3);
            bind_texture(unit_base_color, GL_TEXTURE_2D, to.texture);
            glGenerateMipmap(GL_TEXTURE_2D);
        };
        convert(programs.ground_shadow, map_, ground_shadow_);
        convert(programs.contact, heights_, contact_);
        glBindVertexArray(0);
    }
    glDisable(GL_DEPTH_CLAMP);
}

void ShadowPass::bind() const {
    bind_texture(unit_ground_shadow, GL_TEXTURE_2D, ground_shadow_.texture);
    bind_texture(unit_contact, GL_TEXTURE_2D, contact_.texture);
    bind_texture(unit_shadow, GL_TEXTURE_2D, map_.texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

}  // namespace sinew::render::gl
