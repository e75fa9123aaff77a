// SPDX-License-Identifier: MIT
// sinew-bench fit: cloth and soft bodies of the published sizes, fitted with proxy joints, clusters and by
// decomposition, beside the published columns.

#include "sinew/fit/fit.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "../fit_baselines.h"
#include "fit_tables.h"
#include "suites.h"

#include "sinew/fit/decomposition/clusters.h"
#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/proxy/proxy.h"
#include "sinew/render/figures.h"
#include "sinew/sample/sequences.h"

namespace sinew::bench {
namespace {

/// A row of the published table (Kavan et al. 2007, table 1) and the sequence that replaces it.
struct Published {
    std::string_view sequence;
    std::string_view name;
    double percent;
    double ratio;
    double minutes;
};

constexpr std::array<Published, 9> table_1 = {{{"falling-skirt-1", "Falling Skirt 1", 0.69, 5.9, 2.2},
                                               {"falling-skirt-2", "Falling Skirt 2", 0.86, 17.6, 10.7},
                                               {"skirt-walk-1", "Skirt Walk 1", 0.84, 11.6, 8.2},
                                               {"skirt-walk-2", "Skirt Walk 2", 1.33, 23.1, 19.9},
                                               {"curtain", "Curtain", 0.16, 27.6, 48.7},
                                               {"soft-body", "Elastic Hippopotamus", 0.11, 24.4, 151.8},
                                               {"soft-body-fine", "Elastic Shark", 0.04, 33.5, 205.7},
                                               {"cloth-body", "Cloth Hippopotamus", 0.86, 24.4, 33.5},
                                               {"cloth-body-fine", "Cloth Camel", 0.80, 50.4, 79.5}}};

/// A row of table 2: proxy joints (SAD) against clusters (SMA), in brackets with 10 corrections.
struct Compared {
    std::string_view sequence;
    std::string_view name;
    int joints;
    double sad, sad_corrected, sma, sma_corrected;
};

constexpr std::array<Compared, 4> table_2 = {{{"cloth-body-short", "Cloth Horse", 6, 7.67, 0.17, 41.7, 0.88},
                                              {"flag", "Flag", 32, 1.17, 0.44, 21.2, 5.93},
                                              {"flag", "Flag", 100, 0.46, 0.17, 2.26, 1.25},
                                              {"soft-body-long", "Elastic Cow", 18, 2.48, 1.2, 2.82, 1.54}}};

model::MeshSequence make(std::string_view name, bool quick) {
    sample::SequenceOptions options;
    if (quick) {
        options.vertices = 300;
        options.frames = 8;
    }
    return sample::make_sequence(name, options);
}

fit::ProxyOptions proxy(bool rigid, int joints, int refinements = 0) {
    fit::ProxyOptions options;
    options.rigid = rigid;
    options.joints = joints;
    options.refinements = refinements;
    return options;
}

/// Of all threads together, so that other work on the machine does not count.
template <class Work>
double processor_seconds(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double percent_of(const model::MeshSequence& sequence, const fit::FitResult& fit) {
    return fit::fit_error(sequence, fit).error_percent;
}

double corrected_percent(const model::MeshSequence& sequence, fit::FitResult fit, std::size_t corrections) {
    fit.corrections = fit::eigen_displacements(fit, sequence, corrections);
    return percent_of(sequence, fit);
}

/// What `sinew fit --method proxy --bones 100 --rigid` does without further options.
fit::FitOptions command_defaults() {
    fit::FitOptions choice;
    choice.method = fit::FitMethod::proxy;
    choice.bones = 100;
    return choice;
}

/// 100 joints: the published columns, then ours.
void show_suite(Run& run, bool quick) {
    Table table{
        "Fits with 100 proxy joints (the sequences are ours, of the published sizes; seconds of processor "
        "time)",
        {"sequence",
         "replaces",
         "vertices",
         "frames",
         "published %",
         "published ratio",
         "published s",
         "R4 %",
         "hats %",
         "hats + 5 corrections %",
         "left of hats",
         "command %",
         "command + 5 corrections %",
         "left of command",
         "affine, hats %",
         "ratio",
         "honest ratio",
         "hats s",
         "command s",
         "affine s"},
        {}};
    for (const Published& row : table_1) {
        const model::MeshSequence sequence = make(row.sequence, quick);
        fit::FitResult rigid, affine;
        fit::Fitted command;
        const double rigid_seconds =
            processor_seconds([&] { rigid = fit::fit_proxy(sequence, proxy(true, 100), run.monitor); });
        const double command_seconds =
            processor_seconds([&] { command = fit::fit(sequence, command_defaults(), run.monitor); });
        const double affine_seconds =
            processor_seconds([&] { affine = fit::fit_proxy(sequence, proxy(false, 100), run.monitor); });
        fit::ProxyOptions published = proxy(true, 100);
        published.dual.method = fit::DualMethod::published;
        const double r4 = percent_of(sequence, fit::fit_proxy(sequence, published));
        const std::size_t vertices = sequence.rest.positions.size(), frames = sequence.frames.size();
        const double honest = static_cast<double>(fit::sequence_bytes(vertices, frames)) /
                              static_cast<double>(fit::size_of(command.fit).total());
        const double hats = percent_of(sequence, rigid),
                     hats_corrected = corrected_percent(sequence, rigid, 5);
        const double own = command.error.error_percent,
                     own_corrected = corrected_percent(sequence, command.fit, 5);
        table.rows.push_back({std::string(row.sequence),
                              std::string(row.name),
                              vertices,
                              frames,
                              Cell(row.percent, 2),
                              Cell(row.ratio, 1),
                              Cell(60 * row.minutes, 0),
                              Cell(r4, 3),
                              Cell(hats, 3),
                              Cell(hats_corrected, 4),
                              Cell(hats_corrected / hats, 2),
                              Cell(own, 3),
                              Cell(own_corrected, 4),
                              Cell(own_corrected / own, 2),
                              Cell(percent_of(sequence, affine), 3),
                              Cell(fit::published_ratio(vertices, frames, 100), 1),
                              Cell(honest, 1),
                              Cell(rigid_seconds, 2),
                              Cell(command_seconds, 2),
                              Cell(affine_seconds, 2)});
    }
    show(run, table);
}

/// Proxy joints against clusters at the same number of bones.
void show_comparison(Run& run, bool quick) {
    Table table{"Proxy joints and clusters, rigid; \"+ 10\" with 10 corrections",
                {"sequence", "replaces", "bones", "published proxy %", "published proxy + 10 %",
                 "published clusters %", "published clusters + 10 %", "proxy %", "proxy + 10 %", "clusters %",
                 "clusters + 10 %", "clusters found", "proxy s", "clusters s"},
                {}};
    for (const Compared& row : table_2) {
        const model::MeshSequence sequence = make(row.sequence, quick);
        fit::FitResult joints, clusters;
        const double joint_seconds = processor_seconds(
            [&] { joints = fit::fit_proxy(sequence, proxy(true, row.joints, 1), run.monitor); });
        fit::ClusterOptions options;
        options.bones = row.joints;
        const double cluster_seconds =
            processor_seconds([&] { clusters = fit::fit_clusters(sequence, options, run.monitor); });
        table.rows.push_back(
            {std::string(row.sequence), std::string(row.name), static_cast<std::size_t>(row.joints),
             Cell(row.sad, 2), Cell(row.sad_corrected, 2), Cell(row.sma, 2), Cell(row.sma_corrected, 2),
             Cell(percent_of(sequence, joints), 3), Cell(corrected_percent(sequence, joints, 10), 4),
             Cell(percent_of(sequence, clusters), 3), Cell(corrected_percent(sequence, clusters, 10), 4),
             clusters.bone_count(), Cell(joint_seconds, 2), Cell(cluster_seconds, 2)});
    }
    show(run, table);
}

/// Rigid and affine joints, principal components and parts without blending that take the same bytes.
void show_equal_bytes(Run& run, bool quick) {
    Table table{"The same bytes for everyone",
                {"sequence", "bytes", "rigid, 100 joints %", "affine joints", "affine %", "components",
                 "principal components %", "without blending, 100 parts %"},
                {}};
    for (const std::string_view name : {"falling-skirt-1", "skirt-walk-1"}) {
        if (quick && name != "falling-skirt-1") continue;
        const model::MeshSequence sequence = make(name, quick);
        const fit::FitResult rigid = fit::fit_proxy(sequence, proxy(true, 100, 1), run.monitor);
        const std::size_t bytes = fit::size_of(rigid).total();
        const int joints = 100 * 8 / 12;  // floats of a dual quaternion and of a matrix
        const fit::FitResult affine = fit::fit_proxy(sequence, proxy(false, joints, 1), run.monitor);
        const fit::PcaFit components = fit::pca_for_bytes(sequence, bytes);
        table.rows.push_back(
            {std::string(name), bytes, Cell(percent_of(sequence, rigid), 3), static_cast<std::size_t>(joints),
             Cell(percent_of(sequence, affine), 3), components.components, Cell(components.error_percent, 3),
             Cell(percent_of(sequence, fit::fit_unblended(sequence, quick ? 20 : 100, run.monitor)), 3)});
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
    for (const char* name : {"proxy rigid", "proxy affine", "decomposition rigid", "decomposition affine"})
        plot.series.emplace_back().name = name;
    for (const int bones : {1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}) {
        if (options.quick && bones > 10) break;
        const fit::FitResult fits[] = {
            fit::fit_proxy(sequence, proxy(true, bones), run.monitor),
            fit::fit_proxy(sequence, proxy(false, bones), run.monitor),
            fit::fit_decomposition(sequence, {.bones = bones}, run.monitor),
            fit::fit_decomposition(sequence, {.bones = bones, .rigid = false}, run.monitor)};
        std::vector<Cell> cells{static_cast<std::size_t>(bones)};
        for (std::size_t i = 0; i < std::size(fits); ++i) {
            const double percent = percent_of(sequence, fits[i]);
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
    if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
    show_suite(run, options.quick);
    show_comparison(run, options.quick);
    show_equal_bytes(run, options.quick);
    show_growth(run, options);
    show_crowd(run, options.quick);
    show_memory(run, options.quick);
    if (options.folder.empty()) return;
    // A few frames of the skirt hardly move.
    const model::MeshSequence sequence =
        make(options.quick ? "cloth-body" : "falling-skirt-2", options.quick);
    fit::FitResult fit = fit::fit_proxy(sequence, proxy(true, options.quick ? 20 : 100), run.monitor);
    fit.corrections = fit::eigen_displacements(fit, sequence, 20);
    plot_corrections(options.folder, sequence, fit);
    fit.corrections = fit::eigen_displacements(fit, sequence, 5);
    draw_fit(options.folder, sequence, fit);
}

}  // namespace sinew::bench
