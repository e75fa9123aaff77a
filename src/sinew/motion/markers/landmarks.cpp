// SPDX-License-Identifier: MIT
#include "sinew/motion/markers/landmarks.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/array.h"
#include "sinew/math/quaternion.h"

namespace sinew::motion {

using math::Vec3d;
using model::Role;
using model::Side;

namespace {

/// Hip centre in the pelvis from mid-ASIS (Harrington 2007): forward, up, left.
Vec3d harrington(const PelvisFrame& pelvis, double sign) {
    return {sign * (0.33 * pelvis.width + 0.0073), -0.30 * pelvis.width - 0.0109,
            -0.24 * pelvis.depth - 0.0099};
}

/// The same by Davis 1991, as Plug-in Gait uses it; lengths in metres.
Vec3d davis(const PelvisFrame& pelvis, double sign, double leg, double radius) {
    constexpr double theta = 0.5, beta = 0.314;
    const double c = 0.115 * leg - 0.0153, depth = 0.1288 * leg - 0.04856 + radius;
    return {sign * (pelvis.width / 2 - c * std::sin(theta)),
            -c * std::cos(theta) * std::cos(beta) - depth * std::sin(beta),
            c * std::cos(theta) * std::sin(beta) - depth * std::cos(beta)};
}

/// The point at `distance` from the outer marker where the directions to `above` and to the marker are
/// perpendicular, in the plane of a third marker, on the inner side given by `medial`.
Vec3d chord(const Vec3d& above, const Vec3d& marker, const Vec3d& plane, const Vec3d& medial,
            double distance) {
    const double length = (above - marker).norm();
    if (!(length > distance)) return Vec3d::Constant(unknown);
    const Vec3d u = (above - marker) / length;
    const auto across = [&](const Vec3d& v) -> Vec3d { return v - v.dot(u) * u; };
    Vec3d v = plane.allFinite() ? across(marker - plane) : across(medial);
    // A third marker near the line does not define a plane.
    if (v.norm() < 0.01) v = across(medial);
    if (v.dot(across(medial)) < 0) v = -v;
    const double cosine = distance / length;
    return marker + distance * (cosine * u + std::sqrt(1 - cosine * cosine) * v.normalized());
}

void add_leg(const MarkerFrame& m, const PelvisFrame& pelvis, Side side, const BodyMeasures& measures,
             HipRule rule, std::vector<Landmark>& out) {
    const bool left = side == Side::left;
    const std::size_t s = left ? 0 : 1;
    const double sign = left ? 1 : -1;
    const Vec3d knee_marker = m.at("KNE", side), ankle_marker = m.at("ANK", side);
    const bool use_leg = rule != HipRule::harrington && std::isfinite(measures.leg[s]);
    const Vec3d local =
        use_leg ? davis(pelvis, sign, measures.leg[s], measures.marker_radius) : harrington(pelvis, sign);
    const Vec3d hip =
        pelvis.middle + local.x() * pelvis.left + local.y() * pelvis.up + local.z() * pelvis.forward;
    const Vec3d medial = -sign * pelvis.left;
    // The length of a shank is 0.45 of a leg; the widths of knee and ankle are 0.12 and 0.08 of it.
    const double leg = std::clamp((knee_marker - ankle_marker).norm() / 0.45, 0.4, 1.3);
    const auto half = [&](double width, double part) {
        return (std::isfinite(width) ? width : part * (std::isfinite(leg) ? leg : 0.85)) / 2 +
               measures.marker_radius;
    };
    const Vec3d inner_knee = m.at("KNEM", side), inner_ankle = m.at("ANKM", side);
    const Vec3d knee = inner_knee.allFinite()
                           ? Vec3d((knee_marker + inner_knee) / 2)
                           : chord(hip, knee_marker, m.at("THI", side), medial, half(measures.knee[s], 0.12));
    const Vec3d ankle = inner_ankle.allFinite() ? Vec3d((ankle_marker + inner_ankle) / 2)
                                                : chord(knee, ankle_marker, m.at("TIB", side), medial,
                                                        half(measures.ankle[s], 0.08));
    out.push_back({Role::thigh, Role::thigh, side, LandmarkKind::centre, 0, 1, hip});
    out.push_back({Role::shin, Role::shin, side, LandmarkKind::centre, 0, 1, knee});
    out.push_back({Role::foot, Role::foot, side, LandmarkKind::centre, 0, 1, ankle});
    const auto axis = [&](Role carrier, Role base, const Vec3d& from, const Vec3d& at, const Vec3d& marker) {
        const Vec3d outward = across(sign * (marker - at), at - from).normalized();
        out.push_back({carrier, base, side, LandmarkKind::lateral, 0.1, 1, at + 0.1 * outward});
    };
    axis(Role::thigh, Role::shin, hip, knee, knee_marker);
    axis(Role::shin, Role::foot, knee, ankle, ankle_marker);
    add_foot(m, side, ankle, knee, sign * (ankle_marker - ankle), measures.sole[s], out);
}

/// A marker of a trial over time.
struct MarkerPath {
    const model::Trial& trial;
    std::size_t point = 0;

    Vec3d at(std::size_t f) const {
        return trial.markers.valid(f, point) ? model::world_position(trial, f, point)
                                             : Vec3d(Vec3d::Constant(unknown));
    }
    /// Metres per second; not finite at gaps.
    double speed(std::size_t f) const { return (at(f + 1) - at(f - 1)).norm() * trial.rate / 2; }
};

double slope_of(const Vec3d& line) {
    return std::asin(std::clamp(line.normalized().y(), -1.0, 1.0));
}

/// Slope of the line between two markers where both rest and the heel is down: the quarter of these frames
/// with the lowest heel, because a heel leaves the ground slowly. 0 when they never rest.
double sole_slope(const model::Trial& trial, const MarkerMap& map, const char* heel, const char* toe) {
    const int h = map.find(heel), t = map.find(toe);
    if (h < 0 || t < 0 || !(trial.rate > 0)) return 0;
    const MarkerPath from{trial, map.markers[static_cast<std::size_t>(h)].point};
    const MarkerPath to{trial, map.markers[static_cast<std::size_t>(t)].point};
    constexpr double at_rest = 0.15;              // metres per second
    std::vector<std::pair<double, double>> flat;  // height of the heel, slope
    for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
        if (!(from.speed(f) < at_rest) || !(to.speed(f) < at_rest)) continue;
        const Vec3d line = to.at(f) - from.at(f);
        if (line.allFinite()) flat.emplace_back(from.at(f).y(), slope_of(line));
    }
    if (flat.size() < 5) return 0;
    std::sort(flat.begin(), flat.end());
    std::vector<double> slopes;
    for (std::size_t i = 0; i <= flat.size() / 4; ++i) slopes.push_back(flat[i].second);
    return median(slopes);
}

/// A few degrees are the accuracy of marker placement; from 8 degrees on the markers are at different
/// heights.
std::array<double, 2> sole_slopes(const model::Trial& trial, const MarkerMap& map) {
    const std::array<double, 2> slopes = {sole_slope(trial, map, "LHEE", "LTOE"),
                                          sole_slope(trial, map, "RHEE", "RTOE")};
    const auto within = [&](double low, double high) {
        return std::ranges::any_of(slopes, [&](double s) {
            return math::degrees(std::abs(s)) > low && math::degrees(std::abs(s)) < high;
        });
    };
    return within(8, 35) && !within(35, 91) ? slopes : std::array<double, 2>{0, 0};
}

/// Median slope of the head band; 0 when there is none, or when the head hangs or the body lies.
double head_slope(const model::Trial& trial, const MarkerMap& map) {
    std::vector<double> slopes;
    for (std::size_t f = 0; f < trial.frames; ++f) {
        Vec3d line = Vec3d::Zero();
        for (const auto& [name, sign] : {std::pair("LFHD", 0.5), std::pair("RFHD", 0.5),
                                         std::pair("LBHD", -0.5), std::pair("RBHD", -0.5)}) {
            const int m = map.find(name);
            if (m < 0) return 0;
            line += sign * MarkerPath{trial, map.markers[static_cast<std::size_t>(m)].point}.at(f);
        }
        if (line.allFinite()) slopes.push_back(slope_of(line));
    }
    if (slopes.empty()) return 0;
    const double slope = median(slopes);
    return std::abs(slope) < math::radians(45) ? slope : 0;
}

Vec3d first_known(std::initializer_list<Vec3d> candidates) {
    for (const Vec3d& v : candidates) {
        if (v.allFinite()) return v;
    }
    return Vec3d::Constant(unknown);
}

struct Axes {
    Vec3d left, up, forward;
};

/// Keeps the direction of `up` and makes `left` perpendicular to it.
Axes axes_of(const Vec3d& up, const Vec3d& left) {
    Axes a;
    a.up = up.normalized();
    a.left = across(left, a.up).normalized();
    a.forward = a.left.cross(a.up);
    return a;
}

void add_arm(const MarkerFrame& m, Side side, const Axes& chest, std::vector<Landmark>& out) {
    const double sign = side == Side::left ? 1 : -1;
    // The joint is about 45 mm below the marker on top of the shoulder, and 20 mm further lateral.
    const Vec3d shoulder = m.at("SHO", side) - 0.045 * chest.up + sign * 0.02 * chest.left;
    const Vec3d outer = m.at("ELB", side), inner = m.at("ELBM", side);
    const Vec3d bar = m.at("WRA", side) - m.at("WRB", side);
    const Vec3d wrist =
        first_known({(m.at("WRA", side) + m.at("WRB", side)) / 2, m.at("WRA", side), m.at("WRB", side)});
    Vec3d elbow = (outer + inner) / 2;
    if (!elbow.allFinite()) {
        const Vec3d inward = across(-sign * chest.left, (shoulder - outer).normalized());
        elbow = inward.norm() > 0.3 ? Vec3d(outer + 0.04 * inward.normalized()) : outer;
    }
    out.push_back({Role::upper_arm, Role::upper_arm, side, LandmarkKind::centre, 0, 0.5, shoulder});
    out.push_back({Role::forearm, Role::forearm, side, LandmarkKind::centre, 0, 1, elbow});
    out.push_back({Role::hand, Role::hand, side, LandmarkKind::centre, 0, 1, wrist});
    const Vec3d normal = (elbow - shoulder).cross(wrist - elbow);
    const double bend = std::atan2(normal.norm(), (elbow - shoulder).dot(wrist - elbow));
    if (bend > math::radians(15)) {
        out.push_back({Role::upper_arm, Role::forearm, side, LandmarkKind::hinge, 0.1, 0.5,
                       elbow + 0.1 * normal.normalized()});
    }
    // With the arms stretched sideways and the palms down, the thumbs point forward.
    const Vec3d thumb = across(bar, (wrist - elbow).normalized()).normalized();
    out.push_back({Role::forearm, Role::hand, side, LandmarkKind::forward, 0.1, 0.5, wrist + 0.1 * thumb});
    const Vec3d onward = (m.at("FIN", side) - wrist).normalized();
    out.push_back({Role::hand, Role::hand, side, LandmarkKind::onward, 0.08, 0.5, wrist + 0.08 * onward});
}

/// `slope` is the slope of the head band when the head faces straight ahead.
void add_head(const MarkerFrame& m, double slope, std::vector<Landmark>& out) {
    const Vec3d front = (m.at("LFHD") + m.at("RFHD")) / 2, back = (m.at("LBHD") + m.at("RBHD")) / 2;
    const Vec3d temples = m.at("LTEM") - m.at("RTEM");
    const Vec3d left = first_known({m.at("LFHD") - m.at("RFHD"), m.at("LBHD") - m.at("RBHD"), temples});
    const Vec3d up =
        first_known({(front - back).cross(left), m.at("TOPH") - (m.at("LTEM") + m.at("RTEM")) / 2});
    Axes head = axes_of(up, left);
    if (front.allFinite() && back.allFinite() && head.left.allFinite()) {
        const math::Quatd level = math::axis_angle<double>(head.left, slope);
        head.up = level * head.up;
        head.forward = level * head.forward;
    }
    const Vec3d middle = first_known({(front + back) / 2, (m.at("LTEM") + m.at("RTEM")) / 2});
    // A band of markers is about 0.11 m above the joint.
    const Vec3d joint = middle - 0.11 * head.up;
    out.push_back({Role::head, Role::head, Side::none, LandmarkKind::centre, 0, 0.2, joint});
    out.push_back(
        {Role::head, Role::head, Side::none, LandmarkKind::lateral, 0.1, 0.5, joint + 0.1 * head.left});
    out.push_back(
        {Role::head, Role::head, Side::none, LandmarkKind::forward, 0.1, 0.5, joint + 0.1 * head.forward});
}

}  // namespace

BodyMeasures measure_body(const model::Trial& trial, const MarkerMap& map) {
    BodyMeasures measures;
    const auto read = [&](const char* name, double& value) {
        const model::Parameter* parameter = trial.parameters.find("PROCESSING", name);
        if (parameter == nullptr || parameter->empty() || parameter->is_text()) return;
        const double metres = parameter->number(0) * trial.to_world.scale;
        if (metres > 0.02 && metres < 2) value = metres;
    };
    read("LLegLength", measures.leg[0]);
    read("RLegLength", measures.leg[1]);
    read("LKneeWidth", measures.knee[0]);
    read("RKneeWidth", measures.knee[1]);
    read("LAnkleWidth", measures.ankle[0]);
    read("RAnkleWidth", measures.ankle[1]);
    measures.sole = sole_slopes(trial, map);
    measures.head = head_slope(trial, map);
    return measures;
}

std::optional<PelvisFrame> pelvis_frame(const MarkerMap& map, std::span<const Vec3d> positions) {
    const MarkerFrame m{map, positions};
    const Vec3d left = m.at("LASI"), right = m.at("RASI");
    Vec3d back = (m.at("LPSI") + m.at("RPSI")) / 2;
    if (!back.allFinite()) back = m.at("SACR");
    PelvisFrame pelvis;
    pelvis.middle = (left + right) / 2;
    pelvis.left = (left - right).normalized();
    const Vec3d ahead = pelvis.middle - back;
    pelvis.up = ahead.cross(pelvis.left).normalized();
    pelvis.forward = pelvis.left.cross(pelvis.up);
    pelvis.width = (left - right).norm();
    pelvis.depth = ahead.norm();
    if (!pelvis.forward.allFinite() || pelvis.forward.squaredNorm() < 0.5) return std::nullopt;
    return pelvis;
}

std::vector<Landmark> landmarks(const MarkerMap& map, std::span<const Vec3d> positions,
                                const BodyMeasures& measures, HipRule rule) {
    const MarkerFrame m{map, positions};
    std::vector<Landmark> out;
    if (const auto pelvis = pelvis_frame(map, positions)) {
        for (const Side side : {Side::left, Side::right}) add_leg(m, *pelvis, side, measures, rule, out);
        for (std::size_t i = 0, n = out.size(); i < n; ++i) {
            const Landmark hip = out[i];
            if (hip.base != Role::thigh) continue;
            out.push_back({Role::hips, Role::thigh, hip.side, LandmarkKind::forward, 0.15, 1,
                           hip.position + 0.15 * pelvis->forward});
        }
        // Shoulders and neck are less accurate than hips; the small weight keeps them from moving the pelvis.
        const std::size_t legs = out.size();
        add_trunk(m, *pelvis, measures.head, out);
        for (std::size_t i = legs; i < out.size(); ++i) out[i].weight *= 0.05;
    }
    std::erase_if(out, [](const Landmark& l) { return !l.position.allFinite(); });
    return out;
}

Vec3d MarkerFrame::at(std::string_view name) const {
    const int i = map.find(name);
    return i < 0 ? Vec3d::Constant(unknown) : positions[static_cast<std::size_t>(i)];
}

Vec3d MarkerFrame::at(std::string_view name, Side side) const {
    return at((side == Side::left ? "L" : "R") + std::string(name));
}

Vec3d across(const Vec3d& vector, const Vec3d& direction) {
    const Vec3d unit = direction.normalized();
    return vector - vector.dot(unit) * unit;
}

/// The sole is parallel to the line from heel to toe marker, corrected by the slope of this line on a flat
/// foot.
void add_foot(const MarkerFrame& m, Side side, const Vec3d& ankle, const Vec3d& knee, const Vec3d& leftward,
              double sole, std::vector<Landmark>& out) {
    const Vec3d toe = first_known({m.at("TOE", side), (m.at("MT1", side) + m.at("MT5", side)) / 2,
                                   m.at("MT5", side), m.at("TIP", side)});
    const Vec3d heel = m.at("HEE", side);
    Vec3d along = (toe - heel).normalized();
    // Without a heel marker, the line from the ankle to the toe is lowered by the height of an ankle.
    if (!along.allFinite()) along = ((toe - ankle) + 0.06 * (knee - ankle).normalized()).normalized();
    const Vec3d left = across(leftward, along).normalized();
    if (heel.allFinite() && left.allFinite()) along = math::axis_angle<double>(left, sole) * along;
    out.push_back({Role::foot, Role::foot, side, LandmarkKind::forward, 0.15, 1, ankle + 0.15 * along});
    out.push_back({Role::foot, Role::foot, side, LandmarkKind::lateral, 0.1, 0.2, ankle + 0.1 * left});
}

void add_trunk(const MarkerFrame& m, const PelvisFrame& pelvis, double head_slope,
               std::vector<Landmark>& out) {
    const Vec3d collar = first_known({m.at("CLAV"), (m.at("LCLA") + m.at("RCLA")) / 2, m.at("STRN")});
    const Vec3d shoulders = (m.at("LSHO") + m.at("RSHO")) / 2;
    // The joint is at a third of the distance from C7 to the notch of the sternum.
    const Vec3d top = first_known({(2 * m.at("C7") + collar) / 3, shoulders});
    const Vec3d waist = pelvis.middle - 0.5 * pelvis.depth * pelvis.forward;
    const Vec3d up = first_known({(m.at("C7") + m.at("CLAV") - m.at("T10") - m.at("STRN")) / 2, top - waist});
    const Vec3d left = first_known(
        {m.at("LSHO") - m.at("RSHO"), m.at("LCLA") - m.at("RCLA"), up.cross(collar - m.at("C7"))});
    const Axes chest = axes_of(up, left);
    out.push_back({Role::neck, Role::neck, Side::none, LandmarkKind::centre, 0, 0.3, top});
    out.push_back({Role::upper_chest, Role::neck, Side::none, LandmarkKind::lateral, 0.15, 0.5,
                   top + 0.15 * chest.left});
    out.push_back({Role::upper_chest, Role::neck, Side::none, LandmarkKind::forward, 0.15, 0.5,
                   top + 0.15 * chest.forward});
    for (const Side side : {Side::left, Side::right}) add_arm(m, side, chest, out);
    add_head(m, head_slope, out);
}

}  // namespace sinew::motion
