// SPDX-License-Identifier: MIT
#pragma once
// A stroke of the brush over the skin of a character: dabs change weights immediately, the character when the
// stroke ends.

#include "state.h"

#include "sinew/geometry/surface_queries.h"
#include "sinew/rig/edit.h"

namespace sinew::studio {

/// The posed skin, for intersections with lines of sight.
struct SkinSurface {
    std::shared_ptr<const model::Character> character;
    std::shared_ptr<const std::vector<std::string>> mesh;  ///< of the document
    std::vector<Vec3f> positions;
    geometry::SurfaceQueries queries;
    SkinSurface(const Document& document, std::span<const Vec3f> seen);
};
/// Kept in the state as long as the skin does not change: a stroke then begins without a delay.
std::shared_ptr<const SkinSurface> skin_surface(State& state, std::span<const Vec3f> positions);

class Painter {
  public:
    Painter(std::shared_ptr<const model::Character> character, std::shared_ptr<const SkinSurface> surface);

    /// The intersection of a line of sight with the skin.
    struct Hit {
        Vec3f position = Vec3f::Zero();
        std::uint32_t vertex = 0;  ///< nearest corner
    };
    std::optional<Hit> hit(const render::Ray& ray) const;

    /// One dab for a joint of the skeleton.
    void dab(const Hit& hit, int joint, const WeightTool& tool, double radius);
    std::uint64_t dabs() const { return dabs_; }
    /// Present weight of a joint on every vertex.
    const std::vector<float>& heat(int joint);
    /// Weights of a vertex by joint.
    std::vector<std::pair<int, double>> weights_at(std::uint32_t vertex) const;
    /// The character with the present weights.
    model::Character finished() const;
    const std::shared_ptr<const model::Character>& character() const { return character_; }

  private:
    std::shared_ptr<const model::Character> character_;
    std::shared_ptr<const SkinSurface> surface_;
    rig::WeightSession session_;
    std::vector<float> heat_;
    int heat_joint_ = -1;
    std::uint64_t dabs_ = 0;
};

}  // namespace sinew::studio
