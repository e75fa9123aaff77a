// SPDX-License-Identifier: MIT
// sinew fit: computes bones and weights that reproduce a mesh sequence.

#include "sinew/fit/fit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/report.h"
#include "sinew/fit/fit_file.h"
#include "sinew/io/interchange.h"

namespace sinew::cli {
namespace {

/// One motion, or several of the same mesh in sequence.
class FitInput {
  public:
    /// With `streamed`, the frames of point caches are read from their files on demand.
    FitInput(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options,
             bool streamed);
    FitInput(const FitInput&) = delete;
    FitInput& operator=(const FitInput&) = delete;

    const fit::FrameSource& source() const { return source_; }
    /// Empty when the frames are read on demand.
    const model::MeshSequence& sequence() const { return sequence_; }
    /// Several when there are several motions; otherwise empty.
    const std::vector<fit::ClipRange>& clips() const { return clips_; }
    /// Releases the frames in memory.
    void drop_frames() { sequence_.frames = {}; }

  private:
    void open(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options);
    void read(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options);

    std::vector<std::unique_ptr<io::CacheStream>> caches_;
    model::MeshSequence sequence_;
    fit::FrameSource source_;
    std::vector<fit::ClipRange> clips_;
};

bool is_cache(const std::filesystem::path& path) {
    return is_of(output::caches, path);
}

/// "walk" for walk.pc2 and for the folder walk/.
std::string name_of(const std::filesystem::path& path) {
    return (path.has_filename() ? path : path.parent_path()).stem().string();
}

/// The point cache in a folder whose sequence it is; other paths are not changed.
std::filesystem::path resolved(const std::filesystem::path& path) {
    std::error_code code;
    if (!std::filesystem::is_directory(path, code) || std::filesystem::is_directory(path / "frames", code))
        return path;
    for (const char* name : {"animation.pc2", "animation.mdd"})
        if (std::filesystem::exists(path / name, code)) return path / name;
    return path;
}

model::MeshSequence read_sequence(Run& run, const std::filesystem::path& given,
                                  const io::ReadOptions& options) {
    const std::filesystem::path path = resolved(given);
    // Frame by frame, so that the file and its frames are not both in memory; units are converted as usual.
    if (is_cache(path) && options.units.empty() && options.up.empty() && !options.strict) {
        const StageTimer timer(run.report, "read");
        run.report.inputs.push_back(given.string());
        const io::CacheStream cache(path, options, run.monitor);
        model::MeshSequence sequence;
        sequence.rest = cache.rest();
        sequence.rate = cache.rate();
        for (std::size_t f = 0; f < cache.size(); ++f) {
            step(run.monitor, "reading", static_cast<double>(f) / static_cast<double>(cache.size()));
            sequence.frames.push_back(cache.frame(f));
        }
        return sequence;
    }
    io::Asset asset = load(run, given, options);
    if (asset.sequence.empty())
        fail(given.string(), "holds no mesh sequence: a folder of frames, a point cache or animated morphs");
    return std::move(asset.sequence);
}

FitInput::FitInput(Run& run, const std::vector<std::filesystem::path>& paths, const io::ReadOptions& options,
                   bool streamed) {
    const auto in_parts = [](const std::filesystem::path& path) { return is_cache(resolved(path)); };
    if (streamed && std::all_of(paths.begin(), paths.end(), in_parts)) {
        open(run, paths, options);
    } else {
        read(run, paths, options);
    }
    if (paths.size() == 1) clips_.clear();
}

void FitInput::open(Run& run, const std::vector<std::filesystem::path>& paths,
                    const io::ReadOptions& options) {
    std::vector<fit::NamedSource> motions;
    for (const std::filesystem::path& path : paths) {
        run.report.inputs.push_back(path.string());
        caches_.push_back(std::make_unique<io::CacheStream>(resolved(path), options, run.monitor));
        const io::CacheStream& cache = *caches_.back();
        motions.push_back({name_of(path),
                           {cache.rest(), cache.rate(), cache.size(),
                            [&cache](std::size_t frame) { return cache.frame(frame); }}});
    }
    fit::JoinedSource joined = fit::joined(std::move(motions));
    source_ = std::move(joined.source);
    clips_ = std::move(joined.clips);
}

void FitInput::read(Run& run, const std::vector<std::filesystem::path>& paths,
                    const io::ReadOptions& options) {
    std::vector<std::pair<std::string, model::MeshSequence>> motions;
    for (const std::filesystem::path& path : paths)
        motions.emplace_back(name_of(path), read_sequence(run, path, options));
    fit::JoinedSequence joined = fit::joined(std::move(motions));
    sequence_ = std::move(joined.sequence);
    clips_ = std::move(joined.clips);
    source_ = fit::source_of(sequence_);
}

struct FitArguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    std::filesystem::path checkpoint;
    std::filesystem::path resume;
    std::filesystem::path rebind;
    io::ReadOptions read;
    fit::FitOptions choice;
    std::size_t chunk = 0;
    std::string transforms = "rigid";
    std::string method = "auto";
    std::string precision = "single";
    std::string stage;
    std::string spread = "even";
    int bits = 0;
    bool rigid = false;
    bool affine = false;
    CLI::Option* influences = nullptr;
};

const std::map<std::string, fit::FitMethod>& methods() {
    static const std::map<std::string, fit::FitMethod> table = {
        {"auto", fit::FitMethod::automatic},
        {"decomposition", fit::FitMethod::decomposition},
        {"proxy", fit::FitMethod::proxy},
        {"clusters", fit::FitMethod::clusters}};
    return table;
}

const std::map<std::string, fit::FitPrecision>& precisions() {
    static const std::map<std::string, fit::FitPrecision> table = {
        {"exact", fit::FitPrecision::exact},
        {"single", fit::FitPrecision::single},
        {"quantised", fit::FitPrecision::quantised}};
    return table;
}

const std::map<std::string, fit::SeedPlacement>& spreads() {
    static const std::map<std::string, fit::SeedPlacement> table = {
        {"even", fit::SeedPlacement::even},
        {"relaxed", fit::SeedPlacement::relaxed},
        {"adaptive", fit::SeedPlacement::adaptive},
        {"surface", fit::SeedPlacement::surface}};
    return table;
}

/// Stores the best iterate on disk: at most once per second, and at the end, whatever its cause.
class Checkpoint {
  public:
    explicit Checkpoint(std::filesystem::path path) : path_(std::move(path)) {}
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;
    /// Data are unsaved here only after a cancelled or failed fit, which is reported to the user.
    ~Checkpoint() {
        try {
            save();
        } catch (const std::exception&) {
        }
    }

    std::function<void(const fit::FitResult&)> keeper() {
        if (path_.empty()) return {};
        return [this](const fit::FitResult& iterate) {
            unsaved_ = iterate;
            if (std::chrono::steady_clock::now() - saved_ >= std::chrono::seconds(1)) save();
        };
    }

    void save() {
        if (!unsaved_) return;
        write_file(path_, fit::write_fit(*unsaved_, {.precision = fit::FitPrecision::exact}));
        unsaved_.reset();
        saved_ = std::chrono::steady_clock::now();
    }

  private:
    std::filesystem::path path_;
    std::optional<fit::FitResult> unsaved_;
    std::chrono::steady_clock::time_point saved_;
};

/// Names, frames and errors of the clips, when there are several.
void report_clips(Run& run, const fit::Fitted& chosen) {
    const std::vector<double> rms = fit::clip_rms(chosen.fit.clips, chosen.error);
    Json list = Json::array();
    for (std::size_t c = 0; c < rms.size(); ++c) {
        const fit::ClipRange& clip = chosen.fit.clips[c];
        list.push_back({{"name", clip.name}, {"frames", clip.count}, {"rate", clip.rate}, {"rms", rms[c]}});
        run.say("clip       {}: {}, {:.4g} rms", clip.name, count_of(clip.count, "frame"), rms[c]);
    }
    run.report.extra["clips"] = std::move(list);
}

void report_normals(Run& run, const model::MeshSequence& sequence, const fit::FitResult& result) {
    if (result.normals.empty()) return;
    const fit::NormalError normals = fit::normal_error(sequence, result);
    run.report.extra["normal_degrees"] = {{"mean", normals.mean}, {"max", normals.max}};
    run.say("normals    {:.3g} degrees off, {:.3g} at most", normals.mean, normals.max);
}

void report(Run& run, std::size_t vertices, std::size_t frames, const fit::Fitted& chosen) {
    const fit::FitResult& result = chosen.fit;
    const fit::FitSize size = fit::size_of(result);
    const double ratio =
        static_cast<double>(fit::sequence_bytes(vertices, frames)) / static_cast<double>(size.total());
    run.report.extra.update(
        {{"method", chosen.method},
         {"rigidity", chosen.rigidity},
         {"tried", chosen.tried},
         {"kg_percent", chosen.error.kg_percent},
         {"transforms", result.rigid ? "rigid" : "affine"},
         {"blend", result.blend == fit::Blend::dual ? "dual quaternions" : "linear"},
         {"vertices", vertices},
         {"frames", frames},
         {"bones", result.bone_count()},
         {"max_influences", result.weights.limit()},
         {"corrections", result.corrections.count()},
         {"still", chosen.error.still},
         {"error_percent", chosen.error.error_percent},
         {"erms", chosen.error.erms},
         {"rms", chosen.error.rms},
         {"max", chosen.error.max},
         {"frame_rms", chosen.error.frame_rms},
         {"history", result.history},
         {"bytes", size.total()},
         {"compression", ratio},
         {"published_compression", fit::published_ratio(vertices, frames, result.bone_count())}});
    run.say("{} vertices over {}", with_commas(vertices), count_of(frames, "frame"));
    run.say("{} {} by {}", result.bone_count(), result.rigid ? "rigid bones" : "affine bones", chosen.method);
    const std::string share =
        chosen.error.still ? "" : fmt::format("{:.4g} % of the motion, ", chosen.error.error_percent);
    run.say("error      {}E_RMS {:.4g}, {:.4g} rms, {:.4g} at most", share, chosen.error.erms,
            chosen.error.rms, chosen.error.max);
    report_clips(run, chosen);
    run.say("size       {} bytes, 1/{:.1f} of the sequence", with_commas(size.total()), ratio);
}

fit::FitFileOptions file_options(const FitArguments& options, const fit::FitResult& result,
                                 const model::MeshSequence& sequence) {
    fit::FitFileOptions file;
    file.precision = precisions().at(options.precision);
    file.bits = options.bits > 0 ? options.bits : 16;
    // Without a given number: the fewest bits whose error is at most a tenth larger.
    if (file.precision == fit::FitPrecision::quantised && options.bits == 0 && !sequence.empty())
        file.bits = fit::bits_for(sequence, result);
    return file;
}

void write_result(Run& run, const FitArguments& options, const fit::FitResult& result,
                  const fit::FitFileOptions& file) {
    const std::string kind = suffix(options.output);
    if (kind == "fit") {
        const StageTimer timer(run.report, "write");
        const std::string bytes = fit::write_fit(result, file);
        write_file(options.output, bytes);
        run.report.output = options.output.string();
        run.report.extra["file_bytes"] = bytes.size();
        if (file.precision == fit::FitPrecision::quantised) run.report.extra["bits"] = file.bits;
        run.say("file       {} bytes", with_commas(bytes.size()));
    } else {
        io::Asset out;
        if (kind.empty() || is_of(output::caches, options.output)) {
            out.sequence = fit::decoded(result);
        } else {
            out.character = fit::to_character(result, run.monitor);
        }
        save(run, options.output, out);
    }
    run.say("wrote {}", options.output.string());
}

fit::FitResult read_fit_file(Run& run, const std::filesystem::path& path) {
    const StageTimer timer(run.report, "read");
    run.report.inputs.push_back(path.string());
    return fit::read_fit(FileView(path).bytes(), path.string(), run.monitor);
}

/// Reuses an existing fit at another level of detail or on another mesh.
void export_fit(Run& run, const FitArguments& options, bool influences_given) {
    fit::FitResult result = read_fit_file(run, options.inputs[0]);
    fit::DetailLevel level;
    if (influences_given) level.influences = static_cast<std::size_t>(options.choice.influences);
    if (options.choice.corrections > 0) level.corrections = options.choice.corrections;
    result = fit::at_level(result, level);
    if (!options.rebind.empty()) result = fit::rebound(result, load(run, options.rebind).character.mesh);
    run.report.extra.update({{"vertices", result.rest.positions.size()},
                             {"frames", result.frames.size()},
                             {"bones", result.bone_count()},
                             {"corrections", result.corrections.count()},
                             {"bytes", fit::size_of(result).total()}});
    write_result(run, options, result, file_options(options, result, {}));
}

fit::Fitted fitted(Run& run, const FitArguments& options, const FitInput& input) {
    const StageTimer timer(run.report, "fit");
    fit::Fitted chosen = options.chunk > 0
                             ? fit::fit(input.source(), options.choice, options.chunk, run.monitor)
                             : fit::fit(input.sequence(), options.choice, run.monitor);
    chosen.fit.clips = input.clips();
    if (chosen.error.still) warn(run.monitor, "fit-still", "the sequence does not move: one mesh is enough");
    return chosen;
}

// A fit on several machines: one finds bones on a few frames (start); each finds the transformations of its
// sequences and sums for the weights (part); one adds the sums (weights), and so on in rounds; finally one
// joins the parts (join).

std::filesystem::path sums_path(std::filesystem::path path) {
    return path.replace_extension(".sums");
}

void write_exact(Run& run, const FitArguments& options, const fit::FitResult& result) {
    write_file(options.output, fit::write_fit(result, {.precision = fit::FitPrecision::exact}));
    run.report.output = options.output.string();
    run.report.extra.update({{"frames", result.frames.size()}, {"bones", result.bone_count()}});
}

void start_stage(Run& run, const FitArguments& options) {
    const FitInput input(run, options.inputs, options.read, true);
    const StageTimer timer(run.report, "fit");
    const fit::Fitted found =
        fit::fit_sample(input.source(), options.choice, options.chunk > 0 ? options.chunk : 100, run.monitor);
    write_exact(run, options, found.fit);
}

void part_stage(Run& run, const FitArguments& options, fit::FitResult rig) {
    const FitInput input(run, options.inputs, options.read, true);
    const StageTimer timer(run.report, "fit");
    fit::FitPart part =
        fit::fit_part(input.source(), rig, options.chunk > 0 ? options.chunk : 100, run.monitor);
    rig.frames = std::move(part.frames);
    rig.rate = input.source().rate;
    rig.clips = {{name_of(options.inputs[0]), 0, rig.frames.size(), rig.rate}};
    double square = 0;
    for (std::size_t f = 0; f < rig.frames.size(); ++f) {
        const std::vector<fit::Vec3d> played = fit::deformed(rig, f);
        const std::vector<math::Vec3f> goal = input.source().frame(f);
        for (std::size_t v = 0; v < goal.size(); ++v)
            square += (played[v] - goal[v].cast<double>()).squaredNorm();
    }
    run.report.extra["rms"] =
        std::sqrt(square / static_cast<double>(rig.frames.size() * rig.rest.positions.size()));
    write_file(sums_path(options.output), fit::write_sums(part.sums));
    write_exact(run, options, rig);
}

void weights_stage(Run& run, const FitArguments& options, fit::FitResult rig) {
    fit::WeightSums sums;
    for (const std::filesystem::path& path : options.inputs) {
        run.report.inputs.push_back(path.string());
        sums.add(fit::read_sums(FileView(path).bytes(), path.string()));
    }
    rig.weights = fit::solved_weights(sums, rig, options.choice.influences);
    rig.frames.clear();
    write_exact(run, options, rig);
    run.report.extra["frames"] = sums.frames;
}

void join_stage(Run& run, const FitArguments& options) {
    fit::FitResult all;
    for (const std::filesystem::path& path : options.inputs) {
        fit::FitResult part = read_fit_file(run, path);
        if (all.frames.empty()) {
            all = std::move(part);
            continue;
        }
        if (!(part.weights == all.weights))
            fail(path.string(), "is a part of another fit: its weights differ");
        for (fit::ClipRange clip : part.clips) {
            clip.first += all.frames.size();
            all.clips.push_back(std::move(clip));
        }
        for (fit::BonePose& pose : part.frames) all.frames.push_back(std::move(pose));
    }
    run.report.extra.update({{"frames", all.frames.size()}, {"bones", all.bone_count()}});
    write_result(run, options, all, file_options(options, all, {}));
}

void run_stage(Run& run, const FitArguments& options) {
    if (options.stage == "start") return start_stage(run, options);
    if (options.stage == "join") return join_stage(run, options);
    if (options.resume.empty()) fail("--resume", "give the rig that the {} belongs to", options.stage);
    fit::FitResult rig = read_fit_file(run, options.resume);
    if (options.stage == "part")
        part_stage(run, options, std::move(rig));
    else
        weights_stage(run, options, std::move(rig));
}

void execute(Run& run, FitArguments& options, bool influences_given) {
    check_output(run, options.output,
                 {output::models, output::caches, output::pictures, output::folder, "fit"});
    check_location(options.checkpoint);
    options.choice.rigid = !options.affine && (options.rigid || options.transforms == "rigid");
    options.choice.method = methods().at(options.method);
    options.choice.placement = spreads().at(options.spread);
    if (!options.stage.empty()) return run_stage(run, options);
    const auto is_fit = [](const std::filesystem::path& path) { return suffix(path) == "fit"; };
    if (options.inputs.size() == 1 && is_fit(options.inputs[0]))
        return export_fit(run, options, influences_given);
    for (const std::filesystem::path& path : options.inputs) {
        if (is_fit(path)) fail(path.string(), "is a fit already: give it alone to export it");
    }
    fit::FitResult start;
    if (!options.resume.empty()) {
        start = read_fit_file(run, options.resume);
        options.choice.start = &start;
    }
    Checkpoint checkpoint(options.checkpoint);
    options.choice.on_iterate = checkpoint.keeper();
    FitInput input(run, options.inputs, options.read, options.chunk > 0);
    fit::Fitted chosen = fitted(run, options, input);
    checkpoint.save();
    report(run, input.source().rest.positions.size(), input.source().count, chosen);
    if (options.chunk == 0) report_normals(run, input.sequence(), chosen.fit);
    if (!options.rebind.empty())
        chosen.fit = fit::rebound(chosen.fit, load(run, options.rebind).character.mesh);
    const fit::FitFileOptions file = file_options(options, chosen.fit, input.sequence());
    input.drop_frames();
    write_result(run, options, chosen.fit, file);
    run.report.extra["peak_memory"] = peak_memory();
}

}  // namespace

void add_fit(Program& program) {
    auto options = std::make_shared<FitArguments>();
    CLI::App& verb = program.verb(
        "fit", "Turn a mesh sequence into bones and skin weights that replay it",
        "  sinew fit frames/ -o flag.glb --bones 30\n"
        "  sinew fit cloth.pc2 --rest cloth.obj -o cloth.glb --affine --max-error 1\n"
        "  sinew fit frames/ -o flag.fit --method proxy --bones 100 --corrections 5 --precision quantised\n"
        "  sinew fit walk/ run/ jump/ -o horse.glb --bones 30\n"
        "  sinew fit flag.fit -o played.pc2 --corrections 2",
        [options](Run& run) { execute(run, *options, options->influences->count() > 0); });
    verb.add_option("sequence", options->inputs,
                    "Folder of frames, point cache, file with animated morphs, or a fit to export. Several "
                    "motions of one mesh share bones and weights and become clips")
        ->required()
        ->type_name("SEQUENCE...");
    verb.add_option("-o,--output", options->output,
                    "Character to write (glb), the fit itself (fit), or what it plays (pc2, mdd or a folder)")
        ->required()
        ->type_name("OUT");
    fit::FitOptions& choice = options->choice;
    verb.add_option("--bones", choice.bones, "Number of bones");
    verb.add_option("--max-error", choice.max_error,
                    "Fewest bones with an error below this, in % of the motion");
    verb.add_option("--max-bytes", choice.max_bytes, "Most bones that fit into this many bytes");
    verb.add_option("--transforms", options->transforms, "Transformations of the bones")
        ->check(CLI::IsMember({"rigid", "affine"}));
    auto* rigid = verb.add_flag("--rigid", options->rigid, "Bones rotate and translate");
    verb.add_flag("--affine", options->affine, "Bones also scale and shear")->excludes(rigid);
    std::vector<std::string> names;
    for (const auto& [name, method] : methods()) names.push_back(name);
    verb.add_option("--method", options->method,
                    "How bones are found:\n"
                    "auto = decomposition; its start depends on how rigid the parts are\n"
                    "decomposition = bones and weights together, by alternating least squares\n"
                    "proxy = joints spread over the surface; dual quaternions when rigid\n"
                    "clusters = parts that move rigidly")
        ->check(CLI::IsMember(names));
    options->influences =
        verb.add_option("--influences", choice.influences, "Largest number of bones per vertex")
            ->check(CLI::Range(1, 8));
    verb.add_option("--corrections", choice.corrections, "Number of corrective shapes, written as morphs");
    verb.add_option("--refinements", choice.refinements, "Proxy joints: rounds of least-squares weights");
    verb.add_option("--spread", options->spread,
                    "How joints are spread (proxy, and the start of a decomposition):\n"
                    "even = farthest points\n"
                    "relaxed = each in the middle of its region\n"
                    "adaptive = denser where the surface bends\n"
                    "surface = evenly along the surface")
        ->check(CLI::IsMember({"even", "relaxed", "adaptive", "surface"}));
    verb.add_option("--steadiness", choice.temporal_smoothing,
                    "Proxy joints: temporal smoothing of every joint (0.01 is a little)")
        ->check(CLI::NonNegativeNumber);
    verb.add_flag("--normals", choice.normals,
                  "Proxy joints: normals get transformations and corrections of their own");
    verb.add_option("--chunk", options->chunk,
                    "Frames to keep in memory; transformations are then computed in chunks");
    verb.add_option("--rounds", choice.rounds, "With --chunk: rounds that update the weights from all frames")
        ->check(CLI::Range(0, 1000));
    verb.add_option("--stage", options->stage, "One step of a fit on many machines (docs/batch.md)")
        ->check(CLI::IsMember({"start", "part", "weights", "join"}));
    verb.add_option("--checkpoint", options->checkpoint, "Save the best iterate to this file (.fit)")
        ->type_name("FILE");
    verb.add_option("--resume", options->resume, "Continue from a checkpoint")->type_name("FILE");
    verb.add_option("--rebind", options->rebind, "Transfer the fit to this mesh")->type_name("MESH");
    verb.add_option("--precision", options->precision, "Precision of a .fit file")
        ->check(CLI::IsMember({"exact", "single", "quantised"}));
    verb.add_option("--bits", options->bits, "Bits of quantised numbers; 0 adds at most 10 % to the error")
        ->check(CLI::Range(0, 24));
    verb.add_option("--effort", choice.effort,
                    "Decomposition: 1 = one start; 2 = also the best of several seeds; 3 = many seeds, slow")
        ->check(CLI::Range(1, 3));
    verb.add_option("--sweeps", choice.sweeps, "Rounds of the decomposition; 0 leaves it to the method");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
