#include "sinew/motion/marker_landmarks.h"

#include <algorithm>
#include <cmath>

#include "sinew/motion/marker_landmarks_frame.h"

namespace sinew::motion {
namespace {

using math::Vec3d;
using model::Role;
using model::Side;

/// Hip centre in the pelvis from mid-ASIS (Harrington 2007): ahead, up, to the left.
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

/// The point at `distance` from the outer marker at which the way up makes a right angle with the way to the
/// marker, in the plane of a third marker; on the inner side, which `medial` shows.
Vec3d chord(const Vec3d& above, const Vec3d& marker, const Vec3d& plane, const Vec3d& medial,
            double distance) {
    const double length = (above - marker).norm();
    if (!(length > distance)) return Vec3d::Constant(unknown);
    const Vec3d u = (above - marker) / length;
    const auto across = [&](const Vec3d& v) -> Vec3d { return v - v.dot(u) * u; };
    Vec3d v = plane.allFinite() ? across(marker - plane) : across(medial);
    // A third marker near the line shows no plane.
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
    // A shank is 0.45 of a leg; knees and ankles are 0.12 and 0.08 of it wide.
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

/// Median slope of the line between two markers over the frames in which both rest; 0 when they never do.
double sole_slope(const model::Trial& trial, const MarkerMap& map, const char* heel, const char* toe) {
    const int h = map.find(heel), t = map.find(toe);
    if (h < 0 || t < 0 || !(trial.rate > 0)) return 0;
    const std::size_t from = map.markers[static_cast<std::size_t>(h)].point;
    const std::size_t to = map.markers[static_cast<std::size_t>(t)].point;
    constexpr double at_rest = 0.15;  // metres a second
    std::vector<double> slopes;
    for (std::size_t f = 1; f + 1 < trial.frames; ++f) {
        const auto speed = [&](std::size_t point) {
            if (!trial.markers.valid(f - 1, point) || !trial.markers.valid(f + 1, point)) return unknown;
            const Vec3d way =
                model::world_position(trial, f + 1, point) - model::world_position(trial, f - 1, point);
            return way.norm() * trial.rate / 2;
        };
        if (!(speed(from) < at_rest) || !(speed(to) < at_rest) || !trial.markers.valid(f, from) ||
            !trial.markers.valid(f, to)) {
            continue;
        }
        const Vec3d line = model::world_position(trial, f, to) - model::world_position(trial, f, from);
        slopes.push_back(std::asin(std::clamp(line.normalized().y(), -1.0, 1.0)));
    }
    if (slopes.size() < 5) return 0;
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    // A few degrees are how markers are put; from eight on they are not at one height.
    const double slope = math::degrees(std::abs(*middle));
    return slope > 8 && slope < 35 ? *middle : 0;
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
    measures.sole = {sole_slope(trial, map, "LHEE", "LTOE"), sole_slope(trial, map, "RHEE", "RTOE")};
    return measures;
}

std::optional<PelvisFrame> pelvis_frame(const MarkerMap& map, std::span<const Vec3d> places) {
    const MarkerFrame m{map, places};
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

std::vector<Landmark> landmarks(const MarkerMap& map, std::span<const Vec3d> places,
                                const BodyMeasures& measures, HipRule rule) {
    const MarkerFrame m{map, places};
    std::vector<Landmark> out;
    if (const auto pelvis = pelvis_frame(map, places)) {
        for (const Side side : {Side::left, Side::right}) add_leg(m, *pelvis, side, measures, rule, out);
        for (std::size_t i = 0, n = out.size(); i < n; ++i) {
            const Landmark hip = out[i];
            if (hip.base != Role::thigh) continue;
            out.push_back({Role::hips, Role::thigh, hip.side, LandmarkKind::forward, 0.15, 1,
                           hip.place + 0.15 * pelvis->forward});
        }
        // Shoulders and necks are found less well than hips: they are not to move the pelvis.
        const std::size_t legs = out.size();
        add_trunk(m, *pelvis, out);
        for (std::size_t i = legs; i < out.size(); ++i) out[i].weight *= 0.05;
    }
    std::erase_if(out, [](const Landmark& l) { return !l.place.allFinite(); });
    return out;
}

}  // namespace sinew::motion
