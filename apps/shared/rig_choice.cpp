#include "rig_choice.h"

#include <filesystem>
#include <map>

#include "help.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/io.h"
#include "sinew/sample/samples.h"
#include "sinew/rig/templates.h"

namespace sinew::app {
namespace {

/// The pattern: a file with a skeleton, that of a sample, or a built-in one.
model::Skeleton load_pattern(const std::string& name, Monitor& monitor) {
    if (std::filesystem::exists(name)) {
        const io::Asset asset = io::read(name, {}, monitor);
        if (!asset.character.has_skeleton()) fail(name, "there is no skeleton in it to fit");
        return asset.character.skeleton;
    }
    for (const sample::Sample& known : sample::list())
        if (known.name == name) return sample::make(name).skeleton;
    return rig::skeleton_template(name);
}

/// "auto", "source", "x", "y", "z", or a direction such as "0.5,0,1".
rig::ViewOptions parse_view(const std::string& text) {
    static const std::map<std::string, rig::ViewMode> modes = {{"auto", rig::ViewMode::max_outline},
                                                               {"source", rig::ViewMode::source_formula},
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

void add_silhouette_options(CLI::App& verb, SkeletonChoice& choice) {
    rig::SilhouetteOptions& s = choice.options.silhouette;
    using Variant = rig::SilhouetteVariant;
    using Cost = rig::DecompositionCost;
    verb.add_option("--view", choice.view,
                    "Silhouette: auto, source (mean of the normals), x, y, z, or a direction such as 0.5,0,1")
        ->type_name("VIEW");
    add_choice<Variant>(verb, "--outline", s.outline.variant,
                        "Silhouette: a = search, b, c = linkage, d = walk (exact), e = picture",
                        {{"a", Variant::search},
                         {"b", Variant::linkage},
                         {"c", Variant::linkage_modified},
                         {"d", Variant::walk},
                         {"e", Variant::raster}});
    verb.add_option("--radius-scale", s.outline.radius_scale, "Silhouette a: scales the reach of the search")
        ->check(CLI::Range(0.5, 4.0));
    verb.add_option("--spacing", s.spacing, "Silhouette: of the outline's points; 0 by the mesh");
    verb.add_option("--prune", s.medial.keep, "Silhouette: branches shorter than this many radii go")
        ->check(CLI::Range(0.0, 3.0));
    verb.add_option("--cluster", s.medial.cluster,
                    "Silhouette: junctions closer than this many radii are one")
        ->check(CLI::Range(0.0, 3.0));
    add_choice<Cost>(verb, "--parts", s.decompose.cost, "Silhouette: which branch a vertex belongs to",
                     {{"ratio", Cost::ratio},
                      {"abs-diff", Cost::abs_diff},
                      {"signed", Cost::signed_diff},
                      {"nearest", Cost::nearest}});
    add_choice<rig::RefineMode>(verb, "--refine", s.refine.mode, "Silhouette: where depth comes from",
                                {{"rays", rig::RefineMode::ray_midpoint},
                                 {"second-silhouette", rig::RefineMode::second_silhouette},
                                 {"off", rig::RefineMode::off}});
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
    using Method = rig::SkeletonMethod;
    add_choice<Method>(verb, method, choice.options.method,
                       "auto = the first that is centred, inside and connected\n"
                       "silhouette = outline in the best view, its axis, depth by rays\n"
                       "contraction = the surface shrinks to a curve\n"
                       "voxel = deepest ways inside the solid\n"
                       "reeb = middles of the levels of distance inside the solid, for comparison\n"
                       "thinning = the solid layer by layer, for comparison\n"
                       "template = a given skeleton is placed inside the body\n"
                       "pinocchio = the same as published in 2007, for comparison: the body has to stand as "
                       "the template does\n"
                       "opening, centroid, principal-axis = from the parts of the mesh: where they meet,\n"
                       "their middles, their axes; a mesh in one piece is cut first\n"
                       "parts = the best of these three for each part",
                       {{"auto", Method::automatic},
                        {"silhouette", Method::silhouette},
                        {"contraction", Method::contraction},
                        {"voxel", Method::voxel},
                        {"reeb", Method::reeb},
                        {"thinning", Method::thinning},
                        {"template", Method::fitted},
                        {"pinocchio", Method::pinocchio},
                        {"opening", Method::opening},
                        {"centroid", Method::centroid},
                        {"principal-axis", Method::principal_axis},
                        {"parts", Method::parts}});
    verb.add_option("--template", choice.pattern,
                    "Skeleton to fit: biped, biped-hands, quadruped, hand, the name of a sample (horse, cat, "
                    "ostrich),\n"
                    "or a file that has one (BVH, ASF, glTF)")
        ->type_name("NAME_OR_FILE");
    add_silhouette_options(verb, choice);
    add_joint_options(verb, choice.options.joints);
    add_part_options(verb, choice);
}

void add_bind_options(CLI::App& verb, rig::BindOptions& options, const std::string& method) {
    const OptionHeading heading(verb, "Binding the skin");
    std::map<std::string, rig::BindMethod> methods = {{"auto", rig::BindMethod::automatic}};
    for (const rig::BindMethod known : rig::bind_methods()) methods.emplace(rig::name_of(known), known);
    verb.add_option(method, options.method,
                    "auto = looks at the mesh, says what it took and why\n"
                    "regions = cuts at the thinnest places, bands across them\n"
                    "heat = warmth from the nearest visible bone spreads over the skin\n"
                    "voxel = ways inside the solid; open and many-shelled bodies too\n"
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

rig::SkeletonizeResult find_skeleton(const geometry::Mesh& mesh, const SkeletonChoice& choice,
                                     Monitor& monitor) {
    rig::SkeletonizeOptions options = choice.options;
    model::Skeleton pattern;
    if (!choice.pattern.empty()) {
        pattern = load_pattern(choice.pattern, monitor);
        options.pattern = &pattern;
    }
    model::Skeleton hierarchy;
    if (!choice.hierarchy.empty()) {
        hierarchy = io::read(choice.hierarchy, {}, monitor).character.skeleton;
        options.part_body.hierarchy = &hierarchy;
    }
    options.parts.refine.most = math::radians(choice.max_angle);
    options.parts.refine.most_parent =
        choice.max_parent_angle >= 90 ? rig::unlimited_angle : math::radians(choice.max_parent_angle);
    if (!choice.view.empty()) options.silhouette.view = parse_view(choice.view);
    return rig::skeletonize(mesh, options, monitor);
}

}  // namespace sinew::app
