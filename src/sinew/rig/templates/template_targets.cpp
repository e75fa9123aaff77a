// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/rig/templates/template_match.h"

namespace sinew::rig {

namespace {

using model::Role;

constexpr double hip_rise = 0.016;  ///< of the height: hip joints above the crotch
constexpr double hip_level = 0.63;  ///< of the height of the chest: hip joints in a robe or a skirt
/// Legs shorter than this, of the height of the chest, but at least this many of their radii long, begin in a
/// skirt.
constexpr double skirt_level = 0.45, skirt_length = 6;
constexpr double min_shoulder = 0.28;  ///< of the way from the crotch to the crown: no shoulder is lower
// Legs of animals start higher than where they leave the trunk: in radii of the trunk there.
constexpr double withers_up = 1.0, withers_front = 0.4;  ///< of fore legs
constexpr double haunch_up = 0.5, haunch_back = 0.3;     ///< of hind legs
constexpr double straight =
    0.45;  ///< of the height of their root: legs are upright below it, and continue straight above it
// Bodies on two legs: near the medians over the characters of docs/bodies.md; the limits are guesses by eye.
constexpr double shoulder_side = 1.2;      ///< shoulder joints from the plane, in radii of the chest
constexpr double shoulder_up = 0.85;       ///< and above the middle of the chest, where arms hang down
constexpr double clavicle_side = 1 / 3.0;  ///< of the width of the shoulders
constexpr double head_above_dip = 0.5;     ///< head joint above the thinnest part of the neck, in its radii
constexpr double min_dip = 1.15;           ///< a neck is thinner than the head by this factor
constexpr double neck_to_dip = 0.3;        ///< neck joint, from the shoulders to the thinnest part
constexpr double neck_to_crown = 0.1;      ///< where there is none, from the shoulders to the crown
constexpr double head_to_crown = 0.28;     ///< and the head joint, from the neck joint to the crown
// Feet, in lengths from the ankle forward to the toe.
constexpr double ankle_up = 0.51;                    ///< ankle above the sole
constexpr double toe_forward = 0.54, toe_up = 0.11;  ///< toe joint from the ankle and above the sole
constexpr double min_foot = 0.5;  ///< in radii of the shank: the start of shorter feet is not visible

/// A stretch of the template on a line of the body: point `first` lies at arc `from`, the last at `to`.
struct Stretch {
    std::vector<int> points;
    double from = 0, to = 0;
};

class TemplatePlacer {
  public:
    TemplatePlacer(const TemplatePlan& plan, const CurveTree& tree, const LimbMatch& match,
                   const BodyFrame* frame, bool four_footed)
        : plan_(plan), tree_(tree), match_(match), frame_(frame), four_footed_(four_footed) {
        targets_.position.assign(plan.points.size(), Vec3d::Zero());
        targets_.weight.assign(plan.points.size(), 0);
        targets_.bone_scale.assign(plan.points.size(), match.scale);
        find_junctions();
    }

    TemplateTargets locate() {
        for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l)
            if (plan_.kinds[l] != LimbKind::head) locate_limb(l);
        for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l)
            if (plan_.kinds[l] == LimbKind::head) locate_limb(l);
        for (const int junction : plan_.limbs.junctions) locate_trunk(junction);
        if (four_footed_)
            raise_back();
        else if (frame_ != nullptr)
            locate_upright_trunk();
        return std::move(targets_);
    }

  private:
    void locate_limb(std::size_t l) {
        if (match_.tip[l] < 0) return;
        const CurveLine line = limb_line(l);
        if (line.size() < 2) return;
        switch (plan_.kinds[l]) {
            case LimbKind::arm:
                locate_arm(l, line);
                break;
            case LimbKind::leg:
                locate_leg(l, line);
                break;
            case LimbKind::head:
                locate_head(l, line);
                break;
            case LimbKind::other:
                locate_other(l, line);
                break;
        }
    }

    /// The curve's node for each junction of the template: where the paths to three of its sides part.
    void find_junctions() {
        node_of_.assign(plan_.joint_count(), -1);
        for (const int junction : plan_.limbs.junctions) {
            std::vector<int> tips;
            std::vector<int> sides;
            for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l) {
                if (match_.tip[l] < 0) continue;
                const std::vector<int> path = plan_.path(junction, plan_.limbs.limbs[l].joints.back());
                const int side = path.size() > 1 ? path[1] : -1;
                if (std::find(sides.begin(), sides.end(), side) != sides.end()) continue;
                sides.push_back(side);
                tips.push_back(match_.tip[l]);
            }
            if (tips.size() >= 3) node_of_[at(junction)] = best_median(tips);
        }
    }

    /// With more than three sides, the node that most triples agree on; among equals the deepest.
    int best_median(const std::vector<int>& tips) const {
        std::vector<std::pair<int, int>> votes;  // node, count
        for (std::size_t a = 0; a < tips.size(); ++a) {
            for (std::size_t b = a + 1; b < tips.size(); ++b) {
                for (std::size_t c = b + 1; c < tips.size(); ++c) {
                    const int node = tree_.median(tips[a], tips[b], tips[c]);
                    const auto known = std::find_if(votes.begin(), votes.end(),
                                                    [&](const auto& v) { return v.first == node; });
                    if (known == votes.end())
                        votes.emplace_back(node, 1);
                    else
                        ++known->second;
                }
            }
        }
        const auto best = std::max_element(votes.begin(), votes.end(), [&](const auto& x, const auto& y) {
            if (x.second != y.second) return x.second < y.second;
            return tree_.node(x.first).radius < tree_.node(y.first).radius;
        });
        return best->first;
    }

    /// From the curve's junction to the end of the limb and to the surface.
    CurveLine limb_line(std::size_t l) const {
        const int junction = plan_.limbs.limbs[l].junction;
        int from = junction < 0 ? -1 : node_of_[at(junction)];
        if (from < 0) from = far_end(match_.tip[l]);
        CurveLine line = tree_.line(from, match_.tip[l]);
        if (line.size() < 2) return line;
        const double radius = tree_.node(match_.tip[l]).radius;
        line.push(line.point(line.length() + radius), radius);
        return line;
    }

    /// For a tree without junctions: the tip farthest away.
    int far_end(int tip) const {
        int best = tip;
        for (const int other : tree_.tips()) {
            if (tree_.distance(tip, other) > tree_.distance(tip, best)) best = other;
        }
        return best;
    }

    void want(int point, const Vec3d& where, double weight) {
        targets_.position[at(point)] = where;
        targets_.weight[at(point)] = weight;
    }

    /// Spreads points over a line by the lengths of the template's bones.
    void spread(const CurveLine& line, const Stretch& stretch, double weight) {
        std::vector<double> arc = {0};
        for (std::size_t i = 1; i < stretch.points.size(); ++i)
            arc.push_back(
                arc.back() +
                (plan_.points[at(stretch.points[i])] - plan_.points[at(stretch.points[i - 1])]).norm());
        const double scale = arc.back() > 0 ? (stretch.to - stretch.from) / arc.back() : 0;
        for (std::size_t i = 0; i < arc.size(); ++i) {
            want(stretch.points[i], line.point(stretch.from + scale * arc[i]), weight);
            if (i > 0 && scale > 0) targets_.bone_scale[at(stretch.points[i])] = scale;
        }
    }

    /// Index in a limb's points of the first with a role, or of the fallback.
    std::size_t find_in(const std::vector<int>& points, Role role, std::size_t otherwise) const {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const bool joint = at(points[i]) < plan_.joint_count();
            if (joint && plan_.roles[at(points[i])].role == role) return i;
        }
        return otherwise;
    }

    static std::vector<int> from(const std::vector<int>& points, std::size_t first) {
        return {points.begin() + static_cast<std::ptrdiff_t>(first), points.end()};
    }

    /// The line with its start replaced by the straight extension of the limb towards the trunk. `start` is
    /// where the limb has left the trunk, `root` where the new line begins.
    static CurveLine rerooted(const CurveLine& line, const Vec3d& root, double start) {
        CurveLine result;
        result.push(root, line.radius(start));
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line.arc(i) > start) result.push(line[i], line.radius(line.arc(i)));
        }
        return result;
    }

    /// Moves the joint at points[i] to the sharpest bend within a tenth of the line, if there is one, and
    /// redistributes the points on both sides of it.
    void snap_to_bend(const CurveLine& line, const std::vector<int>& points, std::size_t i, double reach,
                      double min_bend) {
        if (i == 0 || i + 1 >= points.size()) return;
        const double here = line.nearest(targets_.position[at(points[i])]), length = line.length();
        const double window = 0.1 * length;
        double best = min_bend, where = -1;
        for (int k = -20; k <= 20; ++k) {
            const double s = here + reach * length * k / 20;
            if (s < 0.02 * length || s > 0.98 * length) continue;
            const double bend = line.bend(s, window);
            if (bend > best) {
                best = bend;
                where = s;
            }
        }
        if (where < 0) return;
        std::vector<int> before(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        const double first = line.nearest(targets_.position[at(points[0])]);
        spread(line, {before, first, where}, 1);
        spread(line, {from(points, i), where, length}, 1);
    }

    /// Where the radius of the curve has decreased to a multiple of the radius of the limb.
    static double limb_start(const CurveLine& line, double multiple) {
        const double length = line.length(), limb = line.median_radius(0.4 * length, 0.6 * length);
        double start = 0;
        while (start < 0.35 * length && line.radius(start) > multiple * limb) start += 0.01 * length;
        return start;
    }

    /// Bones between the trunk and the root of a limb are as long as the body is wide.
    void stretch_to(const std::vector<int>& points, std::size_t upper) {
        const int junction = points[0];
        if (frame_ == nullptr || upper == 0 || junction == points[upper]) return;
        const double want = std::abs(frame_->plane.side(targets_.position[at(points[upper])]));
        double have = 0;
        for (std::size_t i = 1; i <= upper; ++i)
            have += std::abs(plan_.points[at(points[i])].x() - plan_.points[at(points[i - 1])].x());
        if (!(have > 0) || !(want > 0)) return;
        for (std::size_t i = 1; i <= upper; ++i) targets_.bone_scale[at(points[i])] = want / have;
    }

    void locate_arm(std::size_t l, CurveLine line) {
        const std::vector<int> points = plan_.limb_points(l);
        const std::size_t upper =
            find_in(points, Role::upper_arm, std::min<std::size_t>(1, points.size() - 1));
        const double length = line.length(), start = limb_start(line, 1.5);
        const Vec3d inner = line.point(0.25 * length + 0.5 * start),
                    outer = line.point(0.4 * length + 0.5 * start);
        const Vec3d along = (inner - outer).normalized();
        Vec3d root = inner + along * along.dot(line.point(start) - inner);
        double from_arc = 0.25 * length + 0.5 * start;
        if (four_footed_) {
            root += line.radius(0) * (withers_up * frame_->up + withers_front * frame_->forward());
            line = upright_leg(line, root);
        } else if (frame_ != nullptr) {
            shoulder_beside_chest(line, root, from_arc);
        }
        const CurveLine arm = rerooted(line, root, from_arc);
        const std::vector<int> chain = from(points, upper);
        spread(arm, {chain, 0, arm.length()}, 1);
        snap_to_bend(arm, chain, find_in(chain, Role::forearm, chain.size()), 0.1, math::radians(25));
        targets_.weight[at(chain[0])] = 0.6;
        stretch_to(points, upper);
        locate_clavicle(points, upper);
    }

    /// The shoulder lies on the extension of the upper arm, beside the sphere that fills the chest. Arms that
    /// hang down are extended to its upper part.
    void shoulder_beside_chest(const CurveLine& line, Vec3d& root, double& from_arc) const {
        const double length = line.length(), chest = line.radius(0);
        double s = 0;
        while (s < 0.5 * length && std::abs(frame_->plane.side(line.point(s))) < shoulder_side * chest)
            s += 0.005 * length;
        from_arc = s + 0.1 * length;
        const Vec3d inner = line.point(from_arc);
        const Vec3d along = (inner - line.point(from_arc + 0.15 * length)).normalized();
        double back = std::max(along.dot(line.point(s) - inner), 0.0);
        const double rise = along.dot(frame_->up);
        if (rise > 0.5) {
            const double missing = frame_->up.dot(line.point(0) - inner) + shoulder_up * chest;
            // Arms may touch the trunk down to the hips.
            const double least = frame_->crotch + min_shoulder * (1 - frame_->crotch);
            const double below = (least - frame_->level(inner)) * frame_->height;
            back = std::max({back, missing / rise, below / rise});
        }
        root = inner + back * along;
    }

    /// The collar bone starts between the plane of symmetry and the shoulder.
    void locate_clavicle(const std::vector<int>& points, std::size_t upper) {
        if (frame_ == nullptr || four_footed_ || upper < 2) return;
        const Vec3d shoulder = targets_.position[at(points[upper])];
        const Vec3d middle = shoulder - frame_->plane.side(shoulder) * frame_->plane.normal;
        want(points[upper - 1], middle + clavicle_side * (shoulder - middle), 0.6);
    }

    void locate_leg(std::size_t l, CurveLine line) {
        const std::vector<int> points = plan_.limb_points(l);
        const std::size_t upper = find_in(points, Role::thigh, std::min<std::size_t>(1, points.size() - 1));
        // The thigh continues straight to the height of the pelvis, a little below its middle; in a body with
        // a very large belly not far beyond the point where the leg leaves it.
        const double length = line.length(), pelvis = line.radius(0);
        const double start = limb_start(line, 2.2);
        const double free = std::max(0.18 * length, start + 0.05 * length);
        const Vec3d inner = line.point(free), outer = line.point(free + 0.15 * length);
        const Vec3d along = (inner - outer).normalized();
        const double emerges = along.dot(line.point(start) - inner) + 0.5 * pelvis;
        const double up = std::max(std::min(along.dot(line.point(0) - inner) - 0.3 * pelvis, emerges), 0.0);
        Vec3d root = inner + up * along;
        double from_arc = free;
        if (four_footed_) {
            root += line.radius(0) * (haunch_up * frame_->up - haunch_back * frame_->forward());
            line = upright_leg(line, root);
        } else if (frame_ != nullptr && frame_->crotch > min_legs && !in_skirt(line)) {
            hip_above_crotch(line, root, from_arc);
        } else if (frame_ != nullptr) {
            hip_in_clothes(line, root, from_arc);
        }
        const CurveLine leg = rerooted(line, root, from_arc);
        const std::vector<int> chain = from(points, upper);
        spread(leg, {chain, 0, leg.length()}, 1);
        const std::size_t foot = find_in(chain, Role::foot, chain.size());
        if (!locate_foot(leg, chain, foot)) snap_to_bend(leg, chain, foot, 0.12, math::radians(35));
        const std::vector<int> shank(
            chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(std::min(foot + 1, chain.size())));
        if (foot < chain.size()) locate_knee(leg, shank);
        targets_.weight[at(chain[0])] = 0.6;
        stretch_to(points, upper);
    }

    /// An animal's leg is upright seen from the front: its upper part lies above the part that stands.
    CurveLine upright_leg(const CurveLine& line, Vec3d& root) const {
        const double stands = arc_below(line, straight * frame_->level(root));
        if (stands >= 0.9 * line.length()) return line;
        const double side = frame_->plane.side(line.point(stands));
        const auto beside = [&](const Vec3d& p) -> Vec3d {
            return p + (side - frame_->plane.side(p)) * frame_->plane.normal;
        };
        root = beside(root);
        CurveLine leg;
        for (std::size_t i = 0; i < line.size(); ++i)
            leg.push(line.arc(i) < stands ? beside(line[i]) : line[i], line.radius(line.arc(i)));
        return leg;
    }

    /// Where a line has descended to a level.
    double arc_below(const CurveLine& line, double level) const {
        double s = 0;
        while (s < line.length() && frame_->level(line.point(s)) > level) s += 0.005 * line.length();
        return s;
    }

    /// The hip joint lies a little above the crotch, on the straight extension of the upper half of the leg.
    void hip_above_crotch(const CurveLine& line, Vec3d& root, double& from_arc) const {
        const double top = arc_below(line, 0.9 * frame_->crotch);
        const double middle = arc_below(line, 0.45 * frame_->crotch);
        if (!(middle > top) || middle > 0.9 * line.length()) return;
        const Vec3d start = line.point(top);
        Vec3d along = (start - line.point(middle)).normalized();
        if (along.dot(frame_->up) < 0.7) along = frame_->up;
        const double rise =
            (frame_->crotch + hip_rise - frame_->level(start)) * frame_->height / along.dot(frame_->up);
        root = start + std::max(rise, 0.0) * along;
        from_arc = top;
    }

    bool in_skirt(const CurveLine& line) const {
        const double radius = line.median_radius(0.6 * line.length(), 0.85 * line.length());
        return frame_->crotch < skirt_level * chest_level() &&
               frame_->crotch * frame_->height > skirt_length * radius;
    }

    /// The start of the legs is not visible: it lies above the visible part, or above the feet, at a fraction
    /// of the height of the arms' junction.
    void hip_in_clothes(const CurveLine& line, Vec3d& root, double& from_arc) const {
        const double level = hip_level * chest_level();
        if (!(level > 0)) return;
        const bool shows = frame_->crotch > min_legs;
        const double below = arc_below(line, shows ? 0.7 * frame_->crotch : 0.5 * level);
        if (below > 0.9 * line.length()) return;
        const Vec3d base = line.point(shows ? below : line.length());
        root = base + (level - frame_->level(base)) * frame_->height * frame_->up;
        from_arc = below;
    }

    /// Of the junction that the arms have in the body; 0 when they have none.
    double chest_level() const {
        for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l) {
            const int junction = plan_.limbs.limbs[l].junction;
            if (plan_.kinds[l] == LimbKind::arm && junction >= 0 && node_of_[at(junction)] >= 0)
                return frame_->level(tree_.node(node_of_[at(junction)]).position);
        }
        return 0;
    }

    /// The ankle lies where the line of the leg descends to its level, the toe joint before it. False when
    /// the foot does not reach forward.
    bool locate_foot(const CurveLine& leg, const std::vector<int>& chain, std::size_t foot) {
        if (frame_ == nullptr || four_footed_ || foot == 0 || foot + 1 >= chain.size()) return false;
        const double length = leg.length(), radius = leg.median_radius(0.4 * length, 0.6 * length);
        // The leg defines the up direction of its foot: files are not always upright.
        const Vec3d toe = leg.point(length), thigh = leg.point(0) - leg.point(0.7 * length);
        const Vec3d up = (thigh - frame_->plane.normal.dot(thigh) * frame_->plane.normal).normalized();
        if (up.dot(frame_->up) < 0.8) return false;
        const Vec3d forward = frame_->plane.normal.cross(up);
        const double sole = up.dot(toe) - leg.radius(length);
        const Vec3d shin = leg.point(0.6 * length);
        const double reach = forward.dot(toe - shin);
        if (reach < min_foot * radius) return false;
        double ankle = 0.4 * length;
        while (ankle < length && up.dot(leg.point(ankle)) > sole + ankle_up * reach) ankle += 0.005 * length;
        const std::vector<int> shank(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(foot) + 1);
        spread(leg, {shank, 0, ankle}, 1);
        spread(leg, {from(chain, foot), ankle, length}, 1);
        const double ahead = std::max(forward.dot(leg.point(ankle) - shin), 0.0);
        want(chain[foot], leg.point(ankle) - ahead * forward, 1);
        if (foot + 2 >= chain.size()) return true;
        double toe_arc = ankle;
        const double front = forward.dot(shin) + toe_forward * reach;
        while (toe_arc < length && forward.dot(leg.point(toe_arc)) < front) toe_arc += 0.005 * length;
        const Vec3d over = leg.point(toe_arc);
        want(chain[foot + 1], over + (sole + toe_up * reach - up.dot(over)) * up, 1);
        return true;
    }

    /// Within the stretch from hip to ankle, so that the ankle stays.
    void locate_knee(const CurveLine& leg, const std::vector<int>& shank) {
        const std::size_t knee = find_in(shank, Role::shin, shank.size());
        if (knee == 0 || knee + 1 >= shank.size()) return;
        const double end = leg.nearest(targets_.position[at(shank.back())]);
        CurveLine part;
        for (std::size_t i = 0; i < leg.size() && leg.arc(i) < end; ++i)
            part.push(leg[i], leg.radius(leg.arc(i)));
        if (part.size() < 3) return;
        part.push(leg.point(end), leg.radius(end));
        snap_to_bend(part, shank, knee, 0.1, math::radians(20));
    }

    /// Where the line from the chest to the crown is thinnest before it first becomes thicker; -1 when it
    /// never becomes thicker.
    static double neck_dip(const CurveLine& line) {
        const double length = line.length();
        double thin = 0;
        for (int k = 1; k <= 90; ++k) {
            const double s = length * k / 100;
            if (line.radius(s) < line.radius(thin))
                thin = s;
            else if (thin > 0.1 * length && line.radius(s) > min_dip * line.radius(thin))
                return thin;
        }
        return -1;
    }

    void locate_head(std::size_t l, const CurveLine& line) {
        const std::vector<int> points = plan_.limb_points(l);
        const std::size_t head = find_in(points, Role::head, points.size());
        const std::size_t neck = find_in(points, Role::neck, points.size());
        const double length = line.length(), thin = neck_dip(line), least = line.radius(std::max(thin, 0.0));
        const std::optional<double> shoulders = level_of(Role::upper_arm);
        const bool upright = frame_ != nullptr && !four_footed_ && shoulders && neck < head;
        const bool dips = thin >= 0 && least < 0.85 * line.radius(0);
        if (head >= points.size() || (!dips && !upright)) return locate_other(l, line);
        double base = std::clamp(thin + head_above_dip * least, 0.0, 0.95 * length);
        double first = head - neck == 1 ? std::max(thin - 0.7 * least, 0.3 * thin) : 0.25 * base;
        if (upright) {
            const double top = frame_->level(line.point(length));
            const double above = dips ? neck_to_dip * (frame_->level(line.point(thin)) - *shoulders)
                                      : neck_to_crown * (top - *shoulders);
            const double level = *shoulders + std::max(above, 0.0);
            first = arc_at(line, level);
            if (!dips) base = arc_at(line, level + head_to_crown * (top - level));
            first = std::min(first, 0.9 * base);
        }
        spread(line, {from(points, head), base, length}, 0.8);
        if (neck >= head) return;
        spread(line,
               {{points.begin() + static_cast<std::ptrdiff_t>(neck),
                 points.begin() + static_cast<std::ptrdiff_t>(head) + 1},
                first,
                base},
               0.8);
    }

    /// Where a line has risen to a level.
    double arc_at(const CurveLine& line, double level) const {
        double s = 0;
        while (s < line.length() && frame_->level(line.point(s)) < level) s += 0.005 * line.length();
        return s;
    }

    /// Mean level of the joints with a role; empty when there are none.
    std::optional<double> level_of(Role role) const {
        if (frame_ == nullptr) return std::nullopt;
        const std::optional<Vec3d> middle = middle_of(role);
        return middle ? std::optional(frame_->level(*middle)) : std::nullopt;
    }

    std::optional<Vec3d> middle_of(Role role) const {
        Vec3d sum = Vec3d::Zero();
        int count = 0;
        for (std::size_t j = 0; j < plan_.joint_count(); ++j) {
            if (plan_.roles[j].role != role || targets_.weight[j] <= 0) continue;
            sum += targets_.position[j];
            ++count;
        }
        return count > 0 ? std::optional<Vec3d>(sum / count) : std::nullopt;
    }

    /// People have their hips between the hip joints, and a spine from there to the neck, on the curve where
    /// it is far enough from both.
    void locate_upright_trunk() {
        const int hips = model::find_role(plan_.roles, Role::hips);
        const std::optional<Vec3d> middle = middle_of(Role::thigh);
        if (hips < 0 || !middle) return;
        want(hips, *middle, 0.8);
        const int neck = model::find_role(plan_.roles, Role::neck);
        if (neck < 0 || targets_.weight[at(neck)] <= 0) return;
        const Vec3d last = targets_.position[at(neck)];
        CurveLine line;
        line.push(*middle, 0);
        const double low = frame_->level(*middle), high = frame_->level(last);
        for (const int junction : plan_.limbs.junctions) {
            const int above = next_junction(junction);
            if (above < 0 || node_of_[at(junction)] < 0) continue;
            const CurveLine curve = trunk_line(above, junction);
            for (std::size_t i = 0; i < curve.size(); ++i) {
                const double part = (frame_->level(curve[i]) - low) / std::max(high - low, 1e-9);
                if (part > 0.25 && part < 0.75) line.push(curve[i], 0);
            }
        }
        line.push(last, 0);
        std::vector<int> spine = plan_.path(hips, neck);
        const double weight = targets_.weight[at(neck)];
        spread(line, {spine, 0, line.length()}, 0.5);
        want(hips, *middle, 0.8);
        want(neck, last, weight);
    }

    /// Animals have their hips and spine near the back, not in the middle of the trunk: as far above the
    /// roots of their legs as in the template.
    void raise_back() {
        double floor = 1e300;
        for (const Vec3d& point : plan_.points) floor = std::min(floor, point.y());
        const std::optional<double> hind = level_of(Role::thigh), fore = level_of(Role::upper_arm);
        const std::optional<double> hind_then = template_height(Role::thigh, floor),
                                    fore_then = template_height(Role::upper_arm, floor);
        if (!hind || !fore || !hind_then || !fore_then) return;
        for (std::size_t j = 0; j < plan_.joint_count(); ++j) {
            const Role role = plan_.roles[j].role;
            if ((role != Role::hips && role != Role::spine) || targets_.weight[j] <= 0) continue;
            const double legs = role == Role::hips ? *hind : (*hind + *fore) / 2;
            const double then = role == Role::hips ? *hind_then : (*hind_then + *fore_then) / 2;
            const double level = legs * (plan_.points[j].y() - floor) / then;
            const double rise = (level - frame_->level(targets_.position[j])) * frame_->height;
            targets_.position[j] += std::max(rise, 0.0) * frame_->up;
        }
    }

    /// Mean height of the joints with a role in the template.
    std::optional<double> template_height(Role role, double floor) const {
        double sum = 0, count = 0;
        for (std::size_t j = 0; j < plan_.joint_count(); ++j) {
            if (plan_.roles[j].role != role) continue;
            sum += plan_.points[j].y() - floor;
            count += 1;
        }
        return count > 0 && sum > 0 ? std::optional(sum / count) : std::nullopt;
    }

    void locate_other(std::size_t l, const CurveLine& line) {
        const std::vector<int> points = plan_.limb_points(l);
        spread(line, {points, 0, line.length()}, 0.7);
        if (plan_.limbs.limbs[l].junction >= 0) targets_.weight[at(points[0])] = 0;
        if (plan_.limbs.limbs[l].junction < 0) return;
        // The trunk's own thickness is not part of the limb.
        const double start =
            std::max(limb_start(line, 1.6), std::min(1.1 * line.radius(0), 0.3 * line.length()));
        spread(line, {from(points, 1), start, line.length()}, 0.7);
    }

    /// Joints between a junction and the next junction above it; with a neck beyond, up to the neck.
    void locate_trunk(int junction) {
        if (node_of_[at(junction)] < 0) return;
        const int above = next_junction(junction);
        if (above < 0) {
            if (plan_.limbs.junctions.size() == 1)
                want(junction, tree_.node(node_of_[at(junction)]).position, 0.6);
            return;
        }
        std::vector<int> path = plan_.path(above, junction);
        const int neck = neck_of(junction);
        CurveLine line = trunk_line(above, junction);
        if (neck >= 0) {
            path.push_back(neck);
            line.push(targets_.position[at(neck)], 0);
        }
        if (line.size() < 2) return;
        const double weight = targets_.weight[at(path.back())];
        const Vec3d last = targets_.position[at(path.back())];
        spread(line, {path, 0, line.length()}, 0.5);
        if (neck >= 0) want(neck, last, weight);
    }

    /// The curve between two junctions. In a round body they are one node: then it starts between the roots
    /// of the limbs of the first.
    CurveLine trunk_line(int first, int second) const {
        const int from = node_of_[at(first)], to = node_of_[at(second)];
        if (from != to) return tree_.line(from, to);
        Vec3d sum = Vec3d::Zero();
        double count = 0;
        for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l) {
            const model::Limb& limb = plan_.limbs.limbs[l];
            if (limb.junction != first || plan_.kinds[l] != LimbKind::leg || match_.tip[l] < 0) continue;
            const std::vector<int> points = plan_.limb_points(l);
            sum += targets_.position[at(points[find_in(points, Role::thigh, 1)])];
            count += 1;
        }
        CurveLine line;
        if (count > 0)
            line.push(sum / count, tree_.node(from).radius);
        else
            line.push(tree_.node(from).position, tree_.node(from).radius);
        return line;
    }

    /// The junction nearest to the root side whose node is known; -1 for the first.
    int next_junction(int junction) const {
        for (int j = plan_.parent[at(junction)]; j >= 0; j = plan_.parent[at(j)]) {
            if (node_of_[at(j)] >= 0) return j;
        }
        return -1;
    }

    int neck_of(int junction) const {
        for (std::size_t l = 0; l < plan_.limbs.limbs.size(); ++l) {
            const model::Limb& limb = plan_.limbs.limbs[l];
            if (plan_.kinds[l] != LimbKind::head || limb.junction != junction) continue;
            const std::vector<int> points = plan_.limb_points(l);
            for (std::size_t i = 1; i < points.size(); ++i) {
                if (targets_.weight[at(points[i])] > 0) return points[i];
            }
        }
        return -1;
    }

    const TemplatePlan& plan_;
    const CurveTree& tree_;
    const LimbMatch& match_;
    const BodyFrame* frame_;
    bool four_footed_;
    std::vector<int> node_of_;
    TemplateTargets targets_;
};

}  // namespace

TemplateTargets find_targets(const TemplatePlan& plan, const CurveTree& tree, const LimbMatch& match,
                             const BodyFrame* frame, bool four_footed) {
    return TemplatePlacer(plan, tree, match, frame, four_footed).locate();
}

}  // namespace sinew::rig
