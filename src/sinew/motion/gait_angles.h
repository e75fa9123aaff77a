#pragma once
/// \file
/// The nine joint angles of a gait report, both sides, with clinical signs.

#include <array>
#include <string_view>

#include "sinew/model/trial.h"
#include "sinew/gait/gait.h"

namespace sinew::motion {

enum class GaitAngle : std::uint8_t {
    pelvic_tilt,         ///< sagittal, + anterior
    pelvic_obliquity,    ///< coronal, + this side up
    pelvic_rotation,     ///< transverse, + internal: this side forward
    hip_flexion,         ///< + flexion
    hip_adduction,       ///< + adduction, - abduction
    hip_rotation,        ///< + internal
    knee_flexion,        ///< + flexion
    ankle_dorsiflexion,  ///< + dorsiflexion, - plantar flexion
    ankle_rotation,      ///< + internal
};
inline constexpr std::size_t angle_count = 9;

/// What a person reads: name, plane, what the signs mean, and the names that files have for it.
struct AngleInfo {
    std::string_view key;       ///< "hip_flexion"
    std::string_view title;     ///< "Hip flexion"
    std::string_view plane;     ///< "sagittal"
    std::string_view positive;  ///< "flexion"
    std::string_view negative;  ///< "extension"
    std::string_view output;    ///< model output of a trial without its side: "HipAngles"
    int component = 0;          ///< of the output
    std::string_view variable;  ///< of a GCD file: "HipFlexExt"
};
const AngleInfo& info(GaitAngle angle);
inline GaitAngle angle_at(std::size_t i) {
    return static_cast<GaitAngle>(i);
}

/// Degrees by frame; NaN where not measured, empty where there is no such angle.
struct GaitAngles {
    std::array<std::array<std::vector<double>, angle_count>, 2> curves;  ///< left and right, by angle
    std::string source;                                                  ///< "model outputs of the file", ...

    std::vector<double>& of(model::Side side, GaitAngle angle) {
        return curves[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(angle)];
    }
    const std::vector<double>& of(model::Side side, GaitAngle angle) const {
        return curves[side == model::Side::left ? 0 : 1][static_cast<std::size_t>(angle)];
    }
    bool empty() const;
};

/// Model outputs that a trial stores (LHipAngles, RKneeAnglesV, ...), which have these signs already.
GaitAngles angles_from_outputs(const model::Trial& trial);

/// Angles of a moving skeleton, by Cardan angles of a segment against the one above. In axes x forward, y
/// left, z up of each segment at rest,
///
///     R = R_y(a1) R_x(a2) R_z(a3)    pelvis against the way of progression, hip, knee
///     R = R_y(a1) R_z(a3) R_x(a2)    ankle
///
/// and angle = sign * a with the signs, left and right, of (flexion, adduction, rotation):
/// pelvis + + -, + - +; hip - - -, - + +; knee + - -, + + +; ankle - - -, - + +. Thigh and shank are upright
/// when they point up, whatever the rest pose; pelvis and foot are level at rest.
GaitAngles angles_from_clip(const model::Skeleton& skeleton, const model::Clip& clip,
                            const math::Vec3d& forward);

}  // namespace sinew::motion
