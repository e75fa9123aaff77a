// sinew bench fit: cloth and soft bodies of the published sizes, fitted with proxy joints and by
// decomposition.

#include <array>

#include "suites.h"
#include "table.h"

#include "sinew/fit/corrections.h"
#include "sinew/fit/decomposition.h"
#include "sinew/fit/proxy.h"
#include "sinew/fit/size.h"
#include "sinew/render/plot.h"
#include "sinew/sample/sequences.h"

namespace sinew::cli {
namespace {

/// A row of the published table (Kavan et al. 2007, table 1) and the sequence that stands in for it.
struct Published {
    std::string_view sequence;
    std::string_view name;
    double percent;
    double ratio;
    double minutes;
};

constexpr std::array<Published, 8> table_1 = {{{"falling-skirt-1", "Falling Skirt 1", 0.69, 5.9, 2.2},
                                               {"falling-skirt-2", "Falling Skirt 2", 0.86, 17.6, 10.7},
                                               {"skirt-walk-1", "Skirt Walk 1", 0.84, 11.6, 8.2},
                                               {"skirt-walk-2", "Skirt Walk 2", 1.33, 23.1, 19.9},
                                               {"curtain", "Curtain", 0.16, 27.6, 48.7},
                                               {"soft-body", "Elastic Hippopotamus", 0.11, 24.4, 151.8},
                                               {"soft-body-fine", "Elastic Shark", 0.04, 33.5, 205.7},
                                               {"cloth-body", "Cloth Hippopotamus", 0.86, 24.4, 33.5}}};

model::MeshSequence make(std::string_view name, bool quick) {
    sample::SequenceOptions options;
    if (quick) {
        options.vertices = 600;
        options.frames = 12;
    }
    return sample::make_sequence(name, options);
}

fit::ProxyOptions proxy(bool rigid, int joints) {
    fit::ProxyOptions options;
    options.rigid = rigid;
    options.joints = joints;
    return options;
}

/// 100 joints: the published columns, then ours.
void show_suite(Run& run, bool quick) {
    Table table{"Fits with 100 proxy joints (the sequences are ours, of the published sizes)",
                {"sequence", "stands in for", "vertices", "frames", "published %", "published ratio",
                 "published s", "rigid %", "rigid + 5 %", "affine %", "ratio", "rigid s", "affine s"},
                {}};
    for (const Published& row : table_1) {
        const model::MeshSequence sequence = make(row.sequence, quick);
        fit::FitResult rigid, affine;
        const double rigid_seconds =
            seconds_of_call(1, [&] { rigid = fit::fit_proxy(sequence, proxy(true, 100), run.monitor); });
        const double affine_seconds =
            seconds_of_call(1, [&] { affine = fit::fit_proxy(sequence, proxy(false, 100), run.monitor); });
        const double plain = fit::fit_error(sequence, rigid).error_percent;
        rigid.corrections = fit::eigen_displacements(rigid, sequence, 5);
        const std::size_t vertices = sequence.rest.positions.size(), frames = sequence.frames.size();
        table.rows.push_back({std::string(row.sequence), std::string(row.name), vertices, frames,
                              Cell(row.percent, 2), Cell(row.ratio, 1), Cell(60 * row.minutes, 0),
                              Cell(plain, 3), Cell(fit::fit_error(sequence, rigid).error_percent, 3),
                              Cell(fit::fit_error(sequence, affine).error_percent, 3),
                              Cell(fit::published_ratio(vertices, frames, 100), 1), Cell(rigid_seconds, 2),
                              Cell(affine_seconds, 2)});
    }
    show(run, table);
}

/// Error over the number of bones, every method on one sequence.
void show_growth(Run& run, const SuiteOptions& options) {
    const model::MeshSequence sequence = make("falling-skirt-1", options.quick);
    Table table{
        "Error over bones, falling-skirt-1",
        {"bones", "proxy rigid %", "proxy affine %", "decomposition rigid %", "decomposition affine %"},
        {}};
    render::Plot plot;
    plot.title = "Error over bones";
    plot.x.label = "bones";
    plot.y.label = "% error";
    plot.y.scale = render::AxisScale::logarithmic;
    for (std::size_t c = 1; c < table.columns.size(); ++c) plot.series.emplace_back().name = table.columns[c];
    for (const int bones : {1, 5, 10, 20, 40, 70, 100}) {
        if (options.quick && bones > 20) break;
        const fit::FitResult fits[] = {
            fit::fit_proxy(sequence, proxy(true, bones), run.monitor),
            fit::fit_proxy(sequence, proxy(false, bones), run.monitor),
            fit::fit_decomposition(sequence, {.bones = bones}, run.monitor),
            fit::fit_decomposition(sequence, {.bones = bones, .rigid = false}, run.monitor)};
        std::vector<Cell> cells{static_cast<std::size_t>(bones)};
        for (std::size_t i = 0; i < std::size(fits); ++i) {
            const double percent = fit::fit_error(sequence, fits[i]).error_percent;
            cells.emplace_back(percent, 3);
            plot.series[i].points.push_back({static_cast<double>(bones), percent});
        }
        table.rows.push_back(std::move(cells));
    }
    show(run, table);
    if (!options.folder.empty()) render::save_plot(options.folder / "fit_bones.svg", plot);
}

}  // namespace

void bench_fit(Run& run, const SuiteOptions& options) {
    show_suite(run, options.quick);
    show_growth(run, options);
}

}  // namespace sinew::cli
