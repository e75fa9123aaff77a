// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/model/roles.h"
#include "sinew/render/figures/steps.h"
#include "sinew/rig/silhouette/view.h"

namespace sinew::render {
namespace {

using math::Vec3d;
using rig::DividingPoint;
using rig::JointBoundary;

using step_colors::blue;
using step_colors::ink;
using step_colors::red;

const Vec4f faint_red(0.75f, 0.02f, 0.02f, 0.12f);

const JointBoundary* find_boundary(const rig::RegionResult& result, int joint) {
    const auto found = std::find_if(result.boundaries.begin(), result.boundaries.end(),
                                    [&](const JointBoundary& b) { return b.joint == joint; });
    return found == result.boundaries.end() ? nullptr : &*found;
}

const JointBoundary& boundary_of(const model::Skeleton& skeleton, const rig::RegionResult& result,
                                 int joint) {
    if (joint < 0 || static_cast<std::size_t>(joint) >= skeleton.size())
        fail("", "there is no joint {}: the skeleton has {}", joint, skeleton.size());
    const JointBoundary* const found = find_boundary(result, joint);
    if (found == nullptr)
        fail("", "joint \"{}\" has no boundary: it is the root, or moves no skin of its own",
             skeleton.joints[at(joint)].name);
    return *found;
}

/// Largest decrease of the skin distance along a chosen ray compared with the other rays.
double depth_of_minimum(const JointBoundary& boundary) {
    double deepest = 0;
    for (const DividingPoint& point : boundary.points) {
        if (point.ray < 0) continue;
        double sum = 0;
        int count = 0;
        for (const double d : point.smoothed) {
            if (!std::isfinite(d)) continue;
            sum += d;
            ++count;
        }
        deepest = std::max(deepest, sum / std::max(count, 1) / std::max(point.distance, 1e-12));
    }
    return deepest;
}

void add_line(Overlay& overlay, const std::vector<Vec3d>& points, bool closed, const Vec4f& color,
              float width) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        overlay.segments.push_back(step_line(points[i], points[i + 1], color, width));
    if (closed && points.size() > 2)
        overlay.segments.push_back(step_line(points.back(), points.front(), color, width));
}

/// True when the gap between its ends is not wider than its other steps.
bool is_closed(const std::vector<Vec3d>& line) {
    double longest = 0;
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
        longest = std::max(longest, (line[i + 1] - line[i]).norm());
    return line.size() > 2 && (line.front() - line.back()).norm() <= 2 * longest;
}

/// The fan of a dividing point without the chosen ray, which is drawn over it.
void add_fan(Overlay& overlay, const DividingPoint& point) {
    for (std::size_t i = 0; i < point.profile.size(); ++i) {
        if (!std::isfinite(point.profile[i]) || static_cast<int>(i) == point.ray) continue;
        const Vec3d ray = rig::ray_direction(point.fan, i, point.profile.size());
        overlay.segments.push_back(step_line(point.from, point.from + point.profile[i] * ray, faint_red, 1));
    }
}

/// `over` moves the chosen rays towards the camera, in front of the fans.
Overlay ray_overlay(const rig::RegionResult& result, const Vec3d& over) {
    Overlay overlay;
    for (const JointBoundary& boundary : result.boundaries) {
        for (const DividingPoint& point : boundary.points) {
            add_fan(overlay, point);
            if (point.ray < 0) continue;
            overlay.segments.push_back(step_line(point.from + over, point.position + over, red, 2.5f));
            overlay.points.push_back({Vec3d(point.position + over).cast<float>(), ink, 2.5f});
        }
        if (!boundary.points.empty())
            overlay.points.push_back(
                {Vec3d(boundary.points.front().from + 1.01 * over).cast<float>(), blue, 3});
    }
    return overlay;
}

Overlay curve_overlay(const rig::RegionResult& result, const Vec4f& color, float width, const Vec3d& lift) {
    Overlay overlay;
    for (const JointBoundary& boundary : result.boundaries) {
        for (std::vector<Vec3d> line : boundary.curve) {
            const bool closed = is_closed(line);
            for (Vec3d& point : line) point += lift;
            add_line(overlay, line, closed, color, width);
        }
    }
    return overlay;
}

Overlay boundary_overlay(const rig::RegionResult& result) {
    Overlay overlay = curve_overlay(result, red, 2.5f, Vec3d::Zero());
    for (const JointBoundary& boundary : result.boundaries) {
        add_line(overlay, boundary.simplified, true, blue, 1.5f);
        for (const Vec3d& point : boundary.simplified)
            overlay.points.push_back({point.cast<float>(), blue, 3});
    }
    return overlay;
}

std::vector<Vec4f> region_colors(const rig::RegionResult& result) {
    std::vector<Vec4f> colors;
    for (const int joint : result.region_of_vertex)
        colors.push_back(joint < 0 ? Vec4f(0.5f, 0.5f, 0.5f, 1)
                                   : opaque(joint_color(static_cast<std::size_t>(joint))));
    return colors;
}

/// Dominant areas pale in the colour of their joint, shadows in the full colour of the child that causes
/// them.
std::vector<Vec4f> shadow_colors(const rig::RegionResult& result) {
    std::vector<Vec4f> colors = region_colors(result);
    for (std::size_t v = 0; v < colors.size(); ++v) {
        const auto shadows = result.influenced_by_child[v];
        if (shadows.empty()) {
            colors[v].head<3>() = 0.12f * colors[v].head<3>() + Vec3f::Constant(0.75f);
            continue;
        }
        Vec3f sum = Vec3f::Zero();
        for (const std::uint32_t child : shadows) sum += joint_color(child);
        colors[v] = opaque(sum / static_cast<float>(shadows.size()));
    }
    return colors;
}

std::vector<float> floats(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

/// d_B / (d_B + d_c): 0 on the own boundary, 1 on that of a child; not finite where one of them is missing.
std::vector<float> distance_fractions(const rig::RegionResult& result) {
    std::vector<float> fractions;
    for (std::size_t v = 0; v < result.own_distance.size(); ++v) {
        const double own = result.own_distance[v], sum = own + result.child_distance[v];
        fractions.push_back(std::isfinite(sum) && sum > 0 ? static_cast<float>(own / sum)
                                                          : std::numeric_limits<float>::infinity());
    }
    return fractions;
}

std::vector<float> weights_of(const rig::RegionResult& result, int joint) {
    std::vector<float> weights(result.weights.size(), 0.0f);
    for (std::size_t v = 0; v < weights.size(); ++v)
        for (const rig::JointWeight& entry : result.weights[v])
            if (entry.joint == joint) weights[v] = static_cast<float>(entry.weight);
    return weights;
}

std::vector<Vec4f> blended_colors(const rig::RegionResult& result) {
    std::vector<Vec4f> colors(result.weights.size(), Vec4f(0, 0, 0, 1));
    for (std::size_t v = 0; v < colors.size(); ++v)
        for (const rig::JointWeight& entry : result.weights[v])
            colors[v].head<3>() +=
                static_cast<float>(entry.weight) * joint_color(static_cast<std::size_t>(entry.joint));
    return colors;
}

ValueRange from_zero(const std::vector<float>& values) {
    return {0, std::max(value_range(values).high, 1e-6f)};
}

std::vector<Vec2d> over_rays(const std::vector<double>& distances) {
    std::vector<Vec2d> points;
    for (std::size_t i = 0; i < distances.size(); ++i)
        points.emplace_back(static_cast<double>(i), distances[i]);
    return points;
}

/// Pictures in two rows below a line that explains the colours; about as large as one picture.
Picture draw_profiles(const std::vector<Plot>& plots, const StepPictureOptions& size) {
    constexpr int strip = 30;  // height of the caption, see with_caption
    const PlotSize each = {std::max(size.width / 2, 160), std::max((size.height - strip) / 2, 120)};
    std::vector<Picture> pictures;
    for (const Plot& plot : plots) pictures.push_back(draw(plot, each));
    return with_caption(contact_sheet(pictures, {.columns = 2, .gap = 0}),
                        "measured dashed, smoothed blue, judged green, chosen red");
}

}  // namespace

int profile_joint(const model::Skeleton& skeleton, const rig::RegionResult& result) {
    const int neck = model::find_role(model::find_roles(skeleton), model::Role::neck);
    if (neck >= 0 && find_boundary(result, neck) != nullptr) return neck;
    const auto deepest = std::max_element(
        result.boundaries.begin(), result.boundaries.end(),
        [](const auto& a, const auto& b) { return depth_of_minimum(a) < depth_of_minimum(b); });
    return deepest == result.boundaries.end() ? -1 : deepest->joint;
}

std::vector<Plot> profile_plots(const model::Skeleton& skeleton, const rig::RegionResult& result, int joint) {
    constexpr const char* sides[] = {"+Y", "+Z", "-Y", "-Z"};
    const JointBoundary& boundary = boundary_of(skeleton, result, joint);
    std::vector<Plot> plots;
    double highest = 0;
    for (std::size_t i = 0; i < boundary.points.size(); ++i) {
        const DividingPoint& point = boundary.points[i];
        if (point.ray < 0) continue;
        Plot plot;
        plot.title = fmt::format("{} {}", skeleton.joints[at(joint)].name,
                                 i < std::size(sides) ? sides[i] : "between");
        plot.x.label = "ray";
        plot.y.label = "distance";
        plot.series = {
            {"", over_rays(point.profile), SeriesStyle::dashed, series_color(1)},
            {"", over_rays(point.smoothed), SeriesStyle::line, series_color(0)},
            {"", over_rays(point.judged), SeriesStyle::line, series_color(2)},
            {"", {Vec2d(point.ray, point.distance)}, SeriesStyle::marks, Pixel{190, 20, 20, 255}},
        };
        highest = std::max(highest, point.distance);
        plots.push_back(std::move(plot));
    }
    // Rays along a limb hit the skin far away and would make all other values appear flat.
    for (Plot& plot : plots) {
        plot.y.low = 0;
        plot.y.high = 2.5 * highest;
    }
    return plots;
}

std::vector<StepPicture> draw_weight_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                           const model::Skeleton& skeleton, const WeightStepOptions& options,
                                           Monitor& monitor) {
    return draw_weight_steps(renderer, mesh, skeleton, rig::region_weights(mesh, skeleton, {}, monitor),
                             options);
}

std::vector<StepPicture> draw_weight_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                           const model::Skeleton& skeleton, const rig::RegionResult& result,
                                           const WeightStepOptions& options) {
    const int joint = options.joint < 0 ? profile_joint(skeleton, result) : options.joint;
    const std::vector<Plot> profiles =
        joint < 0 ? std::vector<Plot>() : profile_plots(skeleton, result, joint);
    StepPainter painter(renderer, mesh, options.size);
    const rig::ViewFrame frame = rig::choose_view(rig::welded_surface(mesh)).frame;
    const ViewAxes view = {frame.z.cast<float>(), frame.y.cast<float>()};
    // The view is orthographic, so a shift towards the camera does not change the pixel.
    const Vec3d lift = static_cast<double>(geometry::bounds(mesh.positions).diagonal()) * frame.z;
    const Overlay curves = curve_overlay(result, ink, 1.5f, 0.003 * lift);
    const std::vector<float> own = floats(result.own_distance), child = floats(result.child_distance);
    std::vector<StepPicture> steps = {
        {"rays", "rays to the skin, the chosen ones dark", painter.glass(view, ray_overlay(result, lift))},
        {"boundaries", "curves on the skin red, through the dividing points blue",
         painter.glass(view, boundary_overlay(result))},
        {"regions", "the skin beyond each boundary", painter.colored(view, region_colors(result), curves)},
        {"own", "distance d_B to the boundary of the region", painter.heat(view, own, from_zero(own), "d_B")},
        {"child", "distance d_c to that of the nearest child",
         painter.heat(view, child, from_zero(child), "d_c")},
        {"distances", "the path from one to the other",
         painter.heat(view, distance_fractions(result), {0, 1}, "d_B / (d_B + d_c)")},
        {"shadows", "dominant areas pale, shadows in the colour of the child",
         painter.colored(view, shadow_colors(result), curves)},
        {"weights", "each vertex in the colours of its joints",
         painter.colored(view, blended_colors(result))},
    };
    if (joint < 0) return steps;
    const std::string& name = skeleton.joints[at(joint)].name;
    steps.push_back(
        {"joint", "weight of " + name, painter.heat(view, weights_of(result, joint), {0, 1}, "weight")});
    if (!profiles.empty())
        steps.push_back(
            {"profile", "distance of the skin from " + name, draw_profiles(profiles, options.size)});
    return steps;
}

}  // namespace sinew::render
