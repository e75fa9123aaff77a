#pragma once
/// \file
/// Force platforms of a trial and what they feel.

#include "sinew/model/trial.h"
#include "sinew/render/scene.h"

namespace sinew::render {

struct ForceStyle {
    double metres_per_newton = 0.001;  ///< a person of 70 kg stands under an arrow of 0.69 m
    Vec4f plate_color = Vec4f(0.10f, 0.22f, 0.42f, 1);
    Vec4f arrow_color = Vec4f(0.80f, 0.05f, 0.08f, 1);
};

/// Plates as outlines on the floor, the force of each on the foot as an arrow from its centre of pressure.
class ForceOverlay {
  public:
    ForceOverlay() = default;
    /// Warns `platform-unused` about a platform whose channels make no forces; its outline is drawn.
    explicit ForceOverlay(const model::Trial& trial, const ForceStyle& style = {},
                          Monitor& monitor = silent());

    bool empty() const { return plates_.empty(); }
    /// Seconds from the first frame.
    Overlay at(double time) const;

  private:
    struct Arrow {
        Vec3f from, to;  ///< in the world; NaN without load
    };
    struct Plate {
        std::array<Vec3f, 4> corners;
        std::vector<Arrow> arrows;  ///< of each analog sample
    };

    ForceStyle style_;
    double samples_per_second_ = 0;
    std::vector<Plate> plates_;
};

}  // namespace sinew::render
