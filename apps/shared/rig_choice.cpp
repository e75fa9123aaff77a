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

/// A skeleton to fit: in a file, of a built-in character, or a built-in one.
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

/// An option whose value is one of some words, in any case.
void add_words(CLI::App& verb, const std::string& name, const std::string& help,
               const std::vector<std::string>& words, const std::function<void(const std::string&)>& choose) {
    const bool explained = help.find(" = ") != std::string::npos;
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : "|") + word;
    verb.add_option_function<std::string>(name, choose, help)
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
    add_words(verb, "--outline", "Silhouette: a = search, b, c = linkage, d = walk (exact), e = picture",
              {"a", "b", "c", "d", "e"},
              [&choice](const std::string& word) { choose_outline(choice, word); });
    verb.add_option("--radius-scale", choice.comparison.radius_scale,
                    "Silhouette a: scales the reach of the search")
        ->check(CLI::Range(0.5, 4.0));
    verb.add_option("--spacing", s.spacing, "Silhouette: of the outline's points; 0 by the mesh");
    verb.add_option("--prune", s.prune, "Silhouette: branches shorter than this many radii go")
        ->check(CLI::Range(0.0, 3.0));
    verb.add_option("--cluster", s.cluster, "Silhouette: junctions closer than this many radii are one")
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
    verb.add_option("--bend", joints.bend, "A joint where the curve bends to less than this many degrees")
        ->check(CLI::Range(120.0, 179.0));
    verb.add_option("--longest-bone", joints.longest, "Longer bones are divided; 0 leaves them");
    add_choice<Junctions>(
        verb, "--junctions", joints.junctions,
        "Joints where branches meet: one each, merged, or by the place",
        {{"auto", Junctions::automatic}, {"separate", Junctions::separate}, {"merged", Junctions::merged}});
}

void add_part_options(CLI::App& verb, SkeletonChoice& choice) {
    rig::PartRefineOptions& refine = choice.options.parts.refine;
    rig::PartGraphOptions& graph = choice.options.parts.graph;
    using Local = rig::LocalRefinement;
    verb.add_option("--hierarchy", choice.hierarchy, "Parts: their tree and limits; found when not given")
        ->type_name("SKEL");
    verb.add_flag("--all-axes", graph.all_axes, "Principal axis: also the ends of the two other axes");
    add_choice<Local>(verb, "--follow-openings", refine.local, "Parts: turn axes towards openings",
                      {{"on", Local::sequential}, {"procrustes", Local::procrustes}, {"off", Local::off}});
    verb.add_flag("--follow-parents,!--no-follow-parents", refine.parent,
                  "Parts: turn axes onto the parents'");
    verb.add_option("--max-angle", choice.max_angle, "Parts: degrees by which openings turn an axis at most")
        ->check(CLI::Range(0.0, 90.0));
    verb.add_option("--max-parent-angle", choice.max_parent_angle,
                    "Parts: the same for parents; 90 aligns all parts")
        ->check(CLI::Range(0.0, 90.0));
    add_choice<rig::LinkRule>(verb, "--links", graph.links, "Principal axis: where links stand on it",
                              {{"grouped", rig::LinkRule::grouped}, {"spaced", rig::LinkRule::spaced}});
}

}  // namespace

void add_skeleton_options(CLI::App& verb, SkeletonChoice& choice, const std::string& method) {
    const OptionHeading heading(verb, "Finding a skeleton");
    std::vector<std::string> methods;
    for (const auto& [word, known] : skeleton_methods()) methods.push_back(word);
    for (const auto& [word, known] : published_methods()) methods.push_back(word);
    add_words(verb, method,
              "auto = the template of the body, if it is a biped or quadruped; else the first that is "
              "centred and inside\n"
              "silhouette = outline in the best view, its axis, depth by rays\n"
              "contraction = the surface shrinks to a curve\n"
              "voxel = deepest paths through the voxelised interior\n"
              "reeb = middles of the levels of distance inside the solid, for comparison\n"
              "thinning = the solid layer by layer, for comparison\n"
              "au = the surface shrinks as published in 2008, for comparison\n"
              "template = a given skeleton is placed inside the body\n"
              "pinocchio = the same as published in 2007, for comparison: the body has to stand as "
              "the template does\n"
              "opening, centroid, principal-axis = from the parts of the mesh: where they meet,\n"
              "their middles, their axes; a mesh in one piece is cut first\n"
              "parts = the best of these three for each part",
              methods, [&choice](const std::string& word) { choose_method(choice, word); });
    add_words(verb, "--fingers", "Joints for the fingers of a biped: auto = where its hands show them, none",
              {"auto", "none"},
              [&choice](const std::string& word) { choice.options.fingers = word == "auto"; });
    verb.add_option("--template", choice.pattern,
                    "Skeleton to fit: biped, biped-hands, quadruped, hand, the name of a sample (horse, cat, "
                    "ostrich),\n"
                    "or a file that has one (BVH, ASF, glTF)")
        ->type_name("NAME_OR_FILE");
    add_words(verb, "--joint-frames",
              "bone = y of a joint along its bone, mirrored left and right, as Blender and engines want it\n"
              "world = no rotations at rest; by default bone, but a template keeps its own rotations",
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
            "auto = looks at the mesh, says what it took and why\n"
            "regions = cuts at the thinnest places, bands across them\n"
            "heat = warmth from the nearest visible bone spreads over the skin\n"
            "voxel = geodesic distance through the voxelised interior; open and multi-part meshes too\n"
            "biharmonic = smoothest bounded weights in the solid\n"
            "distance = straight distance to the bones, base 100\n"
            "nearest = smooth bind of the nearest joints\n"
            "rigid = the nearest bone alone")
        ->transform(CLI::CheckedTransformer(methods, CLI::ignore_case).description(""));
    verb.add_option("--softness", options.softness, "0 = rigid at the joints, 1 = as soft as it gets")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    verb.add_option("--max-influences", options.max_influences, "Joints a vertex; 0 sets no limit")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    verb.add_option("--prune-below", options.prune_below, "Weights below this are dropped")
        ->check(CLI::Range(0.0, 0.5));
    verb.add_option("--smooth", options.smoothing, "Passes of smoothing over the finished weights")
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
