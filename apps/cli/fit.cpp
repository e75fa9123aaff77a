// sinew fit: bones and weights that replay a mesh sequence.

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/fit/character.h"
#include "sinew/fit/choice.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/size.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    fit::FitChoice choice;
    std::string transforms = "rigid";
    std::string method = "auto";
    bool rigid = false;
    bool affine = false;
};

const std::map<std::string, fit::FitMethod>& methods() {
    static const std::map<std::string, fit::FitMethod> table = {
        {"auto", fit::FitMethod::automatic},
        {"decomposition", fit::FitMethod::decomposition},
        {"proxy", fit::FitMethod::proxy},
        {"clusters", fit::FitMethod::clusters}};
    return table;
}

/// A sequence, or the sequence that a rigged character plays.
model::MeshSequence sequence_of(io::Asset& asset, const std::filesystem::path& path) {
    if (asset.sequence.empty())
        fail(path.string(), "holds no mesh sequence: a folder of frames, a point cache or animated morphs");
    return std::move(asset.sequence);
}

void report(Run& run, const model::MeshSequence& sequence, const fit::FitChoiceResult& chosen) {
    const fit::FitResult& result = chosen.fit;
    const fit::FitSize size = fit::size_of(result);
    const std::size_t vertices = sequence.rest.positions.size(), frames = sequence.frames.size();
    const double ratio =
        static_cast<double>(fit::sequence_bytes(vertices, frames)) / static_cast<double>(size.total());
    run.report.extra.update(
        {{"method", chosen.method},
         {"transforms", result.rigid ? "rigid" : "affine"},
         {"blend", result.blend == fit::Blend::dual ? "dual quaternions" : "linear"},
         {"vertices", vertices},
         {"frames", frames},
         {"bones", result.bone_count()},
         {"influences", result.weights.limit()},
         {"corrections", result.corrections.count()},
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
    run.say("error      {:.4g} % of the motion, E_RMS {:.4g}, {:.4g} rms, {:.4g} at most",
            chosen.error.error_percent, chosen.error.erms, chosen.error.rms, chosen.error.max);
    run.say("size       {} bytes, {:.1f} times less than the sequence", with_commas(size.total()), ratio);
}

void execute(Run& run, Options& options) {
    options.choice.rigid = !options.affine && (options.rigid || options.transforms == "rigid");
    options.choice.method = methods().at(options.method);
    io::Asset asset = load(run, options.input, options.read);
    const model::MeshSequence sequence = sequence_of(asset, options.input);
    fit::FitChoiceResult chosen;
    {
        const StageTimer timer(run.report, "fit");
        chosen = fit::fit_choice(sequence, options.choice, run.monitor);
    }
    report(run, sequence, chosen);
    io::Asset out;
    const std::string suffix = options.output.extension().string();
    if (suffix == ".pc2" || suffix.empty()) {
        out.sequence = fit::decoded(chosen.fit);
    } else {
        out.character = fit::to_character(chosen.fit, run.monitor);
    }
    save(run, options.output, out);
    run.say("wrote {}", options.output.string());
}

}  // namespace

void add_fit(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        program.verb("fit", "Bones and weights that replay a mesh sequence",
                     "  sinew fit frames/ -o flag.glb --bones 30\n"
                     "  sinew fit cloth.pc2 --rest cloth.obj -o cloth.glb --affine --max-error 1\n"
                     "  sinew fit frames/ -o played.pc2 --method proxy --bones 100 --corrections 5",
                     [options](Run& run) { execute(run, *options); });
    verb.add_option("sequence", options->input, "Folder of frames, point cache or file with animated morphs")
        ->required()
        ->type_name("SEQUENCE");
    verb.add_option("-o,--output", options->output,
                    "Character to write (glb), or what the fit plays (pc2 or a folder)")
        ->required()
        ->type_name("OUT");
    fit::FitChoice& choice = options->choice;
    verb.add_option("--bones", choice.bones, "Number of bones");
    verb.add_option("--max-error", choice.max_error,
                    "As few bones as keep the error below this, in % of the motion");
    verb.add_option("--max-bytes", choice.max_bytes, "As many bones as fit into so many bytes");
    verb.add_option("--transforms", options->transforms, "What a bone may do")
        ->check(CLI::IsMember({"rigid", "affine"}));
    auto* rigid = verb.add_flag("--rigid", options->rigid, "Bones turn and move");
    verb.add_flag("--affine", options->affine, "Bones also scale and shear")->excludes(rigid);
    std::vector<std::string> names;
    for (const auto& [name, method] : methods()) names.push_back(name);
    verb.add_option(
            "--method", options->method,
            "decomposition = bones and weights together; proxy = joints spread evenly, dual quaternions "
            "when rigid; clusters = parts that move rigidly; auto is decomposition")
        ->check(CLI::IsMember(names));
    verb.add_option("--influences", choice.influences, "Bones that move a vertex, at most")
        ->check(CLI::Range(1, 8));
    verb.add_option("--corrections", choice.corrections, "Shapes of fine detail, written as morphs");
    verb.add_option("--sweeps", choice.sweeps, "Rounds of the decomposition; 0 leaves it to the method");
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
