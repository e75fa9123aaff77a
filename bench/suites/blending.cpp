// SPDX-License-Identifier: MIT
// sinew-bench blending: the axioms of every blend, and how far the fast blends are from constant speed.

#include <chrono>

#include "bench/study/axioms.h"
#include "bench/study/blend_curves.h"
#include "suites.h"

#include "sinew/render/figures.h"

namespace sinew::bench {
namespace {

using math::Curve;
using render::Plot;
using render::Series;

/// Rotations between the two inputs, in degrees, for which Kavan 2007, 4.5 gives the bound at 180.
constexpr std::array angles = {30, 60, 90, 120, 150, 180};
/// 1 rad about x to sqrt 2 rad about (1,1,0): the example of Kavan 2007, appendix B.
const math::Vec3d log_start(1, 0, 0), log_end(1, 1, 0);

void show_axioms(Run& run, bool quick) {
    deform::AxiomOptions how;
    how.samples = quick ? 50 : 500;
    Table table{fmt::format("Axioms of blending: + holds, - does not, and the largest residual of {} samples",
                            how.samples),
                {"blend"},
                {}};
    for (std::size_t a = 0; a < deform::axiom_count; ++a)
        table.columns.emplace_back(deform::name(static_cast<deform::Axiom>(a)));
    for (const deform::AxiomRow& row : deform::axiom_table(how)) {
        std::vector<Cell> cells{row.name};
        for (std::size_t a = 0; a < deform::axiom_count; ++a) {
            Cell cell(row.residuals[a], 0);
            cell.text = fmt::format("{} {:.0e}", row.holds(static_cast<deform::Axiom>(a)) ? '+' : '-',
                                    row.residuals[a]);
            cells.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(cells));
    }
    show(run, table);
}

void show_bounds(const Run& run) {
    Table table{
        "Largest deviation of the linear blends from constant speed (bounds there: 8.15 degrees, 15.1 %)",
        {"relative rotation", "QLB, DLB angle (degrees)", "DLB pitch (percent of the slide)"},
        {}};
    for (const int degrees : angles) {
        const double angle = math::radians(degrees);
        table.rows.push_back({fmt::format("{} degrees", degrees),
                              {math::degrees(math::max_deviation(math::angle_curve(angle, 10'001))), 5},
                              {100 * math::max_deviation(math::pitch_curve(angle, 1, 10'001)), 4}});
    }
    show(run, table);
}

void show_log_speed(const Run& run) {
    Table table{"Angular speed of log-matrix blending from (1,0,0) to (1,1,0), rad per unit of t",
                {"t", "measured", "closed form"},
                {}};
    for (const math::CurvePoint& point : math::log_speed_curve(log_start, log_end, 5))
        table.rows.push_back(
            {{point.t, 2}, {point.value, 7}, {math::log_blend_speed(point.t, log_start, log_end), 7}});
    show(run, table);
    const Curve curve = math::log_speed_curve(log_start, log_end, 2);
    run.say("\nLength of its way {:.6f} rad, of the shortest {:.6f} rad.",
            math::log_blend_length(log_start, log_end), curve.front().reference);
}

/// value - reference of a curve for every angle, times a factor.
template <class MakeCurve>
void add_deviations(Plot& plot, double factor, const MakeCurve& curve_of) {
    for (const int degrees : angles) {
        Series series;
        series.name = fmt::format("{}°", degrees);
        for (const math::CurvePoint& p : curve_of(math::radians(degrees)))
            series.points.emplace_back(p.t, factor * (p.value - p.reference));
        plot.series.push_back(std::move(series));
    }
}

/// The two dashed lines that no curve may cross.
void add_bound(Plot& plot, double bound, const std::string& name) {
    for (const double sign : {1.0, -1.0}) {
        Series series;
        if (sign > 0) series.name = name;
        series.points = {{0, sign * bound}, {1, sign * bound}};
        series.style = render::SeriesStyle::dashed;
        series.color = render::pixel_from_hex(0x909090);
        plot.series.push_back(std::move(series));
    }
}

Plot angle_plot() {
    Plot plot{"QLB against SLERP: the angle runs ahead and behind",
              {"weight t of the second rotation", {}, 0, 1},
              {"angle of QLB - angle of SLERP (degrees)", {}, {}, {}},
              {}};
    add_deviations(plot, math::degrees(1), [](double angle) { return math::angle_curve(angle, 201); });
    add_bound(plot, 8.15, "bound 8.15°");
    return plot;
}

Plot pitch_plot() {
    Plot plot{"DLB against ScLERP: the slide along the screw axis",
              {"weight t of the second motion", {}, 0, 1},
              {"slide of DLB - slide of ScLERP (percent)", {}, {}, {}},
              {}};
    add_deviations(plot, 100, [](double angle) { return math::pitch_curve(angle, 1, 201); });
    add_bound(plot, 15.1, "bound 15.1 %");
    return plot;
}

Plot log_speed_plot() {
    Plot plot{"Log-matrix blending is not of constant speed",
              {"weight t", {}, 0, 1},
              {"angular speed (rad per unit of t)", {}, {}, {}},
              {}};
    Series blend{"log-matrix", {}, {}, {}}, shortest{"shortest way, constant", {}, {}, {}};
    for (const math::CurvePoint& p : math::log_speed_curve(log_start, log_end, 201)) {
        blend.points.emplace_back(p.t, p.value);
        shortest.points.emplace_back(p.t, p.reference);
    }
    shortest.style = render::SeriesStyle::dashed;
    plot.series = {blend, shortest};
    return plot;
}

void write_plots(Run& run, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const Plot& plot) {
        for (const char* kind : {".png", ".svg"}) {
            const std::filesystem::path path = folder / (std::string(name) + kind);
            render::save_plot(path, plot);
            run.report.extra["files"].push_back(path.string());
        }
    };
    write("blend_angle", angle_plot());
    write("blend_pitch", pitch_plot());
    write("blend_log_speed", log_speed_plot());
    run.say("\nwrote the plots to {}", folder.string());
}

}  // namespace

void bench_blending(Run& run, const SuiteOptions& options) {
    show_axioms(run, options.quick);
    show_bounds(run);
    show_log_speed(run);
    if (!options.folder.empty()) write_plots(run, options.folder);
}

}  // namespace sinew::bench
