// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/fingers.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "sinew/base/array.h"
#include "sinew/geometry/topology.h"
#include "sinew/rig/body/body_limbs.h"
#include "sinew/rig/edit/skeleton_edit.h"

namespace sinew::rig {

namespace {

using math::Mat3d;

// Lengths of a hand are in units of the distance from the wrist to its tip.
constexpr double behind_wrist = 0.15, beyond_tip = 0.6, beside = 1.1;  ///< cut out of the mesh
constexpr double near_hand = 0.6;    ///< shells of the cut this near to the middle belong to the hand
constexpr int cells = 80;            ///< along the longest side of the cut: a finger is about eight wide
constexpr double min_length = 0.12;  ///< of the parts outside the palm
constexpr double min_slender = 0.8;  ///< of the same, in widths
constexpr int bands = 12;            ///< of a finger from the web to its tip
/// How far a finger continues inside the palm, and where its joints lie between that root and the tip: from
/// the lengths of bones in the template with fingers.
constexpr double inside_palm = 0.45, inside_thumb = 0.6;
constexpr std::array<double, 3> joints_at = {0, 0.45, 0.74};

/// All is measured in the axes of the hand, so that it does not depend on the rotation of the body: x is
/// along the hand, y upwards in the body.
struct HandFrame {
    Vec3d wrist;
    Mat3d axes;  ///< in its rows
    double length = 0;

    Vec3d to_hand(const Vec3d& point) const { return axes * (point - wrist); }
    Vec3d to_world(const Vec3d& point) const { return wrist + axes.transpose() * point; }
};

struct Finger {
    std::vector<Vec3d> line;  ///< from the web to the tip, in the middle of the finger
    double from_wrist = 0;    ///< sum of the lengths to where it leaves the palm and to its tip
};

/// The part of the mesh near a hand: the shells that contain it, closed at the wrist.
/// \param weld per vertex of the mesh the first at its position
geometry::Mesh cut_out(const geometry::Mesh& mesh, const std::vector<std::uint32_t>& weld,
                       const HandFrame& hand) {
    std::vector<char> near(mesh.positions.size(), 0), in_core = near;
    for (std::size_t v = 0; v < near.size(); ++v) {
        const Vec3d p = hand.to_hand(mesh.positions[v].cast<double>()) / hand.length;
        near[v] = p.x() > -behind_wrist && p.x() < 1 + beyond_tip && p.tail<2>().norm() < beside;
        in_core[v] = (p - Vec3d(0.5, 0, 0)).norm() < near_hand;
    }
    std::vector<std::uint32_t> shell(mesh.positions.size());
    std::iota(shell.begin(), shell.end(), 0u);
    const auto root = [&](std::uint32_t v) {
        while (shell[v] != v) v = shell[v] = shell[shell[v]];
        return v;
    };
    std::vector<geometry::Triangle> kept;
    for (const geometry::Triangle& t : mesh.triangles) {
        if (near[t[0]] == 0 || near[t[1]] == 0 || near[t[2]] == 0) continue;
        kept.push_back({weld[t[0]], weld[t[1]], weld[t[2]]});
        for (const int corner : {1, 2}) shell[root(kept.back()[at(corner)])] = root(kept.back()[0]);
    }
    std::vector<char> of_hand(mesh.positions.size(), 0);
    for (std::size_t v = 0; v < near.size(); ++v)
        if (in_core[v] != 0) of_hand[root(weld[v])] = 1;

    geometry::Mesh out;
    std::map<std::uint32_t, std::uint32_t> number;
    const auto vertex = [&](std::uint32_t v) {
        const auto [known, fresh] = number.try_emplace(v, static_cast<std::uint32_t>(out.positions.size()));
        if (fresh) out.positions.push_back(hand.to_hand(mesh.positions[v].cast<double>()).cast<float>());
        return known->second;
    };
    std::set<std::array<std::uint32_t, 2>> open;  // directed edges without their opposite
    for (const geometry::Triangle& t : kept) {
        if (of_hand[root(t[0])] == 0) continue;
        const geometry::Triangle mine = {vertex(t[0]), vertex(t[1]), vertex(t[2])};
        out.triangles.push_back(mine);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t a = mine[c], b = mine[(c + 1) % 3];
            if (open.erase({b, a}) == 0) open.insert({a, b});
        }
    }
    if (open.empty()) return out;
    Vec3d sum = Vec3d::Zero();
    for (const auto& edge : open) sum += out.positions[edge[0]].cast<double>();
    const auto center = static_cast<std::uint32_t>(out.positions.size());
    out.positions.push_back((sum / static_cast<double>(open.size())).cast<float>());
    for (const auto& edge : open) out.triangles.push_back({edge[1], edge[0], center});
    return out;
}

/// The cells that are farther from the wrist than `web`, around a tip: centres of bands of equal distance.
std::optional<Finger> finger_at(const BodyGraph& graph, const std::vector<float>& distance, std::uint32_t tip,
                                double web) {
    std::array<Vec3d, bands> sum{};
    sum.fill(Vec3d::Zero());
    std::array<int, bands> count{};
    std::vector<char> seen(graph.size(), 0);
    std::vector<std::uint32_t> open = {tip};
    seen[tip] = 1;
    const double length = distance[tip] - web;
    double radius = 0;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        const double s = (distance[node] - web) / length;
        const auto band = static_cast<std::size_t>(std::clamp(static_cast<int>(s * bands), 0, bands - 1));
        sum[band] += graph.position(node);
        ++count[band];
        radius = std::max(radius, static_cast<double>(graph.depth(node)));
        graph.for_each_neighbour(node, [&](std::uint32_t next, float) {
            if (seen[next] != 0 || distance[next] <= web) return;
            seen[next] = 1;
            open.push_back(next);
        });
    }
    if (length < min_slender * 2 * radius) return std::nullopt;
    Finger finger;
    for (std::size_t b = 0; b < bands; ++b)
        if (count[b] > 0) finger.line.emplace_back(sum[b] / count[b]);
    if (finger.line.size() < 4) return std::nullopt;
    return finger;
}

/// The parts that protrude from the palm. The farthest tip leaves it where the last of the others does.
std::vector<Finger> find_fingers(const geometry::Mesh& mesh, double length) {
    const BodyField field = body_field(mesh, {.resolution = cells, .closed_gap = 0});
    const BodyGraph graph(field);
    const std::uint32_t wrist = graph.nearest(Vec3d(0.05 * length, 0, 0), 12);
    if (wrist == BodyGraph::none) return {};
    const float start = 0;
    const std::vector<float> distance = graph.distances({&wrist, 1}, {&start, 1});
    const std::vector<BodyTip> tips =
        body_tips(graph, distance, static_cast<float>(min_length * length / field.cell()));
    double last_web = 0;
    for (std::size_t i = 1; i < tips.size(); ++i)
        last_web = std::max(last_web, static_cast<double>(tips[i].distance - tips[i].prominence));
    std::vector<Finger> fingers;
    for (std::size_t i = 0; i < tips.size(); ++i) {
        const double web = i == 0 ? last_web : tips[i].distance - tips[i].prominence;
        if (graph.position(tips[i].node).x() < 0) continue;
        std::optional<Finger> finger = finger_at(graph, distance, tips[i].node, web);
        if (!finger) continue;
        finger->from_wrist = web * field.cell() + finger->line.back().norm();
        fingers.push_back(*std::move(finger));
    }
    return fingers;
}

/// The thumb leaves the palm and ends nearest to the wrist; the others follow in order.
void put_in_order(std::vector<Finger>& fingers) {
    std::ranges::stable_sort(fingers, {}, &Finger::from_wrist);
    Vec3d others = Vec3d::Zero();
    for (std::size_t f = 1; f < fingers.size(); ++f)
        others += fingers[f].line.front() / static_cast<double>(fingers.size() - 1);
    Vec3d across = others - fingers[0].line.front();
    across.x() = 0;
    std::stable_sort(fingers.begin() + 1, fingers.end(), [&](const Finger& a, const Finger& b) {
        return across.dot(a.line.front()) < across.dot(b.line.front());
    });
}

/// A point on a line that is extended backwards by a fraction of its length; `s` from 0 there to 1 at the
/// end.
Vec3d on_finger(const std::vector<Vec3d>& line, double prolonged, double s) {
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i) length += (line[i] - line[i - 1]).norm();
    double left = s * (1 + prolonged) * length - prolonged * length;
    if (left <= 0) return line[0] + left * (line[line.size() / 2] - line[0]).normalized();
    for (std::size_t i = 1; i < line.size(); ++i) {
        const double step = (line[i] - line[i - 1]).norm();
        if (left <= step) return line[i - 1] + left * (line[i] - line[i - 1]) / std::max(step, 1e-300);
        left -= step;
    }
    return line.back();
}

void add_joints(model::Skeleton& skeleton, int joint, const std::string& side, const HandFrame& hand,
                const std::vector<Finger>& fingers) {
    constexpr std::array names = {"Thumb", "Index", "Middle", "Ring", "Little"};
    constexpr std::array parts = {"Proximal", "Intermediate", "Distal"};
    const math::Mat4d to_joint = model::rest_world_matrices(skeleton)[at(joint)].inverse();
    for (std::size_t f = 0; f < fingers.size(); ++f) {
        const auto local = [&](double s) -> Vec3d {
            const Vec3d point = on_finger(fingers[f].line, f == 0 ? inside_thumb : inside_palm, s);
            return (to_joint * hand.to_world(point).homogeneous()).head<3>();
        };
        Vec3d from = Vec3d::Zero();
        int parent = joint;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            model::Joint added;
            added.name = side + names[f] + parts[part];
            added.parent = parent;
            added.rest.translation = local(joints_at[part]) - from;
            from = local(joints_at[part]);
            parent = static_cast<int>(skeleton.joints.size());
            skeleton.joints.push_back(std::move(added));
        }
        skeleton.joints.back().tip = Vec3d(local(1) - from);
    }
    skeleton.joints[at(joint)].tip.reset();
}

struct Hand {
    int joint = -1;
    HandFrame frame;
    geometry::Mesh near;          ///< the mesh near it, in the axes of the hand
    std::vector<Finger> fingers;  ///< three to five, or none
};

/// The fingers found in a frame of the hand; none unless there are three to five.
void look(const geometry::Mesh& mesh, const std::vector<std::uint32_t>& weld, Hand& hand) {
    hand.near = cut_out(mesh, weld, hand.frame);
    hand.fingers.clear();
    if (!(geometry::bounds(hand.near.positions).diagonal() > 0)) return;
    hand.fingers = find_fingers(hand.near, hand.frame.length);
    if (hand.fingers.size() < 3 || hand.fingers.size() > 5)
        hand.fingers.clear();
    else
        put_in_order(hand.fingers);
}

/// Searches up to three times, with the hand slightly longer, shorter and rotated, because wrists are
/// uncertain, and accepts a result that is found twice.
void look_again(const geometry::Mesh& mesh, const std::vector<std::uint32_t>& weld, Hand& hand) {
    constexpr double shake = 0.06;  // of the length, and radians
    std::vector<Hand> looks;
    const auto count = [&](std::size_t i) { return looks[i].fingers.size(); };
    for (const double by : {0.0, shake, -shake}) {
        if (looks.size() == 2 && count(0) == count(1)) break;
        Hand& other = looks.emplace_back(hand);
        other.frame.length *= 1 + by;
        other.frame.axes = Eigen::AngleAxisd(by, Vec3d(1, 1, 1).normalized()) * other.frame.axes;
        look(mesh, weld, other);
    }
    const std::size_t seen = count(0) == count(1) || count(0) == count(2) ? 0 : 1;
    hand.near = std::move(looks[0].near);
    if (seen == 1 && count(1) != count(2)) return;
    hand.fingers = std::move(looks[seen].fingers);
    for (Finger& finger : hand.fingers)
        for (Vec3d& point : finger.line) point = hand.frame.to_hand(looks[seen].frame.to_world(point));
}

Hand look_at_hand(const geometry::Mesh& mesh, const std::vector<std::uint32_t>& weld,
                  const model::Skeleton& skeleton, int joint) {
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    const auto position = [&](int j) -> Vec3d { return world[at(j)].topRightCorner<3, 1>(); };
    const Vec3d reach = world[at(joint)].topLeftCorner<3, 3>() * *skeleton.joints[at(joint)].tip;
    const int head = skeleton.find("Head");
    const Vec3d up = head < 0 ? Vec3d(Vec3d::UnitY()) : Vec3d(position(head) - position(0));
    const Vec3d side = reach.cross(up);
    Hand hand;
    hand.joint = joint;
    if (!(side.norm() > 1e-6 * reach.norm() * up.norm())) return hand;
    hand.frame.wrist = position(joint);
    hand.frame.length = reach.norm();
    hand.frame.axes << reach.normalized().transpose(), side.cross(reach).normalized().transpose(),
        side.normalized().transpose();
    look_again(mesh, weld, hand);
    return hand;
}

/// The fingers of one hand as the mirror images of the other's, if it has them: almost all of each lies in
/// it.
void mirror_fingers(const Hand& from, Hand& to) {
    constexpr double min_inside = 0.8;
    if (!(geometry::bounds(to.near.positions).diagonal() > 0)) return;
    const BodyField field = body_field(to.near, {.resolution = cells, .closed_gap = 0});
    const double scale = to.frame.length / from.frame.length;
    std::vector<Finger> images = from.fingers;
    for (Finger& finger : images) {
        double inside = 0;
        for (Vec3d& point : finger.line) {
            point = scale * Vec3d(point.x(), point.y(), -point.z());
            inside += field.depth_at(point) > -field.cell() ? 1 : 0;
        }
        if (inside < min_inside * static_cast<double>(finger.line.size())) return;
    }
    to.fingers = std::move(images);
}

}  // namespace

int add_fingers(const geometry::Mesh& mesh, model::Skeleton& skeleton) {
    const std::vector<std::uint32_t> weld = geometry::weld_map(mesh.positions);
    std::vector<Hand> hands;
    for (const char* name : {"LeftHand", "RightHand"}) {
        const int joint = skeleton.find(name);
        if (joint >= 0 && skeleton.joints[at(joint)].tip)
            hands.push_back(look_at_hand(mesh, weld, skeleton, joint));
    }
    if (hands.size() == 2) {
        // The hand with more fingers is correct if they fit into the other; otherwise the one with fewer.
        const auto differ = [&] { return hands[0].fingers.size() != hands[1].fingers.size(); };
        const bool left = hands[0].fingers.size() > hands[1].fingers.size();
        Hand &more = hands[left ? 0 : 1], &fewer = hands[left ? 1 : 0];
        if (differ()) mirror_fingers(more, fewer);
        if (differ() && !fewer.fingers.empty()) mirror_fingers(fewer, more);
        if (differ()) return 0;
    }
    if (std::ranges::any_of(hands, [](const Hand& hand) { return hand.fingers.empty(); })) return 0;
    int count = 0;
    for (const Hand& hand : hands) {
        const std::string& name = skeleton.joints[at(hand.joint)].name;
        add_joints(skeleton, hand.joint, name.substr(0, name.size() - 4), hand.frame, hand.fingers);
        count += static_cast<int>(hand.fingers.size());
    }
    return count;
}

namespace {

std::optional<Vec3d> tip_of(const model::Skeleton& skeleton, const std::vector<math::Mat4d>& world,
                            std::string_view name) {
    const int joint = skeleton.find(name);
    if (joint < 0 || !skeleton.joints[at(joint)].tip) return std::nullopt;
    return (world[at(joint)] * skeleton.joints[at(joint)].tip->homogeneous()).head<3>();
}

void name_side(model::Skeleton& skeleton) {
    constexpr double min_stand_out = 0.2;  // of a finger's length; 0.29 to 0.92 on fourteen hands
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    std::vector<Vec3d> knuckles;
    Vec3d along = Vec3d::Zero();
    for (const std::string finger : {"Index", "Middle", "Ring", "Little"}) {
        const int root = skeleton.find(finger + "Proximal");
        const std::optional<Vec3d> end = tip_of(skeleton, world, finger + "Distal");
        if (root < 0 || !end) continue;
        knuckles.emplace_back(world[at(root)].topRightCorner<3, 1>());
        along += *end - knuckles.back();
    }
    const std::optional<Vec3d> thumb = tip_of(skeleton, world, "ThumbDistal");
    if (knuckles.size() < 2 || !thumb) return;
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& knuckle : knuckles) middle += knuckle / static_cast<double>(knuckles.size());
    // Direction out of the palm of a right hand.
    const Vec3d palm = (knuckles.front() - knuckles.back()).cross(along).normalized();
    const double length = along.norm() / static_cast<double>(knuckles.size());
    const double stands_out = (*thumb - middle).dot(palm);
    if (!(std::abs(stands_out) > min_stand_out * length)) return;
    for (model::Joint& joint : skeleton.joints) joint.name.insert(0, stands_out > 0 ? "Right" : "Left");
}

/// Where the wrist lies on the line from the cut to the middle of the palm: 0 and 0.17 in hands of artists.
constexpr double wrist_at = 0.1;

}  // namespace

void finish_hand(model::Skeleton& skeleton, std::vector<double>& confidence) {
    const int wrist = skeleton.find("Wrist"), palm = skeleton.find("Hand");
    const std::vector<math::Mat4d> world = model::rest_world_matrices(skeleton);
    const std::optional<Vec3d> cut = tip_of(skeleton, world, "Wrist"),
                               end = tip_of(skeleton, world, "MiddleDistal");
    if (wrist < 0 || palm < 0 || !cut || !end) return;
    const Vec3d middle = world[at(palm)].topRightCorner<3, 1>();
    if ((*cut - middle).norm() < (*end - middle).norm()) {  // no forearm
        skeleton = move_joint(skeleton, wrist, *cut + wrist_at * (middle - *cut));
        skeleton.joints[at(wrist)].tip.reset();
    }
    const model::Skeleton before = std::exchange(skeleton, reroot(skeleton, wrist));
    const std::vector<double> confidence_before = confidence;
    for (std::size_t j = 0; j < skeleton.size(); ++j)
        confidence[j] = confidence_before[at(before.find(skeleton.joints[j].name))];
    skeleton.joints[at(skeleton.find("Hand"))].name = "Palm";
    skeleton.joints[at(skeleton.find("Wrist"))].name = "Hand";
    name_side(skeleton);
}

}  // namespace sinew::rig
