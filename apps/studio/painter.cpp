// SPDX-License-Identifier: MIT
#include "painter.h"

#include <algorithm>

#include "rig_edit.h"

namespace sinew::studio {

SkinSurface::SkinSurface(const Document& document, std::span<const Vec3f> seen)
    : character(document.character),
      mesh(document.surface),
      positions(seen.begin(), seen.end()),
      queries(positions, character->mesh.triangles) {}

std::shared_ptr<const SkinSurface> skin_surface(State& state, std::span<const Vec3f> positions) {
    const auto& known = state.skin_surface;
    if (!known || known->mesh != state.document.surface || !std::ranges::equal(known->positions, positions))
        state.skin_surface = std::make_shared<const SkinSurface>(state.document, positions);
    return state.skin_surface;
}

Painter::Painter(std::shared_ptr<const model::Character> character,
                 std::shared_ptr<const SkinSurface> surface)
    : character_(std::move(character)),
      surface_(std::move(surface)),
      session_(*character_, surface_->positions) {}

std::optional<Painter::Hit> Painter::hit(const render::Ray& ray) const {
    const auto found = surface_->queries.first_hit(ray.origin, ray.direction);
    if (!found) return std::nullopt;
    Hit hit{ray.origin + found->distance * ray.direction, 0};
    float nearest = std::numeric_limits<float>::infinity();
    for (const std::uint32_t v : character_->mesh.triangles[found->triangle])
        if (const float distance = (surface_->positions[v] - hit.position).norm(); distance < nearest) {
            nearest = distance;
            hit.vertex = v;
        }
    return hit;
}

void Painter::dab(const Hit& hit, int joint, const WeightTool& tool, double radius) {
    using rig::BrushMode;
    rig::Brush brush;
    brush.center = hit.position.cast<double>();
    brush.radius = radius;
    brush.strength = tool.strength;
    brush.value = tool.value;
    const rig::JointLocks locks = locks_of(character_->skeleton, tool.locked);
    std::vector<std::uint32_t> changed;
    switch (tool.action) {
        case BrushAction::add:
            brush.mode = BrushMode::add;
            break;
        case BrushAction::erase:
            brush.mode = BrushMode::scale;
            brush.value = 0;
            break;
        case BrushAction::replace:
            brush.mode = BrushMode::replace;
            break;
        case BrushAction::smooth:
            brush.mode = BrushMode::smooth;
            break;
        case BrushAction::paste:
            break;
    }
    if (tool.action == BrushAction::paste)
        changed = session_.paste(tool.copied, brush, locks);
    else
        changed = session_.dab(joint, brush, locks);
    ++dabs_;
    if (heat_joint_ >= 0)
        for (const std::uint32_t v : changed) heat_[v] = static_cast<float>(session_.weight(v, heat_joint_));
}

const std::vector<float>& Painter::heat(int joint) {
    if (joint != heat_joint_) {
        heat_joint_ = joint;
        heat_.resize(surface_->positions.size());
        for (std::uint32_t v = 0; v < heat_.size(); ++v)
            heat_[v] = static_cast<float>(session_.weight(v, joint));
    }
    return heat_;
}

std::vector<std::pair<int, double>> Painter::weights_at(std::uint32_t vertex) const {
    return session_.weights(vertex);
}

model::Character Painter::finished() const {
    return session_.finished();
}

}  // namespace sinew::studio
