#include "examples.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

using math::Vec3d;
using math::Vec3f;

/// "elbow.obj@0.6,1" split at the last @.
struct Placed {
    std::string shape;
    std::vector<double> numbers;
};

Placed parse_placed(const std::string& text) {
    const auto sign = text.rfind('@');
    if (sign == std::string::npos || sign == 0)
        fail("", "{}: write SHAPE@NUMBER, such as elbow.obj@0.6", text);
    Placed result{text.substr(0, sign), {}};
    std::string_view rest = std::string_view(text).substr(sign + 1);
    while (true) {
        const auto comma = rest.find(',');
        if (!parse_exact(trim(rest.substr(0, comma)), result.numbers.emplace_back()))
            fail("", "{}: what follows @ is no number", text);
        if (comma == std::string_view::npos) return result;
        rest.remove_prefix(comma + 1);
    }
}

/// Displacements of a shape key of the mesh, or nothing when no key has the name.
std::optional<std::vector<Vec3d>> shape_key(const geometry::Mesh& mesh, const std::string& name) {
    const auto found = std::ranges::find(mesh.morphs, name, &geometry::Morph::name);
    if (found == mesh.morphs.end()) return std::nullopt;
    std::vector<Vec3d> displacements(mesh.vertex_count(), Vec3d::Zero());
    for (std::size_t i = 0; i < found->positions.size(); ++i)
        displacements[found->first + i] = found->positions[i].cast<double>();
    return displacements;
}

/// The vertices of a file with as many as the mesh.
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

void add(std::vector<Vec3d>& to, const std::vector<Vec3d>& more, double weight) {
    for (std::size_t v = 0; v < more.size(); ++v) to[v] += weight * more[v];
}

}  // namespace

RestShaper::RestShaper(Run& run, const model::Character& character, const model::Clip* clip,
                       deform::Method method, std::span<const geometry::Vec3f> centers,
                       const ExampleOptions& options)
    : character_(character), clip_(clip) {
    set_parameters(run, options);
    deform::DeformOptions how;
    how.centers = centers;
    const model::InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
    std::vector<deform::PoseExample> examples;
    for (const std::string& text : options.poses) {
        const Placed placed = parse_placed(text);
        if (placed.numbers.size() != 1 || clip == nullptr)
            fail("", "--example {}: write one time of a clip behind the @", text);
        const double time = placed.numbers[0];
        seconds_of({.clip = {}, .frame = {}, .time = time}, clip);  // inside the clip
        deform::PoseExample& example = examples.emplace_back();
        example.pose = pose(time);
        const auto key = shape_key(character.mesh, placed.shape);
        example.displacements =
            key ? *key
                : deform::displacements_to(
                      read_shape(run, placed.shape, character.mesh), {at(time).positions}, character.skin,
                      sets,
                      model::palette(character.skin, model::world_matrices(character.skeleton, example.pose)),
                      method, how);
    }
    if (!examples.empty())
        poses_.emplace(character.skeleton, character.skin, std::move(examples), options.basis);
}

/// The character itself is at 0 of all parameters.
void RestShaper::set_parameters(Run& run, const ExampleOptions& options) {
    if (options.shapes.empty() != options.parameters.empty())
        fail("", "--shape and --parameters go together: shapes with their places, and the place wanted");
    if (options.shapes.empty()) return;
    const auto dimension = static_cast<Eigen::Index>(options.parameters.size());
    Eigen::MatrixXd places =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(options.shapes.size()) + 1, dimension);
    std::vector<std::vector<Vec3d>> shapes;
    for (const std::string& text : options.shapes) {
        const Placed placed = parse_placed(text);
        if (placed.numbers.size() != options.parameters.size())
            fail("", "--shape {}: {} numbers where --parameters has {}", text, placed.numbers.size(),
                 dimension);
        std::vector<Vec3d>& shape = shapes.emplace_back();
        places.row(static_cast<Eigen::Index>(shapes.size())) = vector_of(placed.numbers);
        if (const auto key = shape_key(character_.mesh, placed.shape)) {
            shape = *key;
            continue;
        }
        const std::vector<Vec3f> positions = read_shape(run, placed.shape, character_.mesh);
        for (std::size_t v = 0; v < positions.size(); ++v)
            shape.emplace_back((positions[v] - character_.mesh.positions[v]).cast<double>());
    }
    const Eigen::VectorXd weights =
        deform::CardinalBasis(places, deform::BasisKind::linear).weights(vector_of(options.parameters));
    own_.assign(character_.mesh.vertex_count(), Vec3d::Zero());
    for (std::size_t e = 0; e < shapes.size(); ++e)
        add(own_, shapes[e], weights[static_cast<Eigen::Index>(e) + 1]);
}

std::vector<math::Transform> RestShaper::pose(double time) const {
    if (clip_ != nullptr) return model::sample(*clip_, character_.skeleton, time);
    std::vector<math::Transform> rest;
    for (const model::Joint& joint : character_.skeleton.joints) rest.push_back(joint.rest);
    return rest;
}

deform::RestShape<double> RestShaper::at(double time) const {
    deform::RestShape<double> rest =
        deform::morphed<double>(character_.mesh, deform::morph_weights(character_, clip_, time));
    add(rest.positions, own_, 1);
    if (poses_) add(rest.positions, poses_->displacements(pose(time)), 1);
    return rest;
}

void add_example_options(CLI::App& verb, ExampleOptions& options) {
    const OptionHeading heading(verb, "Examples");
    verb.add_option("--example", options.poses,
                    "Shape made for the pose of the clip at a time: a mesh sculpted from that frame, or a\n"
                    "shape key of the character; poses between the examples get a blend of them")
        ->type_name("SHAPE@TIME");
    static const std::map<std::string, deform::BasisKind> kinds = {{"gaussian", deform::BasisKind::gaussian},
                                                                   {"linear", deform::BasisKind::linear}};
    verb.add_option("--basis", options.basis,
                    "How examples are blended: each in its own surroundings, or evenly from one to the next")
        ->transform(CLI::CheckedTransformer(kinds).description("gaussian|linear"));
    verb.add_option(
            "--shape", options.shapes,
            "Rest shape (a mesh or a shape key) at a place in a space of your own parameters, such as\n"
            "age and strength; the character itself is at 0")
        ->type_name("SHAPE@X,Y");
    verb.add_option("--parameters", options.parameters, "The place that is wanted")
        ->delimiter(',')
        ->type_name("X,Y");
}

}  // namespace sinew::cli
