// SPDX-License-Identifier: MIT
#include "sinew/rig/body/body_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/array.h"

namespace sinew::rig {

namespace {

constexpr int angles = 60;             ///< tried over a half circle
constexpr std::size_t rough = 4;       ///< stride of the samples while all angles are tried
constexpr std::size_t samples = 1200;  ///< of the surface
constexpr double counted = 0.8;        ///< share of the samples, the best ones
constexpr double max_miss = 0.08;      ///< of the diagonal: larger distances count as this one
constexpr double max_offset = 0.06;    ///< of the diagonal: how far from the centre of volume a plane may lie

class PlaneSearch {
  public:
    PlaneSearch(const BodyField& field, const BodyGraph& graph, const Vec3d& up) : field_(field) {
        side_ = up.cross(std::abs(up.x()) < 0.9 ? Vec3d::UnitX() : Vec3d::UnitZ()).normalized();
        front_ = side_.cross(up);
        std::vector<std::uint32_t> surface;
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            center_ += graph.position(node) / static_cast<double>(graph.size());
            if (graph.depth(node) < 1.0f) surface.push_back(node);
        }
        const std::size_t stride = std::max<std::size_t>(1, surface.size() / samples);
        for (std::size_t i = 0; i < surface.size(); i += stride)
            points_.push_back(graph.position(surface[i]));
    }

    std::vector<MirrorPlane> best(std::size_t max_count) const {
        std::vector<MirrorPlane> of_angle;
        for (int a = 0; a < angles; ++a) {
            MirrorPlane best;
            best.residual = 1e300;
            for (int k = -2; k <= 2; ++k)
                try_plane(std::numbers::pi * a / angles, max_offset * k / 3, rough, best);
            of_angle.push_back(best);
        }
        std::vector<MirrorPlane> planes;
        for (int a = 0; a < angles; ++a) {
            const auto at = [&](int i) {
                return of_angle[static_cast<std::size_t>((i + angles) % angles)].residual;
            };
            if (at(a) > at(a - 1) || at(a) >= at(a + 1)) continue;
            planes.push_back(refined(std::numbers::pi * a / angles, of_angle[static_cast<std::size_t>(a)]));
        }
        if (planes.empty()) planes.push_back(of_angle[0]);
        std::ranges::sort(planes, {}, &MirrorPlane::residual);
        if (planes.size() > max_count) planes.resize(max_count);
        return planes;
    }

  private:
    /// \param stride of the samples that count
    void try_plane(double angle, double offset, std::size_t stride, MirrorPlane& best) const {
        MirrorPlane plane;
        plane.normal = std::cos(angle) * side_ + std::sin(angle) * front_;
        plane.offset = plane.normal.dot(center_) + offset * field_.diagonal;
        thread_local std::vector<double> miss;
        miss.clear();
        for (std::size_t i = 0; i < points_.size(); i += stride)
            miss.push_back(
                std::min(std::abs(field_.depth_at(plane.reflect(points_[i]))), max_miss * field_.diagonal));
        const auto end =
            miss.begin() + static_cast<std::ptrdiff_t>(counted * static_cast<double>(miss.size()));
        std::nth_element(miss.begin(), end, miss.end());
        double sum = 0;
        for (auto value = miss.begin(); value != end; ++value) sum += *value;
        plane.residual =
            100 * sum /
            (static_cast<double>(std::max<std::ptrdiff_t>(end - miss.begin(), 1)) * field_.diagonal);
        if (plane.residual < best.residual) best = plane;
    }

    MirrorPlane refined(double angle, MirrorPlane best) const {
        double offset = (best.offset - best.normal.dot(center_)) / field_.diagonal;
        best.residual = 1e300;
        try_plane(angle, offset, 1, best);
        for (double reach = 1; reach > 0.05; reach /= 2) {
            const double here = angle, there = offset;
            for (int i = -1; i <= 1; ++i) {
                for (int k = -1; k <= 1; ++k) {
                    if (i == 0 && k == 0) continue;  // known already
                    const double a = here + reach * i * std::numbers::pi / angles / 2,
                                 o = there + reach * k * max_offset / 6;
                    const double before = best.residual;
                    try_plane(a, o, 1, best);
                    if (best.residual < before) {
                        angle = a;
                        offset = o;
                    }
                }
            }
        }
        return best;
    }

    const BodyField& field_;
    Vec3d side_, front_, center_ = Vec3d::Zero();
    std::vector<Vec3d> points_;
};

}  // namespace

BodyFrame BodyFrame::reversed() const {
    BodyFrame other = *this;
    other.plane.normal = -plane.normal;
    other.plane.offset = -plane.offset;
    return other;
}

namespace {

/// Finds the level up to which a body consists of two halves: it is thinner in the plane than beside it, also
/// where the thighs touch. The trunk begins where it is undivided over some height.
void find_crotch(const BodyField& field, BodyFrame& frame) {
    constexpr double max_level = 0.6;  // of the height: no crotch lies higher
    // Of the depth beside the plane: for thighs, and for halves that hardly touch.
    constexpr double thighs = 0.75, touching = 0.35;
    constexpr double trunk = 0.1;  // of the height: a seam above it does not divide legs
    const auto slices = static_cast<std::size_t>(max_level * frame.height / field.cell()) + 1;
    std::vector<float> middle(slices, 0), beside(slices, 0);
    for (std::size_t cell = 0; cell < field.solid.inside.size(); ++cell) {
        if (field.solid.inside[cell] == 0) continue;
        const Vec3d center = field.center(cell);
        const double level = frame.level(center);
        if (level < 0 || level >= max_level) continue;
        const auto slice = static_cast<std::size_t>(level * frame.height / field.cell());
        const double side = std::abs(frame.plane.side(center));
        std::vector<float>& deepest = side <= field.cell() ? middle : beside;
        deepest[slice] = std::max(deepest[slice], field.depth[cell]);
    }
    double whole = 0;
    const double thickness = field.cell() / frame.height;
    frame.crotch = frame.gap = 0;
    for (std::size_t slice = 0; slice < slices; ++slice) {
        const auto in_plane = static_cast<double>(middle[slice]),
                   outside = static_cast<double>(beside[slice]);
        const double top = static_cast<double>(slice + 1) * thickness;
        if (in_plane < touching * outside) frame.gap = top;
        if (whole >= trunk || !(outside > 0)) continue;
        whole = in_plane < thighs * outside ? 0 : whole + thickness;
        if (!(whole > 0)) frame.crotch = top;
    }
}

}  // namespace

std::vector<BodyFrame> symmetry_frames(const BodyField& field, const BodyGraph& graph, const Vec3d& up,
                                       std::size_t max_count) {
    double low = 1e300, high = -1e300;
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        const double level = up.dot(graph.position(node));
        low = std::min(low, level);
        high = std::max(high, level);
    }
    std::vector<BodyFrame> frames;
    for (const MirrorPlane& plane : PlaneSearch(field, graph, up).best(max_count)) {
        frames.push_back({up, plane, low - field.cell() / 2, high - low + field.cell(), 0, 0});
        find_crotch(field, frames.back());
    }
    return frames;
}

BodyField split_at_plane(const BodyField& field, const BodyFrame& frame) {
    BodyField split = field;
    // Feet in a robe touch, but count as two.
    const double level = frame.crotch > min_legs ? frame.gap : std::max(frame.gap, frame.crotch);
    std::size_t removed = 0;
    for (std::size_t cell = 0; cell < split.solid.inside.size(); ++cell) {
        if (split.solid.inside[cell] == 0) continue;
        const Vec3d center = field.center(cell);
        if (frame.level(center) > level || std::abs(frame.plane.side(center)) > field.cell()) continue;
        split.solid.inside[cell] = 0;
        split.body[cell] = 0;
        ++removed;
    }
    if (removed == 0) return split;
    split.depth = geometry::signed_distance(split.solid, 16 * field.cell());
    for (float& depth : split.depth) depth = -depth;
    return split;
}

namespace {

/// Of the height: a base is not thicker, and not narrower.
constexpr double max_base = 0.08, min_base_width = 0.2;
/// Of the area of a base: the difference between its layers, and the area of the body that stands on it.
constexpr double uneven_base = 0.7, feet_on_base = 0.5;

/// Number of layers of the lattice, from the lowest, that a base occupies; 0 without a base.
std::size_t base_layers(const BodyField& field) {
    const auto& n = field.solid.lattice.points;
    std::vector<std::size_t> area(n[1], 0);
    std::vector<std::array<std::size_t, 4>> box(n[1], {n[0], 0, n[2], 0});
    for (std::size_t cell = 0; cell < field.solid.inside.size(); ++cell) {
        if (field.solid.inside[cell] == 0) continue;
        const std::size_t i = cell % n[0], j = cell / n[0] % n[1], k = cell / (n[0] * n[1]);
        ++area[j];
        box[j] = {std::min(box[j][0], i), std::max(box[j][1], i), std::min(box[j][2], k),
                  std::max(box[j][3], k)};
    }
    auto first = static_cast<std::size_t>(std::ranges::find_if(area, [](std::size_t a) { return a > 0; }) -
                                          area.begin());
    std::size_t top = n[1];
    while (top > first && area[top - 1] == 0) --top;
    // A flat body has no base.
    const auto height = static_cast<double>(top - std::min(first, top));
    const auto low = static_cast<std::size_t>(2 * max_base * height);
    if (low < 4) return 0;
    const auto layer_at = [&](std::size_t layer) {
        return area.begin() + static_cast<std::ptrdiff_t>(layer);
    };
    const auto widest =
        static_cast<std::size_t>(std::max_element(layer_at(first), layer_at(first + low)) - area.begin());
    const auto even = [&](std::size_t layer) {
        return static_cast<double>(area[layer]) >= uneven_base * static_cast<double>(area[widest]);
    };
    while (!even(first)) ++first;  // small fragments below it
    std::size_t layers = 1;
    while (first + layers + 2 < top && even(first + layers)) ++layers;
    const auto& [left, right, back, front] = box[widest];
    const double width = static_cast<double>(std::min(right - left, front - back) + 1);
    const bool ends = static_cast<double>(area[std::min(first + layers + 1, n[1] - 1)]) <
                      feet_on_base * static_cast<double>(area[widest]);
    if (!ends || static_cast<double>(layers) > max_base * height || width < min_base_width * height) return 0;
    // One connected piece, unlike feet: it fills its box as a disc does.
    const double filled =
        static_cast<double>(area[widest]) / static_cast<double>((right - left + 1) * (front - back + 1));
    return filled > 0.7 ? first + layers : 0;
}

}  // namespace

std::optional<BodyField> without_base(const BodyField& field) {
    const std::size_t top = base_layers(field);
    if (top == 0) return std::nullopt;
    BodyField standing = field;
    const auto& n = field.solid.lattice.points;
    for (std::size_t cell = 0; cell < standing.solid.inside.size(); ++cell) {
        // One more layer, which contains the edge of the base.
        if (cell / n[0] % n[1] > top) continue;
        standing.solid.inside[cell] = 0;
        standing.body[cell] = 0;
    }
    standing.depth = geometry::signed_distance(standing.solid, 16 * field.cell());
    for (float& depth : standing.depth) depth = -depth;
    return standing;
}

namespace {

/// Of the height: minimum length of an arm beside a trunk, and maximum length of a hand on it.
constexpr double min_handle = 0.06, max_hand = 0.09;

/// Finds arms that touch the trunk or the legs, level by level, and separates them there.
class HandleCutter {
  public:
    HandleCutter(BodyField& field, const BodyFrame& frame) : field_(field), frame_(frame) {
        label_layers();
        link_layers();
    }

    /// \return how many cells were taken away
    std::size_t run() {
        std::vector<int> ends;
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const int end = end_of_arm(static_cast<int>(part));
            if (end >= 0) ends.push_back(end);
        }
        std::size_t removed = 0;
        for (const int arm : ends) removed += cut(arm);
        return removed;
    }

  private:
    /// Connected components within a layer of the lattice.
    struct Part {
        std::size_t layer = 0;
        std::vector<std::size_t> cells;
        double low = 1e300, high = -1e300;  ///< along the normal of the plane
        std::vector<int> above, below;

        bool on_side() const { return low > 0 || high < 0; }
    };

    double side(std::size_t cell) const { return frame_.plane.side(field_.center(cell)); }

    void label_layers() {
        const auto& n = field_.solid.lattice.points;
        const auto nx = static_cast<std::ptrdiff_t>(n[0]), nxy = nx * static_cast<std::ptrdiff_t>(n[1]);
        part_of_.assign(field_.solid.inside.size(), -1);
        for (std::size_t seed = 0; seed < part_of_.size(); ++seed) {
            if (field_.solid.inside[seed] == 0 || part_of_[seed] >= 0) continue;
            Part part;
            part.layer = seed / n[0] % n[1];
            part.cells = {seed};
            part_of_[seed] = static_cast<int>(parts_.size());
            for (std::size_t i = 0; i < part.cells.size(); ++i) {
                part.low = std::min(part.low, side(part.cells[i]));
                part.high = std::max(part.high, side(part.cells[i]));
                for (int d = 0; d < 9; ++d) {
                    const std::ptrdiff_t offset = d % 3 - 1 + nxy * (d / 3 - 1);
                    const auto next =
                        static_cast<std::size_t>(static_cast<std::ptrdiff_t>(part.cells[i]) + offset);
                    if (field_.solid.inside[next] == 0 || part_of_[next] >= 0) continue;
                    part_of_[next] = part_of_[seed];
                    part.cells.push_back(next);
                }
            }
            parts_.push_back(std::move(part));
        }
    }

    void link_layers() {
        const auto& n = field_.solid.lattice.points;
        const auto nx = static_cast<std::ptrdiff_t>(n[0]), nxy = nx * static_cast<std::ptrdiff_t>(n[1]);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (const std::size_t cell : parts_[p].cells) {
                for (int d = 0; d < 9; ++d) {
                    const std::ptrdiff_t offset = d % 3 - 1 - nx + nxy * (d / 3 - 1);
                    const int below =
                        part_of_[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + offset)];
                    if (below < 0 || std::ranges::find(parts_[p].below, below) != parts_[p].below.end())
                        continue;
                    parts_[p].below.push_back(below);
                    parts_[at(below)].above.push_back(static_cast<int>(p));
                }
            }
        }
    }

    /// For a part at which an arm leaves the trunk: the lowest part of the arm alone, before it joins the
    /// trunk or a leg again; -1 when it does not.
    int end_of_arm(int part) const {
        const Part& first = parts_[at(part)];
        if (!first.on_side() || first.above.size() != 1) return -1;
        if (parts_[at(first.above[0])].below.size() < 2 || parts_[at(first.above[0])].on_side()) return -1;
        int last = part;
        for (;;) {
            const Part& here = parts_[at(last)];
            if (here.below.size() != 1) return -1;
            const Part& next = parts_[at(here.below[0])];
            if (next.above.size() > 1) break;
            last = here.below[0];
        }
        const auto layers = static_cast<double>(first.layer - parts_[at(last)].layer);
        return layers * field_.cell() < min_handle * frame_.height ? -1 : last;
    }

    /// A wall beside the part that the arm joins, down to the length of a hand, and a floor.
    std::size_t cut(int arm) {
        const double sign = parts_[at(arm)].low > 0 ? 1 : -1, cell = field_.cell();
        const Part& joined = parts_[at(parts_[at(arm)].below[0])];
        // Beside the trunk, but never under the arm.
        const double inner = (sign > 0 ? parts_[at(arm)].low : -parts_[at(arm)].high) - 1.5 * cell;
        double edge = 0;
        for (const int other : joined.above) {
            if (other != arm)
                edge = std::max(edge, sign > 0 ? parts_[at(other)].high : -parts_[at(other)].low);
        }
        edge = std::min(edge, inner);
        std::size_t removed = 0;
        std::vector<int> layer = parts_[at(arm)].below;
        const auto last = static_cast<int>(max_hand * frame_.height / cell);
        for (int k = 0; k <= last && !layer.empty(); ++k) {
            std::vector<int> under;
            for (const int part : layer) {
                bool outside = false;
                for (const std::size_t c : parts_[at(part)].cells) {
                    const double beyond = sign * side(c) - edge;
                    if (beyond <= 0) continue;
                    outside = outside || beyond > cell;
                    if (beyond > cell && k < last) continue;
                    removed += field_.solid.inside[c];
                    field_.solid.inside[c] = 0;
                    field_.body[c] = 0;
                }
                if (!outside) continue;
                for (const int next : parts_[at(part)].below)
                    if (std::ranges::find(under, next) == under.end()) under.push_back(next);
            }
            layer = std::move(under);
        }
        return removed;
    }

    BodyField& field_;
    const BodyFrame& frame_;
    std::vector<int> part_of_;
    std::vector<Part> parts_;
};

}  // namespace

std::optional<BodyField> without_handles(const BodyField& field, const BodyFrame& frame) {
    BodyField open = field;
    if (HandleCutter(open, frame).run() == 0) return std::nullopt;
    open.depth = geometry::signed_distance(open.solid, 16 * field.cell());
    for (float& depth : open.depth) depth = -depth;
    return open;
}

namespace {

constexpr double same_end = 0.07;  ///< of the diagonal: ends nearer than this are one
/// Of the diagonal: maximum distance of the image of an end from the interior.
constexpr double image_reach = 0.03;
constexpr double max_cut = 0.05;     ///< of the diagonal
constexpr double sole = 0.04;        ///< of the height: lower cells stand on the floor
constexpr double min_sole = 0.0004;  ///< of the diagonal squared: a smaller area is not a foot

constexpr double on_plane = 0.02;  ///< of the diagonal: points nearer to the plane lie on it
constexpr double crown = 0.12;  ///< of the height: an end of the plane that is not lower than this is the top

class StandingTips {
  public:
    StandingTips(std::vector<BodyTip> tips, const BodyFrame& frame, const BodyGraph& graph)
        : tips_(std::move(tips)), frame_(frame), graph_(graph), diagonal_(graph.field().diagonal) {
        std::vector<std::uint32_t> roots = body_roots(graph, graph.field());
        distance_ = graph.distances(roots, {});
    }

    StandingEnds run() {
        const std::size_t known = tips_.size();
        for (std::size_t t = 0; t < known; ++t) add_image(t);
        const auto limbs = static_cast<std::ptrdiff_t>(tips_.size());
        add_soles();
        add_crown();
        return {{tips_.begin(), tips_.begin() + limbs}, {tips_.begin() + limbs, tips_.end()}};
    }

  private:
    bool is_known(const Vec3d& point) const {
        return std::ranges::any_of(tips_, [&](const BodyTip& tip) {
            return (graph_.position(tip.node) - point).norm() < same_end * diagonal_;
        });
    }

    /// Its curve ends at most `max_cut` before it, for any thickness of the body there.
    void add(std::uint32_t node) {
        const double cells = max_cut * diagonal_ / graph_.field().cell();
        tips_.push_back({node, static_cast<float>(4 * cells), 0, true});
    }

    void add_image(std::size_t t) {
        const Vec3d image = frame_.plane.reflect(graph_.position(tips_[t].node));
        if (is_known(image)) return;
        const double cell = graph_.field().cell();
        const std::uint32_t near = graph_.nearest(image, static_cast<int>(image_reach * diagonal_ / cell));
        if (near == BodyGraph::none) return;
        // Moved to the farthest point nearby, as other ends are.
        std::uint32_t best = near;
        for (bool climbs = true; climbs;) {
            climbs = false;
            graph_.for_each_neighbour(best, [&](std::uint32_t next, float) {
                if (distance_[next] <= distance_[best]) return;
                if ((graph_.position(next) - image).norm() > same_end * diagonal_) return;
                best = next;
                climbs = true;
            });
        }
        if (!is_known(graph_.position(best))) tips_.push_back({best, distance_[best], 0, false});
    }

    /// One end for each part of the body that stands on the floor, on either side of the plane: the farthest
    /// point, for example the toes; in the hem of a robe, its middle.
    void add_soles() {
        std::vector<char> seen(graph_.size(), 0);
        const auto stands = [&](std::uint32_t node) { return frame_.level(graph_.position(node)) < sole; };
        const double cell = graph_.field().cell();
        for (std::uint32_t start = 0; start < graph_.size(); ++start) {
            if (seen[start] != 0 || !stands(start)) continue;
            std::vector<std::uint32_t> part = {start};
            seen[start] = 1;
            const bool side = frame_.plane.side(graph_.position(start)) > 0;
            for (std::size_t i = 0; i < part.size(); ++i) {
                graph_.for_each_neighbour(part[i], [&](std::uint32_t next, float) {
                    if (seen[next] != 0 || !stands(next) ||
                        (frame_.plane.side(graph_.position(next)) > 0) != side)
                        return;
                    seen[next] = 1;
                    part.push_back(next);
                });
            }
            const double layers = std::max(1.0, sole * frame_.height / cell);
            if (static_cast<double>(part.size()) / layers * cell * cell < min_sole * diagonal_ * diagonal_)
                continue;
            const auto inside = [&](const BodyTip& tip) {
                return std::ranges::find(part, tip.node) != part.end();
            };
            const bool hidden = frame_.crotch <= min_legs;
            if (!hidden && std::ranges::any_of(tips_, inside)) continue;
            Vec3d middle = Vec3d::Zero();
            for (const std::uint32_t n : part)
                middle += graph_.position(n) / static_cast<double>(part.size());
            const std::uint32_t best =
                hidden ? *std::ranges::min_element(
                             part, {}, [&](std::uint32_t n) { return (graph_.position(n) - middle).norm(); })
                       : *std::ranges::max_element(part, {}, [&](std::uint32_t n) { return distance_[n]; });
            if (!is_known(graph_.position(best))) add(best);
        }
    }

    /// The top of a head that is too round to protrude, or that contains the middle of the body.
    void add_crown() {
        std::uint32_t top = BodyGraph::none;
        double highest = 0;
        for (std::uint32_t node = 0; node < graph_.size(); ++node) {
            const Vec3d p = graph_.position(node);
            if (std::abs(frame_.plane.side(p)) > on_plane * diagonal_ || frame_.level(p) <= highest) continue;
            highest = frame_.level(p);
            top = node;
        }
        const auto is_crown = [&](const BodyTip& tip) {
            const Vec3d p = graph_.position(tip.node);
            return std::abs(frame_.plane.side(p)) < same_end * diagonal_ && frame_.level(p) > highest - crown;
        };
        if (top != BodyGraph::none && std::ranges::none_of(tips_, is_crown)) add(top);
    }

    std::vector<BodyTip> tips_;
    const BodyFrame& frame_;
    const BodyGraph& graph_;
    double diagonal_;
    std::vector<float> distance_;
};

}  // namespace

StandingEnds standing_ends(std::vector<BodyTip> tips, const BodyFrame& frame, const BodyGraph& graph) {
    return StandingTips(std::move(tips), frame, graph).run();
}

}  // namespace sinew::rig
