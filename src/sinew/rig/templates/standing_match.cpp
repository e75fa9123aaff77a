// SPDX-License-Identifier: MIT
#include "sinew/rig/templates/standing_match.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sinew/base/array.h"

namespace sinew::rig {

namespace {

// Costs of evidence against an assignment, in units of about one wrong limb.
constexpr double cost_of_asymmetry = 0.35;              ///< for a twin that is `mirror_scale` from its image
constexpr double mirror_scale = 0.05;                   ///< of the diagonal
constexpr double cost_of_height = 1.0;                  ///< of a foot that is `foot_scale` above `foot_level`
constexpr double foot_level = 0.08, foot_scale = 0.12;  ///< of the height
constexpr double cost_of_reach =
    0.8;  ///< of arms that stay at the plane, while other limbs reach far from it
constexpr double cost_of_missing_head = 0.8, cost_of_missing_tail = 0.05, cost_of_missing_arm = 1.2;
constexpr double cost_off_plane = 0.5, plane_scale = 0.05;  ///< of a head or tail this far from the plane
constexpr double cost_of_order = 1.5;        ///< of arms that start below the legs, of a head below the arms
constexpr double cost_of_proportion = 0.12;  ///< per squared standard deviation of a length
constexpr double cost_of_thinness = 1.0;     ///< of a limb that is a sheet: the corner of a cape, a blade
constexpr double thin = 0.004, thick = 0.012;  ///< of the diagonal: radius of a sheet, of the thinnest limbs
constexpr double cost_of_crown = 2.0;          ///< of a head that ends a whole height below the crown
constexpr double cost_of_thin_head = 0.25, thin_head = 0.02;  ///< of the diagonal: radius
constexpr double long_trunk =
    0.25;                      ///< of the height: a trunk that is longer, and has a neck, has a head on it
constexpr double neck = 0.65;  ///< of the radius of what is thicker below and above it
constexpr double cost_of_rest = 3.0;   ///< of a body that consists of other limbs only
constexpr double cost_of_wings = 1.5;  ///< of arms that end far behind the head, or far before it
constexpr double max_sweep = 0.2, max_reach = 0.35, sweep_scale = 0.15;  ///< of the diagonal
constexpr double weight_of_sheet = 0.15;     ///< of a cape or a wing among the rest
constexpr double cost_of_hidden_legs = 0.2;  ///< of a biped without visible legs

struct Proportion {
    double mean, deviation;  ///< of the logarithm
    double cost(double value) const {
        const double z = (std::log(std::max(value, 1e-3)) - mean) / deviation;
        return cost_of_proportion * std::min(z * z, 16.0);
    }
};
// Of lengths over the height of the body; wide enough for a person and a toy with a large head.
constexpr Proportion biped_leg{-0.95, 0.45}, biped_arm{-0.85, 0.45};

struct End {
    int tip = -1;
    Vec3d position = Vec3d::Zero();
    double side = 0, level = 0, front = 0;  ///< of the diagonal, height, diagonal
    bool blunt = false;
};

/// Numbers of ends per limb; -1 where there is none.
struct Choice {
    std::array<int, 2> leg{-1, -1}, arm{-1, -1};
    int head = -1, tail = -1;
    double cost = 0;

    bool has(int end) const {
        return leg[0] == end || leg[1] == end || arm[0] == end || arm[1] == end || head == end || tail == end;
    }
};

class StandingSearch {
  public:
    StandingSearch(const CurveTree& tree, const BodyFrame& frame, double diagonal, const StandingPlan& limbs)
        : tree_(tree),
          frame_(frame),
          diagonal_(diagonal),
          tailed_(limbs.tail >= 0),
          four_footed_(limbs.four_footed) {
        for (const int tip : tree.tips()) {
            const Vec3d p = surface_end(tip);
            // Only heads are blunt.
            if (tree.is_blunt(tip) &&
                (std::abs(frame.plane.side(p)) > plane_scale * diagonal || frame.level(p) < 0.3))
                continue;
            ends_.push_back({tip, p, frame.plane.side(p) / diagonal, frame.level(p),
                             frame.forward().dot(p) / diagonal, tree.is_blunt(tip)});
        }
        limit_ends();
        const int n = count();
        // A body that is flat as a whole has no sheets.
        double thickest = 0;
        for (int a = 0; a < n; ++a) thickest = std::max(thickest, radius(a));
        flatness_ = std::clamp(thickest / thick, 1e-3, 1.0);
        path_.assign(at(n * n), 0);
        mirror_.assign(at(n * n), 0);
        for (int a = 0; a < n; ++a) {
            for (int b = 0; b < n; ++b) {
                if (a != b) path_[at(a * n + b)] = tree.distance(tip(a), tip(b));
                mirror_[at(a * n + b)] = (frame.plane.reflect(position(a)) - position(b)).norm() / diagonal;
            }
            reach_ = std::max(reach_, std::abs(ends_[at(a)].side));
        }
        parting_.assign(at(n * n * n), -1);
        thin_.assign(at(n * n * n), -1);
    }

    std::vector<Choice> run(bool four_footed, std::size_t max_count) {
        std::vector<Choice> found;
        const int n = count();
        std::vector<std::array<int, 2>> pairs;
        for (int a = 0; a < n; ++a) {
            for (int b = 0; b < n; ++b) {
                const End &left = ends_[at(a)], &right = ends_[at(b)];
                if (left.blunt || right.blunt || left.side - right.side < 0.02) continue;
                if (left.side < -0.03 || right.side > 0.03) continue;
                pairs.push_back({a, b});
            }
        }
        const auto feet = [&](const std::array<int, 2>& pair) { return pair_cost(pair) + feet_cost(pair); };
        const auto mirrored = [&](const std::array<int, 2>& pair) { return pair_cost(pair); };
        const auto best_of = [&](const auto& cost) {
            std::vector<std::array<int, 2>> list = pairs;
            std::ranges::stable_sort(list, {}, cost);
            if (list.size() > max_pairs) list.resize(max_pairs);
            return list;
        };
        const std::vector<std::array<int, 2>> legs = best_of(feet);
        // A body may have lost an arm.
        std::vector<std::array<int, 2>> arms = four_footed ? legs : best_of(mirrored);
        for (int a = 0; a < n; ++a) {
            if (ends_[at(a)].blunt || std::abs(ends_[at(a)].side) < 0.1) continue;
            if (!four_footed) arms.push_back(ends_[at(a)].side > 0 ? std::array{a, -1} : std::array{-1, a});
        }
        for (const auto& leg : legs) {
            Choice choice;
            choice.leg = leg;
            choice.cost = feet(leg);
            for (const auto& arm : arms) {
                choice.arm = {-1, -1};
                if ((arm[0] >= 0 && choice.has(arm[0])) || (arm[1] >= 0 && choice.has(arm[1]))) continue;
                choice.arm = arm;
                for (int head = -1; head < n; ++head) {
                    choice.head = -1;
                    if (head >= 0 && choice.has(head)) continue;
                    choice.head = head;
                    add(choice, four_footed, found);
                }
                choice.head = -1;
            }
        }
        return completed(std::move(found), four_footed, max_count);
    }

    int tip(int end) const { return ends_[at(end)].tip; }

  private:
    static constexpr std::size_t max_pairs = 16;  ///< of legs, and of arms
    static constexpr int max_ends = 18;

    /// Where the limb of an end meets the surface: the curve continues straight by its radius.
    Vec3d surface_end(int tip) const {
        const CurveNode& end = tree_.node(tip);
        if (tree_.is_blunt(tip)) return end.position;
        const int other = tree_.tips()[0] == tip ? tree_.tips()[1] : tree_.tips()[0];
        const CurveLine line = tree_.line(tip, other);
        const Vec3d along =
            end.position - line.point(std::min(std::max(end.radius, 0.03 * diagonal_), line.length()));
        return along.norm() > 0 ? Vec3d(end.position + end.radius * along.normalized()) : end.position;
    }

    int count() const { return static_cast<int>(ends_.size()); }
    const Vec3d& position(int end) const { return ends_[at(end)].position; }
    double path(int a, int b) const { return path_[at(a * count() + b)]; }
    /// Length of the path from an end to where the paths to two others separate.
    double branch(int a, int b, int c) const { return (path(a, b) + path(a, c) - path(b, c)) / 2; }
    /// The node where the paths between three ends separate.
    int parting_node(int a, int b, int c) const {
        int& node = parting_[at((a * count() + b) * count() + c)];
        if (node < 0) node = tree_.median(tip(a), tip(b), tip(c));
        return node;
    }
    const Vec3d& parting(int a, int b, int c) const { return tree_.node(parting_node(a, b, c)).position; }

    /// Those that protrude least are left out.
    void limit_ends() {
        while (count() > max_ends) {
            int weakest = 0;
            double min_length = 1e300;
            for (int a = 0; a < count(); ++a) {
                for (int b = 0; b < count(); ++b) {
                    if (a == b) continue;
                    const double length = tree_.distance(tip(a), tip(b));
                    if (length < min_length) {
                        min_length = length;
                        weakest = a;
                    }
                }
            }
            ends_.erase(ends_.begin() + weakest);
        }
    }

    double pair_cost(const std::array<int, 2>& pair) const {
        return cost_of_asymmetry * std::min(mirror_[at(pair[0] * count() + pair[1])] / mirror_scale, 3.0);
    }

    double feet_cost(const std::array<int, 2>& pair) const {
        double sum = 0;
        for (const int end : pair) sum += std::max(0.0, ends_[at(end)].level - foot_level) / foot_scale;
        return cost_of_height * std::min(sum, 4.0);
    }

    double thin_cost(int end, int other, int third) const {
        double& known = thin_[at((end * count() + other) * count() + third)];
        if (known >= 0) return known;
        const CurveLine line = tree_.line(tip(end), parting_node(end, other, third));
        if (line.size() < 2) return known = cost_of_thinness;
        const double radius = line.median_radius(0, 0.2 * line.length()) / diagonal_ / flatness_;
        return known = cost_of_thinness * std::clamp((thick - radius) / (thick - thin), 0.0, 1.0);
    }

    double plane_cost(int end) const {
        return cost_off_plane * std::min(std::abs(ends_[at(end)].side) / plane_scale, 3.0);
    }

    /// Fraction of the body's length in branches to ends without a role, by where they leave it. Ears and
    /// hair on a head, or fingers and swords on a hand, are usual; a second pair of arms is not.
    double rest_cost(const Choice& choice) const {
        std::vector<int> used;
        for (const int end :
             {choice.leg[0], choice.leg[1], choice.arm[0], choice.arm[1], choice.head, choice.tail})
            if (end >= 0) used.push_back(end);
        double rest = 0, all = 0;
        for (std::size_t i = 0; i < used.size(); ++i) all += min_branch(used[i], used);
        for (int end = 0; end < count(); ++end) {
            if (choice.has(end) || ends_[at(end)].blunt) continue;
            double weight = 1;
            const double length = min_branch(end, used, &weight, &choice);
            rest += weight * length;
        }
        return cost_of_rest * rest / std::max(all + rest, 1e-9);
    }

    /// How far an end protrudes from the tree of others.
    double min_branch(int end, const std::vector<int>& used, double* weight = nullptr,
                      const Choice* choice = nullptr) const {
        double best = 1e300;
        int first = -1, second = -1;
        for (const int a : used) {
            for (const int b : used) {
                if (a >= b || a == end || b == end) continue;
                const double length = branch(end, a, b);
                if (length >= best) continue;
                best = length;
                first = a;
                second = b;
            }
        }
        if (first < 0) return 0;
        if (weight != nullptr) {
            // Cloth, but not parts half as thick as a limb, nor the ears of animals.
            const double sheet =
                four_footed_ ? 1.0
                             : std::clamp(2 * (limb_radius(end, first, second) - thin) / (thick - thin),
                                          weight_of_sheet, 1.0);
            // Near the end of a limb, or on the head.
            for (const int a : {first, second}) {
                const double to_end = branch(a, end, a == first ? second : first);
                const bool head = a == choice->head;
                double limb = 1e300;
                for (const int b : used)
                    for (const int c : used)
                        if (b != a && c != a && b < c) limb = std::min(limb, branch(a, b, c));
                if (to_end < (head ? 1.0 : 0.6) * limb) *weight = head ? 0.25 : 0.4;
            }
            if (std::abs(ends_[at(end)].side) < 0.03) *weight = std::min(*weight, 0.5);
            *weight = std::min(*weight, sheet);
        }
        return best;
    }

    void add(Choice choice, bool four_footed, std::vector<Choice>& found) const {
        const int third = choice.arm[0] >= 0 ? choice.arm[0] : choice.arm[1];
        choice.cost += choice.head >= 0 ? plane_cost(choice.head) : cost_of_missing_head;
        for (std::size_t i = 0; i < 2; ++i)
            choice.cost += thin_cost(choice.leg[i], choice.leg[1 - i], third) / 2;
        if (four_footed)
            add_four_footed_cost(choice);
        else
            choice.cost += biped_cost(choice);
        found.push_back(choice);
    }

    /// The slower tests, for those that can still be among the best.
    std::vector<Choice> completed(std::vector<Choice> found, bool four_footed, std::size_t max_count) const {
        std::ranges::stable_sort(found, {}, &Choice::cost);
        std::vector<Choice> best;
        for (Choice& choice : found) {
            if (best.size() == max_count && choice.cost >= best.back().cost) break;
            if (!four_footed && choice.arm[0] >= 0 && choice.arm[1] >= 0)
                choice.cost += lower_pair_cost(choice);
            choice.cost += rest_cost(choice);
            best.insert(std::ranges::upper_bound(best, choice.cost, {}, &Choice::cost), choice);
            if (best.size() > max_count) best.pop_back();
        }
        return best;
    }

    double arms_cost(const Choice& choice) const {
        const auto [c, d] = choice.arm;
        const int leg = choice.leg[0];
        return pair_cost(choice.arm) + (thin_cost(c, d, leg) + thin_cost(d, c, leg)) / 2;
    }

    /// Finds the tail too.
    void add_four_footed_cost(Choice& choice) const {
        const auto [a, b] = choice.leg;
        const auto [c, d] = choice.arm;
        const int e = choice.head;
        choice.cost += arms_cost(choice) + feet_cost(choice.arm);
        const double apart =
            (ends_[at(c)].front + ends_[at(d)].front - ends_[at(a)].front - ends_[at(b)].front) / 2;
        choice.cost += cost_of_order * std::clamp((0.12 - apart) / 0.1, 0.0, 2.0);
        if (e >= 0) {
            // Beyond the front legs, and not lower than they start.
            const double to_chest = branch(e, c, a), to_pelvis = branch(e, a, b);
            choice.cost += cost_of_order * (to_pelvis < to_chest ? 1.0 : 0.0);
            const double ahead = ends_[at(e)].front - (ends_[at(c)].front + ends_[at(d)].front) / 2;
            choice.cost += cost_of_order * std::clamp(-ahead / 0.1, 0.0, 1.0);
        }
        choice.tail = best_tail(choice);
        choice.cost += choice.tail >= 0 ? plane_cost(choice.tail) + end_cost(choice) : cost_of_missing_tail;
    }

    double biped_cost(const Choice& choice) const {
        const auto [a, b] = choice.leg;
        const auto [c, d] = choice.arm;
        const int e = choice.head, arm = c >= 0 ? c : d;
        const bool both = c >= 0 && d >= 0;
        const int opposite =
            both ? (arm == c ? d : c) : (e >= 0 ? e : b);  // end of the path that the arm leaves
        double cost = frame_.crotch > min_legs ? 0 : cost_of_hidden_legs;
        cost += both ? arms_cost(choice) : cost_of_missing_arm + thin_cost(arm, opposite, a);
        const double height = frame_.height;
        const Vec3d pelvis = parting(a, b, arm), chest = parting(arm, opposite, a);
        const double trunk = frame_.up.dot(chest - pelvis) / height;
        cost += cost_of_order * std::clamp((-0.02 - trunk) / 0.04, 0.0, 2.0);
        if (trunk > long_trunk)
            cost +=
                cost_of_order * std::clamp((trunk - long_trunk) / 0.1, 0.0, 1.0) *
                std::clamp((neck - trunk_dip(parting_node(a, b, arm), parting_node(arm, opposite, a))) / 0.2,
                           0.0, 1.0);
        const double reach =
            both ? (ends_[at(c)].side - ends_[at(d)].side) / 2 : std::abs(ends_[at(arm)].side);
        cost += cost_of_reach * (1 - std::clamp(reach / std::max(reach_, 1e-9), 0.0, 1.0));
        const double legs = (branch(a, b, arm) + branch(b, a, arm)) / 2 / height,
                     arms = (branch(arm, opposite, a) +
                             (both ? branch(opposite, arm, a) : branch(arm, opposite, a))) /
                            2 / height;
        cost += biped_leg.cost(legs) + biped_arm.cost(arms);
        // Hands that stand on the floor are feet.
        const double highest = both ? std::max(ends_[at(c)].level, ends_[at(d)].level) : ends_[at(arm)].level;
        if (highest < 0.06) cost += 0.5;
        if (e >= 0) {
            const double above = frame_.up.dot(position(e) - chest) / height;
            cost += cost_of_order * std::clamp((0.08 - above) / 0.08, 0.0, 2.0) + crown_cost(choice);
        }
        if (!tailed_) cost += wing_cost(choice);
        return cost;
    }

    /// The thinnest part of a trunk that is thicker below and above it (a neck, not a waist above a skirt),
    /// as a fraction of the thinner of both; 1 without one.
    double trunk_dip(int pelvis, int chest) const {
        const CurveLine line = tree_.line(pelvis, chest);
        std::vector<double> radius(line.size()), above(line.size() + 1);
        for (std::size_t i = line.size(); i-- > 0;) {
            radius[i] = line.radius(line.arc(i));
            above[i] = std::max(above[i + 1], radius[i]);
        }
        double below = 0, least = 1;
        for (std::size_t i = 0; i < radius.size(); ++i) {
            below = std::max(below, radius[i]);
            const double around = std::min(below, above[i]);
            if (around > 0) least = std::min(least, radius[i] / around);
        }
        return least;
    }

    /// Wings are swept back from a neck that reaches forward, whatever role it has; arms reach forward by
    /// their length.
    double wing_cost(const Choice& choice) const {
        const auto front = [&](const std::array<int, 2>& pair) {
            const int a = pair[0] >= 0 ? pair[0] : pair[1], b = pair[1] >= 0 ? pair[1] : pair[0];
            return (ends_[at(a)].front + ends_[at(b)].front) / 2;
        };
        double back = front(choice.leg), ahead = back;
        for (const End& end : ends_) {
            if (std::abs(end.side) > plane_scale || end.level < 0.3) continue;
            back = std::min(back, end.front);
            ahead = std::max(ahead, end.front);
        }
        const double hands = front(choice.arm);
        const double beyond = std::max(ahead - hands - max_sweep, hands - back - max_reach);
        return cost_of_wings * std::clamp(beyond / sweep_scale, 0.0, 1.0);
    }

    /// The crown is the highest end on the plane above the chest; hair and visors are thin.
    double crown_cost(const Choice& choice) const {
        const End& head = ends_[at(choice.head)];
        double highest = head.level;
        for (int other = 0; other < count(); ++other) {
            const End& end = ends_[at(other)];
            if (!choice.has(other) && std::abs(end.side) < plane_scale && radius(other) > thin_head)
                highest = std::max(highest, end.level);
        }
        return cost_of_crown * (highest - head.level) +
               cost_of_thin_head * (radius(choice.head) < thin_head ? 1 : 0);
    }

    /// Arms are the lowest pair above the legs: limbs that start above them are ears.
    double lower_pair_cost(const Choice& choice) const {
        const double chest = frame_.level(parting(choice.arm[0], choice.arm[1], choice.leg[0]));
        for (int a = 0; a < count(); ++a) {
            for (int b = 0; b < count(); ++b) {
                if (choice.has(a) || choice.has(b) || ends_[at(a)].side < 0.06 || ends_[at(b)].side > -0.06)
                    continue;
                if (mirror_[at(a * count() + b)] > mirror_scale) continue;
                if (std::min(limb_radius(a, b, choice.leg[0]), limb_radius(b, a, choice.leg[0])) < thin)
                    continue;
                const Vec3d from = parting(a, choice.leg[0], choice.arm[0]),
                            to = parting(b, choice.leg[1], choice.arm[1]);
                const double level = std::max(frame_.level(from), frame_.level(to));
                const double length = std::min(branch(a, choice.leg[0], choice.arm[0]),
                                               branch(b, choice.leg[1], choice.arm[1]));
                const bool on_trunk = std::max(std::abs(frame_.plane.side(from)),
                                               std::abs(frame_.plane.side(to))) < 0.06 * diagonal_;
                if (on_trunk && level < chest - 0.05 && length > 0.1 * diagonal_) return cost_of_order;
            }
        }
        return 0;
    }

    /// Thickness of the outer half of a limb, because hands are thinner than arms, as `thin` and `thick` use
    /// it.
    double limb_radius(int end, int other, int third) const {
        const CurveLine line = tree_.line(tip(end), parting_node(end, other, third));
        return line.median_radius(0, 0.5 * line.length()) / diagonal_ / flatness_;
    }

    double radius(int end) const { return tree_.node(tip(end)).radius / diagonal_; }

    /// The end on the plane behind the hind legs, or -1.
    int best_tail(const Choice& choice) const {
        int best = -1;
        double longest = 0;
        for (int t = 0; t < count(); ++t) {
            if (choice.has(t) || ends_[at(t)].blunt || std::abs(ends_[at(t)].side) > 0.08) continue;
            const double from_pelvis = branch(t, choice.leg[0], choice.leg[1]);
            const double from_chest = branch(t, choice.arm[0], choice.arm[1]);
            if (from_chest <= from_pelvis) continue;
            if (from_pelvis <= longest) continue;
            longest = from_pelvis;
            best = t;
        }
        return best;
    }

    /// A head is thicker than a tail.
    double end_cost(const Choice& choice) const {
        if (choice.head < 0) return 0;
        const CurveLine head = tree_.line(
            tip(choice.head), tree_.median(tip(choice.head), tip(choice.arm[0]), tip(choice.leg[0])));
        const CurveLine tail = tree_.line(
            tip(choice.tail), tree_.median(tip(choice.tail), tip(choice.leg[0]), tip(choice.arm[0])));
        const double h = head.median_radius(0, 0.7 * head.length()),
                     t = tail.median_radius(0, 0.7 * tail.length());
        return 0.6 * std::clamp((t - h) / std::max(t + h, 1e-9) + 0.1, 0.0, 1.0);
    }

    const CurveTree& tree_;
    const BodyFrame& frame_;
    double diagonal_;
    bool tailed_;  ///< its template is, for example that of a bird
    bool four_footed_;
    std::vector<End> ends_;
    std::vector<double> path_, mirror_;
    mutable std::vector<int> parting_;  ///< cached
    mutable std::vector<double> thin_;
    double reach_ = 0;
    double flatness_ = 1;  ///< thickness of the limbs, compared with those of bodies
};

constexpr double shank_level = 0.13;  ///< of the height: above the ankle, below the knee

/// Evidence of a head for its front: models have more vertices in the face, and heads lie before the neck.
/// Both in halves of the head's extent.
struct Face {
    double detail = 0, offset = 0;
};

Face face_evidence(const geometry::Mesh& mesh, const BodyFrame& frame, const Vec3d& chest) {
    const Vec3d forward = frame.forward();
    const double base = frame.level(chest), from = base + 0.45 * (1 - base);
    double vertices = 0, count = 0, surface = 0, area = 0, low = 1e300, high = -1e300;
    const auto on_head = [&](const Vec3d& p) {
        return frame.level(p) > from && std::abs(frame.plane.side(p)) < 0.15 * frame.height;
    };
    for (const math::Vec3f& v : mesh.positions) {
        const Vec3d p = v.cast<double>();
        if (!on_head(p)) continue;
        vertices += forward.dot(p);
        count += 1;
        low = std::min(low, forward.dot(p));
        high = std::max(high, forward.dot(p));
    }
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.positions[t[0]].cast<double>(), b = mesh.positions[t[1]].cast<double>(),
                    c = mesh.positions[t[2]].cast<double>();
        const Vec3d middle = (a + b + c) / 3;
        if (!on_head(middle)) continue;
        const double weight = (b - a).cross(c - a).norm();
        surface += weight * forward.dot(middle);
        area += weight;
    }
    if (count < 20 || !(area > 0) || !(high > low)) return {};
    const double half = (high - low) / 2;
    return {(vertices / count - surface / area) / half, (surface / area - forward.dot(chest)) / half};
}

/// Feet are longer in front of the ankle than behind it; knees bend forward; elbows bend back.
double facing_evidence(const CurveTree& tree, const BodyGraph& graph, const BodyFrame& frame,
                       const Face& face, const std::array<int, 2>& leg, const std::array<int, 2>& arm,
                       double diagonal) {
    const Vec3d forward = frame.forward();
    double evidence = 0;
    const bool legs_show = frame.crotch > min_legs;  // a robe shows no front
    for (const int tip : leg) {
        if (!legs_show) break;
        const Vec3d& foot = tree.node(tip).position;
        std::vector<double> sole;
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            const Vec3d p = graph.position(node);
            if (frame.level(p) > 0.05) continue;
            Vec3d away = p - foot;
            away -= away.dot(frame.up) * frame.up;
            if (away.norm() > 0.13 * diagonal || frame.plane.side(p) * frame.plane.side(foot) < 0) continue;
            sole.push_back(forward.dot(p));
        }
        if (sole.size() < 8) continue;
        const CurveLine line = tree.line(tip, tree.median(tip, tip == leg[0] ? leg[1] : leg[0], arm[0]));
        double middle = forward.dot(line.point(line.length()));
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (frame.level(line[i]) < shank_level) continue;
            middle = forward.dot(line[i]);
            break;
        }
        const double toe = quantile(sole, 0.95) - middle, heel = middle - quantile(sole, 0.05);
        evidence += 2 * (toe - heel) / std::max(std::abs(toe) + std::abs(heel), 0.02 * diagonal);
    }
    const auto bend = [&](int tip, int other, int third) {
        const CurveLine line = tree.line(tree.median(tip, other, third), tip);
        if (!(line.length() > 0)) return 0.0;
        const Vec3d chord = (line.point(0.2 * line.length()) + line.point(0.8 * line.length())) / 2;
        return forward.dot(line.point(0.5 * line.length()) - chord) / line.length();
    };
    if (legs_show) evidence += 6 * (bend(leg[0], leg[1], arm[0]) + bend(leg[1], leg[0], arm[0]));
    evidence -= 3 * (bend(arm[0], arm[1], leg[0]) + bend(arm[1], arm[0], leg[0]));
    evidence += 3 * std::clamp(face.detail, -0.5, 0.5) + std::clamp(face.offset, -0.5, 0.5);
    return evidence;
}

}  // namespace

StandingPlan standing_plan(const TemplatePlan& plan) {
    StandingPlan standing;
    double low = 1e300, high = -1e300;
    for (const Vec3d& point : plan.points) {
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    for (std::size_t l = 0; l < plan.limbs.limbs.size(); ++l) {
        const int last = plan.limbs.limbs[l].joints.back();
        const model::Side side = plan.roles[at(last)].side;
        const int index = side == model::Side::right ? 1 : 0;
        int* slot = nullptr;
        if (plan.kinds[l] == LimbKind::leg && side != model::Side::none) slot = &standing.leg[index];
        if (plan.kinds[l] == LimbKind::arm && side != model::Side::none) slot = &standing.arm[index];
        if (plan.kinds[l] == LimbKind::head) slot = &standing.head;
        if (plan.kinds[l] == LimbKind::other && side == model::Side::none) slot = &standing.tail;
        if (slot == nullptr || *slot >= 0) return {};
        *slot = static_cast<int>(l);
    }
    if (!standing.valid()) return {};
    const double hand = plan.points[at(plan.limb_points(at(standing.arm[0])).back())].y();
    standing.four_footed = (hand - low) < 0.2 * (high - low);
    return standing;
}

std::vector<StandingMatch> match_standing(const TemplatePlan& plan, const StandingPlan& limbs,
                                          const CurveTree& tree, const BodyFrame& frame,
                                          const BodyGraph& graph, const geometry::Mesh& mesh,
                                          std::size_t max_count) {
    const double diagonal = graph.field().diagonal;
    StandingSearch search(tree, frame, diagonal, limbs);
    std::map<int, Face> faces;  // by the node of the chest, which most choices share
    std::vector<StandingMatch> result;
    for (const Choice& choice : search.run(limbs.four_footed, max_count)) {
        StandingMatch found;
        found.match.cost = choice.cost;
        found.match.tip.assign(plan.limbs.limbs.size(), -1);
        const auto give = [&](int limb, int end) {
            if (limb >= 0 && end >= 0) found.match.tip[at(limb)] = search.tip(end);
        };
        for (std::size_t s = 0; s < 2; ++s) {
            give(limbs.leg[s], choice.leg[s]);
            give(limbs.arm[s], choice.arm[s]);
        }
        give(limbs.head, choice.head);
        give(limbs.tail, choice.tail);
        double curve = 0, bones = 0;
        for (std::size_t a = 0; a < found.match.tip.size(); ++a) {
            for (std::size_t b = a + 1; b < found.match.tip.size(); ++b) {
                if (found.match.tip[a] < 0 || found.match.tip[b] < 0) continue;
                curve += tree.distance(found.match.tip[a], found.match.tip[b]) +
                         tree.node(found.match.tip[a]).radius + tree.node(found.match.tip[b]).radius;
                bones += plan.length(plan.path(plan.limb_points(a).back(), plan.limb_points(b).back()));
            }
        }
        found.match.scale = bones > 0 ? curve / bones : 1;
        if (!limbs.four_footed) {
            const auto tips =
                [&](const std::array<int, 2>& pair) {  // the same limb twice when one is missing
                    return std::array<int, 2>{search.tip(pair[0] >= 0 ? pair[0] : pair[1]),
                                              search.tip(pair[1] >= 0 ? pair[1] : pair[0])};
                };
            const std::array<int, 2> leg = tips(choice.leg), arm = tips(choice.arm);
            const int chest = tree.median(arm[0], arm[1], leg[0]);
            const auto [face, fresh] = faces.try_emplace(chest);
            if (fresh) face->second = face_evidence(mesh, frame, tree.node(chest).position);
            found.facing = facing_evidence(tree, graph, frame, face->second, leg, arm, diagonal);
        }
        result.push_back(std::move(found));
    }
    return result;
}

}  // namespace sinew::rig
