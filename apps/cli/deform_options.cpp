// SPDX-License-Identifier: MIT
#include "deform_options.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

using math::Vec3d;
using math::Vec3f;

/// "elbow.obj@0.6,1" split at the last @.
struct Position {
    std::string shape;
    std::vector<double> numbers;
};

Position parse_position(const std::string& text) {
    const auto sign = text.rfind('@');
    if (sign == std::string::npos || sign == 0)
        fail("", "{}: write SHAPE@NUMBER, such as elbow.obj@0.6", text);
    Position result{text.substr(0, sign), {}};
    std::string_view rest = std::string_view(text).substr(sign + 1);
    while (true) {
        const auto comma = rest.find(',');
        if (!parse_exact(trim(rest.substr(0, comma)), result.numbers.emplace_back()))
            fail("", "{}: expected a number after @", text);
        if (comma == std::string_view::npos) return result;
        rest.remove_prefix(comma + 1);
    }
}

/// Displacements of a shape key of the mesh, or empty when no key has this name.
std::optional<std::vector<Vec3d>> shape_key(const geometry::Mesh& mesh, const std::string& name) {
    const auto found = std::ranges::find(mesh.morphs, name, &geometry::Morph::name);
    if (found == mesh.morphs.end()) return std::nullopt;
    std::vector<Vec3d> displacements(mesh.vertex_count(), Vec3d::Zero());
    for (std::size_t i = 0; i < found->positions.size(); ++i)
        displacements[found->first + i] = found->positions[i].cast<double>();
    return displacements;
}

/// The vertices of a file with the same vertex count as the mesh.
std::vector<Vec3f> read_shape(Run& run, const std::string& file, const geometry::Mesh& mesh) {
    std::error_code code;
    if (!std::filesystem::exists(file, code))
        fail(file, "is neither a file nor a shape key of the character");
    const std::vector<Vec3f> positions = load(run, file).character.mesh.positions;
    if (positions.size() != mesh.vertex_count())
        fail(file, "has {} vertices, the character {}: shapes are made from its own mesh", positions.size(),
             mesh.vertex_count());
    return positions;
}

Eigen::VectorXd vector_of(const std::vector<double>& numbers) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The displacements of the shape for the requested parameters. The character itself is at 0 in all of them.
std::vector<Vec3d> parameter_shape(Run& run, const geometry::Mesh& mesh, const ExampleOptions& options) {
    if (options.shapes.empty() != options.parameters.empty())
        fail("",
             "--shape and --parameters go together: shapes at their parameters, and the parameters wanted");
    if (options.shapes.empty()) return {};
    const auto dimension = static_cast<Eigen::Index>(options.parameters.size());
    Eigen::MatrixXd positions =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(options.shapes.size()) + 1, dimension);
    std::vector<std::vector<Vec3d>> shapes;
    for (const std::string& text : options.shapes) {
        const Position positioned = parse_position(text);
        if (positioned.numbers.size() != options.parameters.size())
            fail("", "--shape {}: {} numbers where --parameters has {}", text, positioned.numbers.size(),
                 dimension);
        std::vector<Vec3d>& shape = shapes.emplace_back();
        positions.row(static_cast<Eigen::Index>(shapes.size())) = vector_of(positioned.numbers);
        if (const auto key = shape_key(mesh, positioned.shape)) {
            shape = *key;
            continue;
        }
        const std::vector<Vec3f> points = read_shape(run, positioned.shape, mesh);
        for (std::size_t v = 0; v < points.size(); ++v)
            shape.emplace_back((points[v] - mesh.positions[v]).cast<double>());
    }
    const Eigen::VectorXd weights =
        deform::CardinalBasis(positions, deform::BasisKind::linear).weights(vector_of(options.parameters));
    std::vector<Vec3d> sum(mesh.vertex_count(), Vec3d::Zero());
    for (std::size_t e = 0; e < shapes.size(); ++e)
        for (std::size_t v = 0; v < sum.size(); ++v)
            sum[v] += weights[static_cast<Eigen::Index>(e) + 1] * shapes[e][v];
    return sum;
}

}  // namespace

deform::DeformerOptions deformer_options(Run& run, const model::Character& character, const model::Clip* clip,
                                         deform::Method method, const deform::CorrectiveOptions& corrective,
                                         const ExampleOptions& examples) {
    if (examples.any() && corrective.kind != deform::Corrective::none)
        fail("", "--example and --refine exclude each other");
    if (corrective.kind == deform::Corrective::direct_delta_mush && !character.mesh.morphs.empty())
        warn(run.monitor, "direct-mush-morphs",
             "{}: morphs are ignored, because Direct Delta Mush is precomputed for one shape",
             character.name);
    deform::DeformerOptions options;
    options.method = method;
    options.corrective = corrective;
    options.displacements = parameter_shape(run, character.mesh, examples);
    options.basis = examples.basis;
    if (examples.poses.empty()) return options;
    deform::Deformer plain(character, options);
    for (const std::string& text : examples.poses) {
        const Position positioned = parse_position(text);
        if (positioned.numbers.size() != 1 || clip == nullptr)
            fail("", "--example {}: write one time of a clip after the @", text);
        const double time = positioned.numbers[0];
        seconds_of({.clip = {}, .frame = {}, .time = time}, clip);  // checks that the time is inside the clip
        deform::PoseExample& example = options.examples.emplace_back();
        example.pose = model::sample(*clip, character.skeleton, time);
        if (const auto key = shape_key(character.mesh, positioned.shape)) {
            example.displacements = *key;
        } else {
            const std::vector<Vec3f> sculpted = read_shape(run, positioned.shape, character.mesh);
            plain.at(clip, time);
            example.displacements = plain.displacements_to(sculpted);
        }
    }
    return options;
}

void add_refine_options(CLI::App& verb, deform::CorrectiveOptions& options) {
    using deform::Corrective;
    std::map<std::string, Corrective> kinds;
    for (const Corrective kind : {Corrective::none, Corrective::delta_mush, Corrective::direct_delta_mush,
                                  Corrective::swing_twist, Corrective::limit_bulge})
        kinds.emplace(deform::name(kind), kind);
    const OptionHeading heading(verb, "Corrections after skinning");
    verb.add_option(
            "--refine", options.kind,
            "Corrections of the skinned surface:\n"
            "none = no correction\n"
            "mush = Delta Mush: smooths each frame and restores the detail; hides coarse weights\n"
            "direct-mush = Direct Delta Mush: the smoothing is precomputed; linear blending inside\n"
            "swing-twist = blends swing and twist of a joint separately and keeps the radius; dqs elsewhere\n"
            "limit-bulge = keeps vertices within their rest distance of the bones")
        ->transform(
            CLI::CheckedTransformer(kinds).description("none|mush|direct-mush|swing-twist|limit-bulge"));
    verb.add_option("--mush-passes", options.smoothing.iterations, "Smoothing passes")
        ->check(CLI::Range(0, 1000));
    verb.add_option("--mush-strength", options.smoothing.strength,
                    "Step of a pass towards the mean of the neighbours, up to 1; more with --mush-implicit");
    verb.add_flag("--mush-implicit", options.smoothing.implicit,
                  "Implicit smoothing: few passes of a large strength are enough (4 of 2.5)");
    verb.add_option("--stretch", options.swing_twist.stretch,
                    "Swing-twist, limit-bulge: how strongly the rest distance from the bones is kept")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--swing-sharpness", options.swing_twist.swing_sharpness,
                    "Swing-twist: how steeply the bend follows the weights; 1 as they are")
        ->check(CLI::PositiveNumber);
    verb.add_option("--twist-sharpness", options.swing_twist.twist_sharpness, "The same for the twist")
        ->check(CLI::PositiveNumber);
}

void add_example_options(CLI::App& verb, ExampleOptions& options) {
    const OptionHeading heading(verb, "Corrective shapes");
    verb.add_option(
            "--example", options.poses,
            "Corrective shape for the pose at a time: a mesh sculpted from that frame, or a shape key.\n"
            "Poses between the examples get a blend of them (pose space deformation)")
        ->type_name("SHAPE@TIME");
    static const std::map<std::string, deform::BasisKind> kinds = {{"gaussian", deform::BasisKind::gaussian},
                                                                   {"linear", deform::BasisKind::linear}};
    verb.add_option("--basis", options.basis,
                    "Kernel of the interpolation: gaussian is local, linear is global")
        ->transform(CLI::CheckedTransformer(kinds).description("gaussian|linear"));
    verb.add_option(
            "--shape", options.shapes,
            "Rest shape (a mesh or a shape key) at parameters of your own, such as age and strength;\n"
            "the character itself is at 0")
        ->type_name("SHAPE@X,Y");
    verb.add_option("--parameters", options.parameters, "Parameters of the shape that is wanted")
        ->delimiter(',')
        ->type_name("X,Y");
}

}  // namespace sinew::cli
