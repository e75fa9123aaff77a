// SPDX-License-Identifier: MIT
// The conventional gait model, as the Newington hospital and Vicon define it.

#include <array>
#include <cmath>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/gait/analysis/marker_paths.h"
#include "sinew/gait/gait.h"
#include "sinew/math/quaternion.h"

namespace sinew::gait {

using math::Mat3d;
using math::Vec3d;

namespace {

constexpr double millimetre = 0.001;

struct LegName {
    std::string_view name;
    std::optional<double> LegMeasures::* value;
    double unit;
};
constexpr std::array<LegName, 8> leg_names = {{
    {"LegLength", &LegMeasures::leg_length, millimetre},
    {"KneeWidth", &LegMeasures::knee_width, millimetre},
    {"AnkleWidth", &LegMeasures::ankle_width, millimetre},
    {"ThighRotation", &LegMeasures::thigh_rotation, 1},
    {"ShankRotation", &LegMeasures::shank_rotation, 1},
    {"TibialTorsion", &LegMeasures::tibial_torsion, 1},
    {"StaticPlantFlex", &LegMeasures::plantar_flexion, 1},
    {"StaticRotOff", &LegMeasures::foot_rotation, 1},
}};

struct BodyName {
    std::string_view name;
    std::optional<double> BodyMeasures::* value;
    double unit;
};
constexpr std::array<BodyName, 4> body_names = {{
    {"Bodymass", &BodyMeasures::mass, 1},
    {"Height", &BodyMeasures::height, millimetre},
    {"Age", &BodyMeasures::age, 1},
    {"InterAsisDistance", &BodyMeasures::asis_width, millimetre},
}};

/// False when there is no such measure. Lengths and masses of 0 say that nobody measured.
bool assign(BodyMeasures& measures, std::string_view name, double value) {
    for (const BodyName& each : body_names) {
        if (!equal_ignoring_case(each.name, name)) continue;
        if (value > 0) measures.*each.value = value * each.unit;
        return true;
    }
    for (const LegName& each : leg_names) {
        const bool both = equal_ignoring_case(each.name, name);
        const bool left = equal_ignoring_case("L" + std::string(each.name), name),
                   right = equal_ignoring_case("R" + std::string(each.name), name);
        if (!both && !left && !right) continue;
        if (each.unit == 1 || value > 0) {
            if (both || left) measures.legs[0].*each.value = value * each.unit;
            if (both || right) measures.legs[1].*each.value = value * each.unit;
        }
        return true;
    }
    return false;
}

/// Columns forward, left, up: up kept, left in the plane of the given.
Mat3d segment_axes(const Vec3d& up, const Vec3d& left) {
    Mat3d axes;
    axes.col(2) = up.normalized();
    axes.col(0) = left.cross(axes.col(2)).normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return axes;
}

/// The centre of a joint (chord function): `offset` from the marker of the joint, at a right angle to the
/// line to the proximal joint, in the plane of proximal joint, marker and wand turned by `rotation` about
/// the line from the marker to the proximal joint.
Vec3d chord(const Vec3d& proximal, const Vec3d& marker, const Vec3d& wand, double offset, double rotation) {
    const Vec3d up = (proximal - marker).normalized();
    const double length = (proximal - marker).norm();
    const Vec3d outward = (wand - marker) - (wand - marker).dot(up) * up;
    const Vec3d inward = math::axis_angle<double>(up, rotation) * Vec3d(-outward.normalized());
    return marker + offset * offset / length * up +
           offset * std::sqrt(std::max(0.0, 1 - offset * offset / (length * length))) * inward;
}

/// Markers of the model in every frame.
struct Markers {
    Path left_asis, right_asis, sacrum, c7, t10, clavicle, sternum;
    struct Leg {
        Path thigh, knee, tibia, ankle, heel, toe;
    };
    std::array<Leg, 2> legs;
    std::string missing;

    explicit Markers(const model::Trial& trial) {
        const MarkerPaths paths(trial);
        const auto need = [&](const std::string& name) {
            Path path = paths.find(name);
            if (path.empty()) missing += (missing.empty() ? "" : ", ") + name;
            return path;
        };
        left_asis = need("LASI"), right_asis = need("RASI");
        sacrum = paths.mean("LPSI", "RPSI");
        if (sacrum.empty()) sacrum = paths.find("SACR");
        if (sacrum.empty()) missing += (missing.empty() ? "" : ", ") + std::string("LPSI and RPSI, or SACR");
        for (const std::size_t s : {0u, 1u}) {
            const std::string side = s == 0 ? "L" : "R";
            legs[s] = {need(side + "THI"), need(side + "KNE"),       need(side + "TIB"),
                       need(side + "ANK"), paths.find(side + "HEE"), need(side + "TOE")};
        }
        c7 = paths.find("C7"), t10 = paths.find("T10");
        clavicle = paths.find("CLAV"), sternum = paths.find("STRN");
    }
};

class Model {
  public:
    Model(const model::Trial& trial, const BodyMeasures& measures) : markers_(trial), measures_(measures) {
        std::string missing;
        for (const std::size_t s : {0u, 1u})
            for (std::size_t i = 0; i < 3; ++i)
                if (!(measures.legs[s].*leg_names[i].value))
                    missing += fmt::format("{}{}{}", missing.empty() ? "" : ", ", s == 0 ? "L" : "R",
                                           leg_names[i].name);
        if (!markers_.missing.empty())
            fail(trial.name, "the conventional gait model needs markers that are not there: {}",
                 markers_.missing);
        if (!missing.empty())
            fail(trial.name, "the conventional gait model needs measures that the file does not have: {}",
                 missing);
        // The width of the pelvis is one of the body, not of a frame.
        if (!measures_.asis_width) {
            double sum = 0, count = 0;
            for (std::size_t f = 0; f < trial.frames; ++f) {
                const double width = (markers_.left_asis[f] - markers_.right_asis[f]).norm();
                if (std::isfinite(width)) sum += width, ++count;
            }
            if (count > 0) measures_.asis_width = sum / count;
        }
    }

    const BodyMeasures& measures() const { return measures_; }
    BodyMeasures& measures() { return measures_; }

    /// The foot as in Plug-in Gait: from the toe to the ankle, turned by the offsets of the static trial.
    Mat3d foot_axes(const LegFrame& leg, std::size_t s) const {
        const LegMeasures& m = measures_.legs[s];
        if (!m.plantar_flexion || !m.foot_rotation) return Mat3d::Constant(math::nan);
        Mat3d foot = uncorrected_foot(leg);
        foot = turned(foot, 1, -*m.plantar_flexion);
        foot = turned(foot, 0, -(s == 0 ? 1 : -1) * *m.foot_rotation);
        Mat3d axes;  // up, left, back become forward, left, up
        axes << -foot.col(2), foot.col(1), foot.col(0);
        return axes;
    }

    BodyFrame frame(std::size_t f) const {
        BodyFrame body;
        const Vec3d &la = markers_.left_asis[f], &ra = markers_.right_asis[f], middle = (la + ra) / 2;
        const Vec3d left = (la - ra).normalized(), forward = middle - markers_.sacrum[f];
        body.pelvis.col(1) = left;
        body.pelvis.col(0) = (forward - forward.dot(left) * left).normalized();
        body.pelvis.col(2) = body.pelvis.col(0).cross(left);
        if (!markers_.c7.empty() && !markers_.t10.empty() && !markers_.clavicle.empty() &&
            !markers_.sternum.empty()) {
            const Vec3d &c7 = markers_.c7[f], &t10 = markers_.t10[f], &clavicle = markers_.clavicle[f],
                        &sternum = markers_.sternum[f];
            const Vec3d up = (c7 + clavicle - t10 - sternum) / 2, ahead = (clavicle + sternum - c7 - t10) / 2;
            body.trunk = segment_axes(up, up.cross(ahead));
        }
        const double legs = (*measures_.legs[0].leg_length + *measures_.legs[1].leg_length) / 2;
        for (const std::size_t s : {0u, 1u}) find_leg(f, s, middle, legs, body);
        return body;
    }

    /// The offsets of the foot that stands: heel to toe against ankle to toe. The mean over the frames.
    void find_offsets(std::size_t frames) {
        for (const std::size_t s : {0u, 1u}) {
            if (markers_.legs[s].heel.empty()) continue;
            double flexion = 0, rotation = 0, count = 0;
            for (std::size_t f = 0; f < frames; ++f) {
                const LegFrame leg = frame(f).legs[s];
                const Vec3d back = uncorrected_foot(leg).transpose() *
                                   (markers_.legs[s].heel[f] - markers_.legs[s].toe[f]).normalized();
                if (!back.allFinite()) continue;
                flexion -= std::atan2(back.x(), back.z());
                rotation += (s == 0 ? 1 : -1) * std::asin(std::clamp(back.y(), -1.0, 1.0));
                ++count;
            }
            if (count == 0) continue;
            measures_.legs[s].plantar_flexion = flexion / count;
            measures_.legs[s].foot_rotation = rotation / count;
        }
    }

  private:
    static Mat3d turned(const Mat3d& axes, int about, double angle) {
        return math::axis_angle<double>(axes.col(about), angle).toRotationMatrix() * axes;
    }

    /// Columns up, left, back.
    static Mat3d uncorrected_foot(const LegFrame& leg) {
        Mat3d foot;
        foot.col(2) = (leg.ankle - leg.toe).normalized();
        foot.col(0) = Vec3d(leg.ankle_axes.col(1)).cross(foot.col(2)).normalized();
        foot.col(1) = foot.col(2).cross(foot.col(0));
        return foot;
    }

    /// Hip centres by Davis 1991, in metres.
    Vec3d hip(std::size_t s, double mean_leg) const {
        constexpr double theta = 0.5, beta = 0.314;
        const double c = 0.115 * mean_leg - 0.0153;
        const double depth = 0.1288 * *measures_.legs[s].leg_length - 0.04856 + measures_.marker_radius;
        const double aside = *measures_.asis_width / 2 - c * std::sin(theta);
        return {c * std::cos(theta) * std::sin(beta) - depth * std::cos(beta), s == 0 ? aside : -aside,
                -c * std::cos(theta) * std::cos(beta) - depth * std::sin(beta)};
    }

    void find_leg(std::size_t f, std::size_t s, const Vec3d& middle, double mean_leg, BodyFrame& body) const {
        const Markers::Leg& m = markers_.legs[s];
        const LegMeasures& own = measures_.legs[s];
        LegFrame& leg = body.legs[s];
        const double side = s == 0 ? 1 : -1, radius = measures_.marker_radius;
        leg.hip = middle + body.pelvis * hip(s, mean_leg);
        leg.knee = chord(leg.hip, m.knee[f], m.thigh[f], *own.knee_width / 2 + radius,
                         side * own.thigh_rotation.value_or(0));
        leg.ankle = chord(leg.knee, m.ankle[f], m.tibia[f], *own.ankle_width / 2 + radius,
                          side * own.shank_rotation.value_or(0));
        leg.toe = m.toe[f];
        leg.thigh = segment_axes(leg.hip - leg.knee, side * (m.knee[f] - leg.knee));
        leg.shank = segment_axes(leg.knee - leg.ankle, side * (m.ankle[f] - leg.ankle));
        leg.ankle_axes = turned(leg.shank, 2, -side * own.tibial_torsion.value_or(0));
        leg.foot = foot_axes(leg, s);
    }

    Markers markers_;
    BodyMeasures measures_;
};

}  // namespace

std::optional<double> BodyMeasures::leg_length() const {
    const auto &l = legs[0].leg_length, &r = legs[1].leg_length;
    return l && r ? std::optional((*l + *r) / 2) : l ? l : r;
}

BodyMeasures measures_of(const model::Trial& trial) {
    BodyMeasures measures;
    for (const model::ParameterGroup& group : trial.parameters.groups) {
        if (!equal_ignoring_case(group.name, "PROCESSING") && !equal_ignoring_case(group.name, "SUBJECT") &&
            !equal_ignoring_case(group.name, "SUBJECTS"))
            continue;
        for (const model::Parameter& parameter : group.parameters)
            if (!parameter.is_text() && parameter.size() == 1)
                assign(measures, parameter.name, parameter.number(0));
    }
    return measures;
}

void set_measure(BodyMeasures& measures, std::string_view text) {
    const std::size_t mark = text.find('=');
    double value = 0;
    const std::string_view name = trim(text.substr(0, mark));
    if (mark != std::string_view::npos && parse_exact(trim(text.substr(mark + 1)), value) &&
        std::isfinite(value) && assign(measures, name, value))
        return;
    std::string names;
    for (const BodyName& each : body_names) names += fmt::format("{}, ", each.name);
    for (const LegName& each : leg_names) names += fmt::format("{}, ", each.name);
    fail("",
         "\"{}\" is no measure: write NAME=NUMBER such as KneeWidth=102 (mm, kg, years, radians), for one "
         "leg LKneeWidth=102; names are {}",
         text, names.substr(0, names.size() - 2));
}

ConventionalModel conventional_model(const model::Trial& trial, const BodyMeasures& measures,
                                     const model::Trial* static_trial) {
    ConventionalModel result;
    Model model(trial, measures);
    if (static_trial != nullptr) {
        Model standing(*static_trial, measures);
        standing.find_offsets(static_trial->frames);
        for (const std::size_t s : {0u, 1u}) {
            model.measures().legs[s].plantar_flexion = standing.measures().legs[s].plantar_flexion;
            model.measures().legs[s].foot_rotation = standing.measures().legs[s].foot_rotation;
        }
        model.measures().asis_width = standing.measures().asis_width;
    }
    for (std::size_t f = 0; f < trial.frames; ++f) result.frames.push_back(model.frame(f));
    result.measures = model.measures();
    for (const std::size_t s : {0u, 1u})
        if (!result.measures.legs[s].plantar_flexion)
            result.notes.push_back(
                fmt::format("no angles of the {} foot: they need a static trial", s == 0 ? "left" : "right"));
    return result;
}

}  // namespace sinew::gait
