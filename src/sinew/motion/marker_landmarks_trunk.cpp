#include <string>

#include "sinew/math/quaternion.h"
#include "sinew/motion/marker_landmarks_frame.h"

namespace sinew::motion {
namespace {

using math::Vec3d;
using model::Role;
using model::Side;

Vec3d first_known(std::initializer_list<Vec3d> candidates) {
    for (const Vec3d& v : candidates) {
        if (v.allFinite()) return v;
    }
    return Vec3d::Constant(unknown);
}

struct Axes {
    Vec3d left, up, forward;
};

/// Up is kept; left is made square to it.
Axes axes_of(const Vec3d& up, const Vec3d& left) {
    Axes a;
    a.up = up.normalized();
    a.left = across(left, a.up).normalized();
    a.forward = a.left.cross(a.up);
    return a;
}

void add_arm(const MarkerFrame& m, Side side, const Axes& chest, std::vector<Landmark>& out) {
    const double sign = side == Side::left ? 1 : -1;
    // The joint is two thumbs below the marker on top of the shoulder, and one further out.
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
    // With the arms out and the palms down the thumbs point forward.
    const Vec3d thumb = across(bar, (wrist - elbow).normalized()).normalized();
    out.push_back({Role::forearm, Role::hand, side, LandmarkKind::forward, 0.1, 0.5, wrist + 0.1 * thumb});
    const Vec3d onward = (m.at("FIN", side) - wrist).normalized();
    out.push_back({Role::hand, Role::hand, side, LandmarkKind::onward, 0.08, 0.5, wrist + 0.08 * onward});
}

/// `slope` is what the band of markers has when the head looks straight on.
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
    // A band of markers runs about a hand's length above the joint.
    const Vec3d joint = middle - 0.11 * head.up;
    out.push_back({Role::head, Role::head, Side::none, LandmarkKind::centre, 0, 0.2, joint});
    out.push_back(
        {Role::head, Role::head, Side::none, LandmarkKind::lateral, 0.1, 0.5, joint + 0.1 * head.left});
    out.push_back(
        {Role::head, Role::head, Side::none, LandmarkKind::forward, 0.1, 0.5, joint + 0.1 * head.forward});
}

}  // namespace

Vec3d MarkerFrame::at(std::string_view name) const {
    const int i = map.find(name);
    return i < 0 ? Vec3d::Constant(unknown) : places[static_cast<std::size_t>(i)];
}

Vec3d MarkerFrame::at(std::string_view name, Side side) const {
    return at((side == Side::left ? "L" : "R") + std::string(name));
}

Vec3d across(const Vec3d& vector, const Vec3d& direction) {
    const Vec3d unit = direction.normalized();
    return vector - vector.dot(unit) * unit;
}

/// The sole lies along the line from heel to toe marker, less the slope that it has on a flat foot.
void add_foot(const MarkerFrame& m, Side side, const Vec3d& ankle, const Vec3d& knee, const Vec3d& leftward,
              double sole, std::vector<Landmark>& out) {
    const Vec3d toe = first_known({m.at("TOE", side), (m.at("MT1", side) + m.at("MT5", side)) / 2,
                                   m.at("MT5", side), m.at("TIP", side)});
    const Vec3d heel = m.at("HEE", side);
    Vec3d along = (toe - heel).normalized();
    // Without a heel marker the line from the ankle falls by what an ankle is high.
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
    // The joint is a third of the way from the spine of the vertebra to the notch of the breastbone.
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
