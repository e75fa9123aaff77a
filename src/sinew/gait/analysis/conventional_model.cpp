// SPDX-License-Identifier: MIT
// The conventional gait model, as the Newington hospital and Vicon define it.

#include <array>
#include <cmath>
#include <limits>

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
constexpr std::array<LegName, 9> leg_names = {{
    {"LegLength", &LegMeasures::leg_length, millimetre},
    {"KneeWidth", &LegMeasures::knee_width, millimetre},
    {"AnkleWidth", &LegMeasures::ankle_width, millimetre},
    {"AsisTrocanterDistance", &LegMeasures::asis_trochanter, millimetre},
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
constexpr std::array<BodyName, 5> body_names = {{
    {"Bodymass", &BodyMeasures::mass, 1},
    {"Weight", &BodyMeasures::mass, 1},
    {"Height", &BodyMeasures::height, millimetre},
    {"Age", &BodyMeasures::age, 1},
    {"InterAsisDistance", &BodyMeasures::asis_width, millimetre},
}};

/// Files give the height of a person in mm, cm or m, sometimes with the wrong unit; only one interpretation
/// is plausible for a person.
std::optional<double> body_height(double value) {
    for (const double unit : {millimetre, 0.01, 1.0})
        if (value * unit > 0.4 && value * unit < 2.6) return value * unit;
    return std::nullopt;
}

/// False when the parameter does not exist. Lengths and masses of 0 mean "not measured".
bool assign(BodyMeasures& measures, std::string_view name, double value) {
    for (const BodyName& each : body_names) {
        if (!equal_ignoring_case(each.name, name)) continue;
        if (each.value == &BodyMeasures::height)
            measures.height = body_height(value);
        else if (value > 0)
            measures.*each.value = value * each.unit;
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

/// Columns forward, left, up: `up` is kept, and left lies in the plane of `up` and the given direction.
Mat3d segment_axes(const Vec3d& up, const Vec3d& left) {
    Mat3d axes;
    axes.col(2) = up.normalized();
    axes.col(0) = left.cross(axes.col(2)).normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return axes;
}

/// Angles of Davis 1991, in radians.
constexpr double hip_theta = 0.5, hip_beta = 0.314;

/// The component of a vector perpendicular to a unit vector.
Vec3d across(const Vec3d& vector, const Vec3d& direction) {
    return vector - vector.dot(direction) * direction;
}

/// Angle from one vector to another about a unit vector.
double angle_about(const Vec3d& axis, const Vec3d& from, const Vec3d& to) {
    const Vec3d a = across(from, axis), b = across(to, axis);
    return std::atan2(a.cross(b).dot(axis), a.dot(b));
}

/// The centre of a joint (chord function): `offset` from the marker of the joint, perpendicular to the line
/// to the proximal joint, in the plane of proximal joint, marker and wand, rotated by `rotation` about the
/// line from the marker to the proximal joint.
Vec3d chord(const Vec3d& proximal, const Vec3d& marker, const Vec3d& wand, double offset, double rotation) {
    const Vec3d up = (proximal - marker).normalized();
    const double length = (proximal - marker).norm();
    const Vec3d outward = across(wand - marker, up);
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

    /// Midpoint of the front spines.
    Vec3d front(std::size_t f) const { return (left_asis[f] + right_asis[f]) / 2; }
    Mat3d pelvis(std::size_t f) const {
        Mat3d axes;
        axes.col(1) = (left_asis[f] - right_asis[f]).normalized();
        axes.col(0) = across(front(f) - sacrum[f], axes.col(1)).normalized();
        axes.col(2) = axes.col(0).cross(axes.col(1));
        return axes;
    }
};

Mat3d turned(const Mat3d& axes, int about, double angle) {
    return math::axis_angle<double>(axes.col(about), angle).toRotationMatrix() * axes;
}

/// The foot without offsets: columns up, left, back.
Mat3d uncorrected_foot(const Vec3d& ankle, const Vec3d& toe, const Vec3d& ankle_axis) {
    Mat3d foot;
    foot.col(2) = (ankle - toe).normalized();
    foot.col(0) = ankle_axis.cross(foot.col(2)).normalized();
    foot.col(1) = foot.col(2).cross(foot.col(0));
    return foot;
}

/// Offsets of a foot whose sole points away from `back`: flexion and rotation.
std::pair<double, double> foot_offsets(const Mat3d& uncorrected, const Vec3d& back, double side) {
    const Vec3d local = uncorrected.transpose() * back.normalized();
    return {-std::atan2(local.x(), local.z()), side * std::asin(std::clamp(local.y(), -1.0, 1.0))};
}

/// Measures with which the segments of a file were computed. Points of a rigid body keep their distances, so
/// values that vary between frames are not used.
class StoredSegments {
  public:
    StoredSegments(const model::Trial& trial, const BodyMeasures& known)
        : trial_(trial), paths_(trial), markers_(trial), radius_(known.marker_radius) {}

    void complete(BodyMeasures& measures) const {
        if (!markers_.missing.empty()) return;
        std::array<LegMeasures, 2> found;
        std::array<std::optional<double>, 2> asis;
        for (const std::size_t s : {0u, 1u}) {
            find_leg(s, found[s], asis[s]);
            if (!found[s].leg_length || !found[s].knee_width || !found[s].ankle_width) return;
        }
        if (!measures.asis_width) measures.asis_width = (*asis[0] + *asis[1]) / 2;
        for (const std::size_t s : {0u, 1u})
            for (const LegName& name : leg_names)
                if (!(measures.legs[s].*name.value)) measures.legs[s].*name.value = found[s].*name.value;
        measures.recovered = true;
    }

  private:
    Path point(std::size_t s, std::string_view name) const {
        const int marker = trial_.markers.find((s == 0 ? "L" : "R") + std::string(name));
        return marker < 0 ? Path(trial_.frames, Vec3d::Constant(math::nan)) : paths_.of(at(marker));
    }

    /// The median over frames; empty when there are few values, or when half of them differ by more than
    /// `spread`.
    std::optional<double> steady(double spread, const auto& value) const {
        std::vector<double> all, off;
        for (std::size_t f = 0; f < trial_.frames; ++f)
            if (const double each = value(f); std::isfinite(each)) all.push_back(each);
        if (all.size() < 10) return std::nullopt;
        const double middle = median(all);
        for (const double each : all) off.push_back(std::abs(each - middle));
        return median(off) < spread ? std::optional(middle) : std::nullopt;
    }

    void find_leg(std::size_t s, LegMeasures& leg, std::optional<double>& asis) const {
        constexpr double length = 0.001, angle = 0.01;
        const Markers::Leg& m = markers_.legs[s];
        const double side = s == 0 ? 1 : -1;
        const Path hip = point(s, "FEP"), knee = point(s, "FEO"), ankle = point(s, "TIO"),
                   shank_left = point(s, "TIL"), toe = point(s, "TOO"), toe_root = point(s, "TOP");
        if (hip.empty() || knee.empty() || ankle.empty() || shank_left.empty() || toe.empty() ||
            toe_root.empty())
            return;
        std::array<std::optional<double>, 3> centre;
        for (int axis = 0; axis < 3; ++axis)
            centre[at(axis)] = steady(length, [&](std::size_t f) {
                return markers_.pelvis(f).col(axis).dot(hip[f] - markers_.front(f));
            });
        const auto knee_half = steady(length, [&](std::size_t f) { return (knee[f] - m.knee[f]).norm(); }),
                   ankle_half = steady(length, [&](std::size_t f) { return (ankle[f] - m.ankle[f]).norm(); });
        if (!centre[0] || !centre[1] || !centre[2] || !knee_half || !ankle_half) return;
        // The equations of Davis 1991, solved for the measures.
        const double c =
            (*centre[0] * std::sin(hip_beta) - *centre[2] * std::cos(hip_beta)) / std::cos(hip_theta);
        leg.leg_length = (c + 0.0153) / 0.115;
        leg.asis_trochanter = -*centre[0] * std::cos(hip_beta) - *centre[2] * std::sin(hip_beta) - radius_;
        asis = 2 * (side * *centre[1] + c * std::sin(hip_theta));
        leg.knee_width = 2 * (*knee_half - radius_);
        leg.ankle_width = 2 * (*ankle_half - radius_);
        const auto wand = [&](const Path& above, const Path& marker, const Path& tip, const Path& joint) {
            return steady(angle, [&](std::size_t f) {
                return side * angle_about((above[f] - marker[f]).normalized(), marker[f] - tip[f],
                                          joint[f] - marker[f]);
            });
        };
        leg.thigh_rotation = wand(hip, m.knee, m.thigh, knee);
        leg.shank_rotation = wand(knee, m.ankle, m.tibia, ankle);
        leg.tibial_torsion = steady(angle, [&](std::size_t f) {
            return side * angle_about((knee[f] - ankle[f]).normalized(), side * (m.ankle[f] - ankle[f]),
                                      shank_left[f] - ankle[f]);
        });
        if (!leg.thigh_rotation || !leg.shank_rotation || !leg.tibial_torsion) leg = {};
        const auto offset = [&](std::size_t f) {
            const Mat3d axes = segment_axes(knee[f] - ankle[f], side * (m.ankle[f] - ankle[f]));
            return foot_offsets(uncorrected_foot(ankle[f], m.toe[f], axes.col(1)), toe_root[f] - toe[f],
                                side);
        };
        leg.plantar_flexion = steady(5 * angle, [&](std::size_t f) { return offset(f).first; });
        leg.foot_rotation = steady(5 * angle, [&](std::size_t f) { return offset(f).second; });
    }

    const model::Trial& trial_;
    MarkerPaths paths_;
    Markers markers_;
    double radius_;
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
        check_pelvis(trial);
        // The width of the pelvis is constant: the mean over all frames.
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

    /// The foot as in Plug-in Gait: from the toe to the ankle, rotated by the offsets of the static trial.
    Mat3d foot_axes(const LegFrame& leg, std::size_t s) const {
        const LegMeasures& m = measures_.legs[s];
        if (!m.plantar_flexion || !m.foot_rotation) return Mat3d::Constant(math::nan);
        Mat3d foot = uncorrected_foot(leg.ankle, leg.toe, leg.ankle_axes.col(1));
        foot = turned(foot, 1, -*m.plantar_flexion);
        foot = turned(foot, 0, -(s == 0 ? 1 : -1) * *m.foot_rotation);
        Mat3d axes;  // up, left, back become forward, left, up
        axes << -foot.col(2), foot.col(1), foot.col(0);
        return axes;
    }

    BodyFrame frame(std::size_t f) const {
        BodyFrame body;
        const Vec3d middle = markers_.front(f);
        body.pelvis = markers_.pelvis(f);
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

    /// Largest extent of the pelvis's path, in metres.
    double travel() const {
        Vec3d low = Vec3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
        for (std::size_t f = 0; f < markers_.left_asis.size(); ++f) {
            const Vec3d middle = markers_.front(f);
            if (middle.allFinite()) low = low.cwiseMin(middle), high = high.cwiseMax(middle);
        }
        return (high - low).maxCoeff();
    }

    /// The offsets of the standing foot: heel to toe compared with ankle to toe. The mean over the frames.
    void find_offsets(std::size_t frames) {
        for (const std::size_t s : {0u, 1u}) {
            if (markers_.legs[s].heel.empty()) continue;
            double flexion = 0, rotation = 0, count = 0;
            for (std::size_t f = 0; f < frames; ++f) {
                const LegFrame leg = frame(f).legs[s];
                const auto [flexed, turned] =
                    foot_offsets(uncorrected_foot(leg.ankle, leg.toe, leg.ankle_axes.col(1)),
                                 markers_.legs[s].heel[f] - markers_.legs[s].toe[f], s == 0 ? 1 : -1);
                if (!std::isfinite(flexed + turned)) continue;
                flexion += flexed, rotation += turned;
                ++count;
            }
            if (count == 0) continue;
            measures_.legs[s].plantar_flexion = flexion / count;
            measures_.legs[s].foot_rotation = rotation / count;
        }
    }

  private:
    /// \throws Error when the size of the pelvis is not human: the angles would look plausible but be wrong.
    void check_pelvis(const model::Trial& trial) const {
        std::vector<double> widths, heights;
        for (std::size_t f = 0; f < trial.frames; ++f) {
            const double up = markers_.pelvis(f).col(2).y();
            if (!std::isfinite(up)) continue;
            heights.push_back(up);
            widths.push_back((markers_.left_asis[f] - markers_.right_asis[f]).norm());
        }
        if (widths.empty())
            fail(trial.name, "the conventional gait model needs all markers of the pelvis in one frame");
        if (const double width = median(widths); width < 0.1 || width > 0.6)
            fail(trial.name, "the front spines of the pelvis are {:.3g} m apart: labels or units are wrong",
                 width);
        if (median(heights) < 0)
            fail(trial.name,
                 "the pelvis is upside down: left and right, or front and back of its markers are likely "
                 "swapped, or the up axis is wrong");
    }

    /// Hip centres by Davis 1991, in metres.
    Vec3d hip(std::size_t s, double mean_leg) const {
        const LegMeasures& leg = measures_.legs[s];
        const double c = 0.115 * mean_leg - 0.0153, level = c * std::cos(hip_theta);
        const double depth =
            leg.asis_trochanter.value_or(0.1288 * *leg.leg_length - 0.04856) + measures_.marker_radius;
        const double aside = *measures_.asis_width / 2 - c * std::sin(hip_theta);
        return {level * std::sin(hip_beta) - depth * std::cos(hip_beta), s == 0 ? aside : -aside,
                -level * std::cos(hip_beta) - depth * std::sin(hip_beta)};
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
        leg.ankle_axes = segment_axes(leg.knee - leg.ankle, side * (m.ankle[f] - leg.ankle));
        leg.shank = turned(leg.ankle_axes, 2, side * own.tibial_torsion.value_or(0));
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

namespace {

/// "F", "female", "M", "male"; empty for other words.
std::optional<Sex> sex_of(std::string_view word) {
    word = trim(word);
    if (equal_ignoring_case(word, "f") || equal_ignoring_case(word, "female")) return Sex::female;
    if (equal_ignoring_case(word, "m") || equal_ignoring_case(word, "male")) return Sex::male;
    return std::nullopt;
}

}  // namespace

BodyMeasures measures_of(const model::Trial& trial) {
    BodyMeasures measures;
    for (const model::ParameterGroup& group : trial.parameters.groups) {
        if (!equal_ignoring_case(group.name, "PROCESSING") && !equal_ignoring_case(group.name, "SUBJECT") &&
            !equal_ignoring_case(group.name, "SUBJECTS"))
            continue;
        for (const model::Parameter& parameter : group.parameters) {
            if (!parameter.is_text() && parameter.size() == 1)
                assign(measures, parameter.name, parameter.number(0));
            if (parameter.is_text() && parameter.size() == 1 &&
                (equal_ignoring_case(parameter.name, "SEX") || equal_ignoring_case(parameter.name, "GENDER")))
                measures.sex = sex_of(std::get<std::vector<std::string>>(parameter.values).front());
        }
    }
    const auto complete = [](const LegMeasures& leg) {
        return leg.leg_length && leg.knee_width && leg.ankle_width;
    };
    if (!complete(measures.legs[0]) || !complete(measures.legs[1]))
        StoredSegments(trial, measures).complete(measures);
    return measures;
}

void set_measure(BodyMeasures& measures, std::string_view text) {
    const std::size_t mark = text.find('=');
    double value = 0;
    const std::string_view name = trim(text.substr(0, mark));
    if (mark != std::string_view::npos && equal_ignoring_case(name, "Sex")) {
        measures.sex = sex_of(text.substr(mark + 1));
        if (!measures.sex) fail("", "\"{}\": write Sex=female or Sex=male", text);
        return;
    }
    if (mark != std::string_view::npos && parse_exact(trim(text.substr(mark + 1)), value) &&
        std::isfinite(value) && assign(measures, name, value))
        return;
    std::string names = "Sex, ";
    for (const BodyName& each : body_names) names += fmt::format("{}, ", each.name);
    for (const LegName& each : leg_names) names += fmt::format("{}, ", each.name);
    fail("",
         "\"{}\" is not a measure: write NAME=NUMBER such as KneeWidth=102 (mm, kg, years, radians), for one "
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
        if (const double travel = standing.travel(); travel > 0.2)
            result.notes.push_back(
                fmt::format("the pelvis of the static trial moves by {:.1f} m: nobody stands there, and the "
                            "angles of the "
                            "feet begin at a wrong zero",
                            travel));
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
