// SPDX-License-Identifier: MIT
#include "sinew/articulated/gaps.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/articulated/closing/output.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::articulated {

GapFrame::GapFrame() = default;
GapFrame::GapFrame(const GapFrame&) = default;
GapFrame::GapFrame(GapFrame&&) noexcept = default;
GapFrame& GapFrame::operator=(const GapFrame&) = default;
GapFrame& GapFrame::operator=(GapFrame&&) noexcept = default;
GapFrame::~GapFrame() = default;

struct GapCloser::Data {
    PartBody body;
    GapOptions options;
    std::vector<Gap> gaps;
    SplitVertices split;
    std::vector<geometry::Vec3f> normals;
    PartSolids solids;
    SoftSeams soft;
    std::vector<SoftPoint> soft_vertices;
    std::vector<std::vector<SoftPoint>> soft_points;  ///< per side: 2 gap + side
};

GapCloser::GapCloser(PartBody body, const GapOptions& options, Monitor& monitor)
    : data_(std::make_unique<Data>()) {
    data_->body = std::move(body);
    data_->options = options;
    data_->gaps = prepare_gaps(data_->body);
    data_->split = split_vertices(data_->body, data_->gaps);
    data_->solids = PartSolids(data_->body, options.inside);
    data_->soft = SoftSeams(data_->body, data_->gaps, options.constant_topology ? 0 : options.softness);
    data_->soft_vertices = soft_vertices(data_->body, data_->split, data_->soft);
    for (const Gap& gap : data_->gaps)
        for (const GapSide& side : gap.sides) data_->soft_points.push_back(soft_points(side, data_->soft));
    const geometry::Mesh& mesh = data_->body.mesh;
    data_->normals =
        mesh.normals.empty() ? geometry::vertex_normals(mesh.positions, mesh.triangles) : mesh.normals;
    for (const Gap& gap : data_->gaps) {
        if (gap.crowded && gap.closed)
            warn(monitor, "short-part", "\"{}\" meets \"{}\" too close to another joint to be cut freely",
                 data_->body.cut.names[static_cast<std::size_t>(gap.child)],
                 data_->body.cut.names[static_cast<std::size_t>(gap.parent)]);
    }
}

GapCloser::GapCloser(GapCloser&&) noexcept = default;
GapCloser& GapCloser::operator=(GapCloser&&) noexcept = default;
GapCloser::~GapCloser() = default;

const PartBody& GapCloser::body() const {
    return data_->body;
}
const GapOptions& GapCloser::options() const {
    return data_->options;
}
const std::vector<Gap>& GapCloser::gaps() const {
    return data_->gaps;
}
const SoftSeams& GapCloser::soft() const {
    return data_->soft;
}

namespace {

void check(std::span<const math::Rigidd> world, std::size_t parts) {
    if (world.size() != parts) fail("", "{} transforms are given for {} parts", world.size(), parts);
    for (const math::Rigidd& w : world)
        if (!w.rotation.coeffs().allFinite() || !w.translation.allFinite())
            fail("", "the transform of a part is not finite");
}

/// True when the two parts of a gap have moved relative to each other, within a tolerance.
bool has_moved(const Gap& gap, const math::Rigidd& relative) {
    constexpr double still = 1e-4;  // radians
    const double angle = math::angle_between<double>(math::Quatd::Identity(), relative.rotation);
    const double shift = (relative * gap.centre - gap.centre).norm();
    return angle > still || shift > still * std::max(gap.radius, gap.spacing);
}

void warn_about(const PartBody& body, const Gap& gap, const GapPatch& patch, Monitor& monitor) {
    const std::string& name = body.cut.names[static_cast<std::size_t>(gap.child)];
    if (patch.motion.angle > math::radians(179))
        warn(monitor, "gap-half-turn",
             "\"{}\" is rotated by 180 degrees against \"{}\": the direction is not defined", name,
             body.cut.names[static_cast<std::size_t>(gap.parent)]);
    if (2 * patch.drawn > gap.loop_size)
        warn(monitor, "gap-drawn", "the skin of \"{}\" is drawn in at its joint: nothing could be cut there",
             name);
}

}  // namespace

GapFrame GapCloser::close(std::span<const math::Rigidd> world, Monitor& monitor) const {
    using Clock = std::chrono::steady_clock;
    const Data& d = *data_;
    check(world, d.body.part_count());
    GapFrame frame;
    frame.patches.resize(d.gaps.size());
    frame.removed_triangles.assign(d.body.mesh.triangles.size(), 0);
    const auto close_one = [&](std::size_t g) {
        const Gap& gap = d.gaps[g];
        const math::Rigidd& parent = world[static_cast<std::size_t>(gap.parent)];
        const math::Rigidd relative = parent.inverse() * world[static_cast<std::size_t>(gap.child)];
        if (d.options.constant_topology || has_moved(gap, relative)) {
            const InsideOther inside = [&](int side, const Vec3d& point) {
                return d.solids.contains(gap.sides[1 - side].part, point);
            };
            JointMove move{relative, {}};
            for (std::size_t s = 0; s < 2; ++s)
                move.bent[s] = bent_points(d.body, gap.sides[s], d.soft_points[2 * g + s], world);
            frame.patches[g] = close_gap(gap, d.body, move, inside, d.options);
        }
        frame.patches[g].gap = g;
        frame.patches[g].world = parent;
        for (int s = 0; s < 2 && frame.patches[g].moved; ++s)
            for (std::size_t t = 0; t < gap.sides[s].triangles.size(); ++t)
                if (frame.patches[g].cut.sides[s].removed_triangles[t])
                    frame.removed_triangles[gap.sides[s].triangle_ids[t]] = 1;
    };
    if (d.options.parallel) {
        parallel_for(d.gaps.size(), 1, close_one);
    } else {
        for (std::size_t g = 0; g < d.gaps.size(); ++g) close_one(g);
    }
    const auto middle = Clock::now();
    frame.mesh = d.body.mesh;
    frame.moved_gaps = static_cast<std::size_t>(std::ranges::count(frame.patches, true, &GapPatch::moved));
    if (frame.moved_gaps == 0) {
        move_whole(d.body, d.gaps, d.split, world, frame.mesh);
        return frame;
    }
    move_parts(d.body, d.split, d.normals, world, frame.mesh);
    move_soft(d.body, d.split, d.soft_vertices, d.normals, world, frame.mesh);
    join_seams(d.gaps, d.split, world, frame);
    add_patches(d.body, d.gaps, d.split, world, frame);
    frame.skin_seconds = std::chrono::duration<double>(Clock::now() - middle).count();
    patch_normals(d.body, d.gaps, d.split, d.soft, d.options, frame);
    for (const GapPatch& patch : frame.patches) {
        frame.seconds.include(patch.seconds);
        if (patch.moved) warn_about(d.body, d.gaps[patch.gap], patch, monitor);
    }
    return frame;
}

GapView view_gap(const GapCloser& closer, const GapFrame& frame, int wanted) {
    if (frame.patches.empty() || wanted >= static_cast<int>(frame.patches.size()))
        fail("", "there is no gap {}: the body has {}", std::max(wanted, 0), frame.patches.size());
    const auto largest = std::ranges::max_element(
        frame.patches, {}, [](const GapPatch& p) { return p.moved ? p.motion.angle : 0.0; });
    const std::size_t index = wanted >= 0 ? static_cast<std::size_t>(wanted)
                                          : static_cast<std::size_t>(largest - frame.patches.begin());
    const Gap& gap = closer.gaps()[index];
    const GapPatch& patch = frame.patches[index];
    GapView view;
    view.parent = gap.parent;
    view.child = gap.child;
    view.centre = gap.centre;
    view.normal = gap.normal;
    view.radius = gap.radius;
    view.axis = patch.motion.axis;
    view.opening.assign(gap.sides[0].points.begin(),
                        gap.sides[0].points.begin() + static_cast<std::ptrdiff_t>(gap.loop_size));
    view.removed_triangles.assign(closer.body().mesh.triangles.size(), 0);
    if (!patch.moved) return view;
    for (int s = 0; s < 2; ++s) {
        for (std::size_t t = 0; t < gap.sides[s].triangles.size(); ++t)
            if (patch.cut.sides[s].removed_triangles[t])
                view.removed_triangles[gap.sides[s].triangle_ids[t]] = 1;
        const GapClasses classes = classes_of(gap, patch, s);
        view.circle[s] = classes.circle;
        view.bezier[s] = classes.bezier;
        view.neighbours[s] = classes.extra;
    }
    const auto first_new = static_cast<std::ptrdiff_t>(patch.strip.loop_points());
    view.added.assign(patch.strip.points.begin() + first_new, patch.strip.points.end());
    view.first_triangle = frame.mesh.triangles.size() - frame.patch_triangles;
    for (std::size_t g = 0; g < index; ++g)
        if (frame.patches[g].moved) view.first_triangle += frame.patches[g].strip.triangles.size();
    view.triangle_count = patch.strip.triangles.size();
    return view;
}

GapDeformer::GapDeformer(const model::Character& character, const GapOptions& options, Monitor& monitor)
    : character_(character),
      parts_(rigid_parts_of_skin(character, monitor)),
      closer_(parts_.body, options, monitor) {}

geometry::Mesh GapDeformer::mesh_at(const model::Clip* clip, double time, Monitor& monitor) const {
    return mesh_at(model::palette(character_.skin, model::world_matrices(character_, clip, time)), monitor);
}

geometry::Mesh GapDeformer::mesh_at(std::span<const math::Mat4d> palette, Monitor& monitor) const {
    return closer_.close(part_transforms(parts_, palette), monitor).mesh;
}

}  // namespace sinew::articulated
