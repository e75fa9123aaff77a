// SPDX-License-Identifier: MIT
#include "rig_choice.h"

#include <filesystem>
#include <functional>
#include <map>

#include "help.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/io.h"
#include "sinew/rig/edit.h"
#include "sinew/sample/samples.h"

namespace sinew::app {
namespace {

/// A skeleton to fit: from a file, of a built-in character, or a built-in template.
model::Skeleton template_named(const std::string& name, Monitor& monitor) {
    if (!std::filesystem::exists(name))
        for (const sample::Sample& known : sample::list())
            if (known.name == name) return sample::make(name).skeleton;
    try {
        return pipeline::load_template(name, monitor);
    } catch (const Error& error) {
        if (std::filesystem::exists(name)) throw;
        fail("", "--template {}: {}", name, error.reason());
    }
}

/// "auto", "source", "x", "y", "z", or a direction such as "0.5,0,1".
rig::ViewOptions parse_view(const std::string& text) {
    static const std::map<std::string, rig::ViewMode> modes = {{"auto", rig::ViewMode::max_outline},
                                                               {"source", rig::ViewMode::mean_normals},
                                                               {"x", rig::ViewMode::axis_x},
                                                               {"y", rig::ViewMode::axis_y},
                                                               {"z", rig::ViewMode::axis_z}};
    rig::ViewOptions view;
    if (const auto found = modes.find(to_lower(text)); found != modes.end()) {
        view.mode = found->second;
        return view;
    }
    view.mode = rig::ViewMode::user;
    std::string_view rest = text;
    for (int i = 0; i < 3; ++i) {
        if (i > 0 && rest.starts_with(',')) rest.remove_prefix(1);
        const auto number = parse_number(rest);
        if (!number) fail("", "--view {}: write auto, source, x, y, z, or a direction such as 0.5,0,1", text);
        view.direction[i] = *number;
    }
    return view;
}

template <class Value>
void add_choice(CLI::App& verb, const std::string& name, Value& value, const std::string& help,
                const std::map<std::string, Value>& names) {
    std::string list;
    for (const auto& [word, meaning] : names) list += (list.empty() ? "" : "|") + word;
    const bool explained = help.find(" = ") != std::string::npos;
    verb.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(explained ? "" : list));
}

/// An option with a list of words as values, ignoring case.
void add_words(CLI::App& verb, const std::string& name, const std::string& help,
               const std::vector<std::string>& words, const std::function<void(const std::string&)>& choose) {
    const bool explained = help.find(" = ") != std::string::npos;
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : "|") + word;
    verb.add_option_function<std::string>(name, choose, help)
        ->type_name("NAME")
        ->transform(CLI::IsMember(words, CLI::ignore_case).description(explained ? "" : list));
}

void choose_outline(SkeletonChoice& choice, const std::string& word) {
    using Outline = published::OutlineMethod;
    static const std::map<std::string, Outline> published = {
        {"a", Outline::search}, {"b", Outline::linkage}, {"c", Outline::linkage_modified}};
    choice.comparison.outline.reset();
    if (const auto found = published.find(word); found != published.end())
        choice.comparison.outline = found->second;
    else
        choice.options.silhouette.outline =
            word == "e" ? rig::SilhouetteVariant::raster : rig::SilhouetteVariant::walk;
}

const std::map<std::string, rig::SkeletonMethod>& skeleton_methods() {
    using Method = rig::SkeletonMethod;
    static const std::map<std::string, Method> methods = {{"auto", Method::automatic},
                                                          {"silhouette", Method::silhouette},
                                                          {"contraction", Method::contraction},
                                                          {"voxel", Method::voxel},
                                                          {"template", Method::from_template},
                                                          {"opening", Method::opening},
                                                          {"centroid", Method::centroid},
                                                          {"principal-axis", Method::principal_axis},
                                                          {"parts", Method::parts}};
    return methods;
}

const std::map<std::string, published::SkeletonMethod>& published_methods() {
    using Method = published::SkeletonMethod;
    static const std::map<std::string, Method> methods = {{"reeb", Method::reeb},
                                                          {"thinning", Method::thinning},
                                                          {"au", Method::au},
                                                          {"pinocchio", Method::pinocchio}};
    return methods;
}

void choose_method(SkeletonChoice& choice, const std::string& word) {
    choice.comparison.method.reset();
    if (const auto found = published_methods().find(word); found != published_methods().end())
        choice.comparison.method = found->second;
    else
        choice.options.method = skeleton_methods().at(word);
}

void add_silhouette_options(CLI::App& verb, SkeletonChoice& choice) {
    rig::SilhouetteOptions& s = choice.options.silhouette;
    using Cost = rig::DecompositionCost;
    verb.add_option("--view", choice.view,
                    "Silhouette: auto, source (mean of the normals), x, y, z, or a direction such as 0.5,0,1")
        ->type_name("VIEW");
    add_words(verb, "--outline",
              "Silhouette: outline method: a = search, b, c = linkage, d = walk (exact), e = raster",
              {"a", "b", "c", "d", "e"},
              [&choice](const std::string& word) { choose_outline(choice, word); });
    verb.add_option("--radius-scale", choice.comparison.radius_scale,
                    "Silhouette a: scale of the search radius")
        ->check(CLI::Range(0.5, 4.0));
    verb.add_option("--spacing", s.spacing, "Silhouette: spacing of the outline's points; 0 is automatic");
    verb.add_option("--prune", s.prune, "Silhouette: branches shorter than this many radii are removed")
        ->check(CLI::Range(0.0, 3.0));
    verb.add_option("--cluster", s.cluster, "Silhouette: junctions closer than this many radii are merged")
        ->check(CLI::Range(0.0, 3.0));
    add_choice<Cost>(verb, "--parts", s.cost, "Silhouette: which branch a vertex belongs to",
                     {{"ratio", Cost::ratio},
                      {"abs-diff", Cost::abs_diff},
                      {"signed", Cost::signed_diff},
                      {"nearest", Cost::nearest}});
    add_words(verb, "--refine", "Silhouette: where depth comes from", {"off", "rays", "second-silhouette"},
              [&choice](const std::string& word) {
                  choice.comparison.depth_by_outlines = word == "second-silhouette";
                  choice.options.silhouette.depth =
                      word == "off" ? rig::RefineMode::off : rig::RefineMode::ray_midpoint;
              });
}

void add_joint_options(CLI::App& verb, rig::JointOptions& joints) {
    using Junctions = rig::JunctionJoints;
    verb.add_option("--bend", joints.bend,
                    "Place a joint where the curve bends to less than this many degrees")
        ->check(CLI::Range(120.0, 179.0));
    verb.add_option("--longest-bone", joints.longest,
                    "Split longer bones; 0: those longer than 10 radii of the limb");
    add_choice<Junctions>(
        verb, "--junctions", joints.junctions,
        "Joints where branches meet: one for each branch, one for all, or automatic",
        {{"auto", Junctions::automatic}, {"separate", Junctions::separate}, {"merged", Junctions::merged}});
}

void add_part_options(CLI::App& verb, SkeletonChoice& choice) {
    rig::PartRefineOptions& refine = choice.options.parts.refine;
    rig::PartGraphOptions& graph = choice.options.parts.graph;
    using Local = rig::LocalRefinement;
    verb.add_option("--hierarchy", choice.hierarchy,
                    "Parts: file with their hierarchy and limits; found when not given")
        ->type_name("SKEL");
    verb.add_flag("--all-axes", graph.all_axes, "Principal axis: also the ends of the two other axes");
    add_choice<Local>(verb, "--follow-openings", refine.local, "Parts: rotate axes towards openings",
                      {{"on", Local::sequential}, {"procrustes", Local::procrustes}, {"off", Local::off}});
    verb.add_flag("--follow-parents,!--no-follow-parents", refine.parent,
                  "Parts: align axes with those of the parents");
    verb.add_option("--max-angle", choice.max_angle,
                    "Parts: largest rotation of an axis towards openings, in degrees")
        ->check(CLI::Range(0.0, 90.0));
    verb.add_option("--max-parent-angle", choice.max_parent_angle,
                    "Parts: the same for parents; 90 aligns all parts")
        ->check(CLI::Range(0.0, 90.0));
    add_choice<rig::LinkRule>(verb, "--links", graph.links, "Principal axis: where links are put on it",
                              {{"grouped", rig::LinkRule::grouped}, {"spaced", rig::LinkRule::spaced}});
}

}  // namespace

void add_skeleton_options(CLI::App& verb, SkeletonChoice& choice, const std::string& method) {
    const OptionHeading heading(verb, "Finding a skeleton");
    std::vector<std::string> methods;
    for (const auto& [word, known] : skeleton_methods()) methods.push_back(word);
    for (const auto& [word, known] : published_methods()) methods.push_back(word);
    add_words(verb, method,
              "How the skeleton is found:\n"
              "auto = fits a template if the body is a biped or quadruped; else tries voxel, contraction "
              "and silhouette and keeps the first skeleton that is centred and inside\n"
              "template = fits a given skeleton into the body\n"
              "silhouette = medial axis of the outline in the best view, depth by rays\n"
              "contraction = mesh contraction to a curve\n"
              "voxel = deepest paths through the voxelised interior\n"
              "opening, centroid, principal-axis = from the segments of the mesh: where they meet, their "
              "centroids, their axes\n"
              "parts = the best of these three for each segment\n"
              "reeb = level sets of geodesic distance in the voxelised interior, for comparison\n"
              "thinning = voxel thinning, for comparison\n"
              "au = mesh contraction as published in 2008, for comparison\n"
              "pinocchio = template fit as published in 2007, for comparison; the body must have the pose of "
              "the template",
              methods, [&choice](const std::string& word) { choose_method(choice, word); });
    add_words(verb, "--fingers", "Finger joints of a biped: auto = if its hands have fingers, none",
              {"auto", "none"},
              [&choice](const std::string& word) { choice.options.fingers = word == "auto"; });
    verb.add_option("--template", choice.pattern,
                    "Skeleton to fit: biped, biped-hands, quadruped, hand, a sample (horse, cat, ostrich), "
                    "or a file with a skeleton (BVH, ASF, glTF)")
        ->type_name("NAME_OR_FILE");
    add_words(verb, "--joint-frames",
              "Axes of the joints; by default bone, but a template keeps its own:\n"
              "bone = y along the bone, mirrored left and right, as in Blender and engines\n"
              "world = no rotations at rest",
              {"bone", "world"}, [&choice](const std::string& word) {
                  choice.frames = word == "bone" ? rig::JointFrames::bone : rig::JointFrames::world;
              });
    add_silhouette_options(verb, choice);
    add_joint_options(verb, choice.options.joints);
    add_part_options(verb, choice);
}

void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method) {
    const OptionHeading heading(verb, "Binding the skin");
    std::map<std::string, rig::BindMethod> methods = {{"auto", rig::BindMethod::automatic}};
    for (const rig::BindMethod known : rig::bind_methods()) methods.emplace(rig::name_of(known), known);
    verb.add_option(
            method, options.method,
            "How skin weights are computed:\n"
            "auto = chooses by the mesh, and says what and why\n"
            "regions = segments the mesh at its thinnest cross-sections and blends across them\n"
            "heat = heat diffusion from the nearest visible bone (as Blender's automatic weights)\n"
            "voxel = geodesic distance through the voxelised interior; works on open and multi-part meshes\n"
            "biharmonic = bounded biharmonic weights in the voxelised interior\n"
            "distance = Euclidean distance to the bones\n"
            "nearest = smooth bind of the nearest joints\n"
            "rigid = the nearest bone only")
        ->transform(CLI::CheckedTransformer(methods, CLI::ignore_case).description(""));
    verb.add_option("--softness", options.softness,
                    "Width of the blend at the joints: 0 is rigid, 1 is softest")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    verb.add_option("--max-influences", options.max_influences,
                    "Largest number of joints per vertex; 0 sets no limit")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    verb.add_option("--prune-below", options.prune_below, "Weights below this are dropped")
        ->check(CLI::Range(0.0, 0.5));
    verb.add_option("--smooth", options.smoothing, "Smoothing passes over the finished weights")
        ->check(CLI::Range(0, 1000));
}

pipeline::RigOptions rig_options(const SkeletonChoice& choice, const rig::BindOptions& bind,
                                 Monitor& monitor) {
    pipeline::RigOptions options;
    options.skeleton = choice.options;
    options.bind = bind;
    options.frames = choice.frames;
    if (!choice.pattern.empty()) options.skeleton.template_skeleton = template_named(choice.pattern, monitor);
    if (!choice.hierarchy.empty())
        options.skeleton.hierarchy = io::read(choice.hierarchy, {}, monitor).character.skeleton;
    rig::PartRefineOptions& refine = options.skeleton.parts.refine;
    refine.max = math::radians(choice.max_angle);
    refine.max_parent =
        choice.max_parent_angle >= 90 ? rig::unlimited_angle : math::radians(choice.max_parent_angle);
    if (!choice.view.empty()) options.skeleton.silhouette.view = parse_view(choice.view);
    if (choice.comparison.any())
        options.skeletonizer = [comparison = choice.comparison](const geometry::Mesh& mesh,
                                                                const rig::SkeletonizeOptions& skeleton,
                                                                Monitor& watch) {
            published::SkeletonizeOptions published = comparison;
            published.rig = skeleton;
            return published::skeletonize(mesh, published, watch);
        };
    return options;
}

}  // namespace sinew::app
