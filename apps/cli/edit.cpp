// SPDX-License-Identifier: MIT
// sinew edit: changes the joints and the weights of a rig.

#include "sinew/rig/edit.h"

#include <map>

#include "common.h"

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

struct EditArguments {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    std::vector<std::string> words;  ///< unused: the order of all options matters, not that of a single one
    const CLI::App* verb = nullptr;
};

/// "A=B" as two words; the second may be empty if `open`.
std::pair<std::string, std::string> edit_pair(const std::string& option, const std::string& text,
                                              std::string_view form, bool open = false) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || (!open && equal + 1 == text.size()))
        fail("", "{} {}: write {}", option, text, form);
    return {text.substr(0, equal), text.substr(equal + 1)};
}

/// The fraction of a bone after the last '@', which is removed from the text; a half when there is none.
double edit_position(const std::string& option, std::string& text) {
    const std::size_t sign = text.rfind('@');
    if (sign == std::string::npos) return 0.5;
    std::string_view rest = std::string_view(text).substr(sign + 1);
    const auto number = parse_number(rest);
    if (!number || !rest.empty() || !(*number > 0 && *number < 1))
        fail("", "{} {}: after @ give the position on the bone, between 0 and 1", option, text);
    text.resize(sign);
    return *number;
}

double edit_number(const std::string& option, const std::string& text, double low, double high) {
    std::string_view rest = text;
    const auto number = parse_number(rest);
    if (!number || !rest.empty() || *number < low || *number > high)
        fail("", "{} {}: write a number from {} to {}", option, text, low, high);
    return *number;
}

model::Side edit_side(const std::string& option, const std::string& text) {
    if (equal_ignoring_case(text, "left")) return model::Side::left;
    if (equal_ignoring_case(text, "right")) return model::Side::right;
    fail("", "{} {}: write the side to copy, left or right", option, text);
}

/// One edit: changes the character, and describes the change.
struct Edited {
    model::Character character;
    std::string done;
};

using Edit = Edited (*)(const model::Character&, const std::string& option, std::string text);

int edit_joint(const model::Character& character, const std::string& name) {
    return rig::joint_named(character.skeleton, name);
}

const std::string& joint_name_at(const model::Character& character, int joint) {
    return character.skeleton.joints[static_cast<std::size_t>(joint)].name;
}

Edited edit_rename(const model::Character& c, const std::string& option, std::string text) {
    const auto [old, fresh] = edit_pair(option, text, "OLD=NEW");
    return {rig::rename_joint(c, edit_joint(c, old), fresh), fmt::format("renamed {} to {}", old, fresh)};
}

Edited edit_reparent(const model::Character& c, const std::string& option, std::string text) {
    const auto [joint, parent] = edit_pair(option, text, "JOINT=PARENT, or JOINT= for a root", true);
    const int above = parent.empty() ? -1 : edit_joint(c, parent);
    return {rig::reparent_joint(c, edit_joint(c, joint), above),
            parent.empty() ? fmt::format("made {} a root", joint)
                           : fmt::format("put {} below {}", joint, parent)};
}

Edited edit_insert(const model::Character& c, const std::string& option, std::string text) {
    constexpr std::string_view form = "NEW=PARENT,CHILD or NEW=PARENT,CHILD@0.5";
    const double part = edit_position(option, text);
    const auto [name, bone] = edit_pair(option, text, form);
    const std::size_t comma = bone.find(',');
    if (comma == std::string::npos) fail("", "{} {}: write {}", option, text, form);
    const int parent = edit_joint(c, bone.substr(0, comma)), child = edit_joint(c, bone.substr(comma + 1));
    if (c.skeleton.joints[static_cast<std::size_t>(child)].parent != parent)
        fail("", "{} {}: {} is not a child of {}", option, text, joint_name_at(c, child),
             joint_name_at(c, parent));
    return {rig::insert_joint(c, child, part, name),
            fmt::format("inserted {} between {} and {}", name, joint_name_at(c, parent),
                        joint_name_at(c, child))};
}

Edited edit_remove(const model::Character& c, const std::string&, std::string text) {
    return {rig::delete_joint(c, edit_joint(c, text)), fmt::format("deleted {}", text)};
}

Edited edit_merge(const model::Character& c, const std::string& option, std::string text) {
    const auto [gone, into] = edit_pair(option, text, "JOINT=INTO");
    return {rig::merge_joints(c, edit_joint(c, gone), edit_joint(c, into)),
            fmt::format("merged {} into {}", gone, into)};
}

Edited edit_split(const model::Character& c, const std::string& option, std::string text) {
    const double part = edit_position(option, text);
    return {rig::split_joint(c, edit_joint(c, text), part), fmt::format("split {} at {:g}", text, part)};
}

Edited edit_mirror(const model::Character& c, const std::string& option, std::string text) {
    return {rig::mirror_joints(c, edit_side(option, text)), fmt::format("mirrored the {} side", text)};
}

Edited edit_orient(const model::Character& c, const std::string& option, std::string text) {
    const bool bone = equal_ignoring_case(text, "bone");
    if (!bone && !equal_ignoring_case(text, "world")) fail("", "{} {}: write bone or world", option, text);
    return {
        rig::orient_joints(c, bone ? rig::JointFrames::bone : rig::JointFrames::world),
        bone ? "aligned the joint frames with the bones" : "aligned the joint frames with the world axes"};
}

Edited edit_reroot(const model::Character& c, const std::string&, std::string text) {
    return {rig::reroot(c, edit_joint(c, text)), fmt::format("made {} the root", text)};
}

Edited edit_max_influences(const model::Character& c, const std::string& option, std::string text) {
    const int largest = static_cast<int>(edit_number(option, text, 1, 64));
    return {rig::limit_influences(c, largest), fmt::format("kept at most {} joints per vertex", largest)};
}

Edited edit_prune(const model::Character& c, const std::string& option, std::string text) {
    const double smallest = edit_number(option, text, 0, 0.5);
    return {rig::limit_influences(c, 0, smallest), fmt::format("dropped weights below {:g}", smallest)};
}

Edited edit_smooth(const model::Character& c, const std::string& option, std::string text) {
    const int passes = static_cast<int>(edit_number(option, text, 1, 1000));
    return {rig::smooth_weights(c, {.passes = passes}), fmt::format("smoothed the weights {} times", passes)};
}

Edited edit_slopes(const model::Character& c, const std::string& option, std::string text) {
    const double largest = edit_number(option, text, 0.01, 100);
    return {rig::limit_slopes(c, largest), fmt::format("limited the slopes of the weights to {:g}", largest)};
}

Edited edit_mirror_weights(const model::Character& c, const std::string& option, std::string text) {
    return {rig::mirror_weights(c, edit_side(option, text)),
            fmt::format("mirrored the weights of the {} side", text)};
}

struct EditOption {
    const char* name;
    const char* value;
    const char* help;
    Edit edit;
};

constexpr EditOption joint_options[] = {
    {"--rename", "OLD=NEW", "Rename a joint", edit_rename},
    {"--reparent", "JOINT=PARENT", "Give a joint another parent; JOINT= makes it a root", edit_reparent},
    {"--insert", "NEW=PARENT,CHILD[@0.5]", "Insert a joint on a bone; it has no weights", edit_insert},
    {"--delete", "JOINT", "Delete a joint; children and weights go to its parent", edit_remove},
    {"--merge", "JOINT=INTO", "Merge a joint and its weights into its parent or child", edit_merge},
    {"--split", "JOINT[@0.5]", "Split the bone of a joint in two, with its weights", edit_split},
    {"--mirror", "left|right", "Copy this side onto the other: joints and weights", edit_mirror},
    {"--orient", "bone|world", "Align the joint frames: y along the bones, or with the world axes",
     edit_orient},
    {"--root", "JOINT", "Make a joint the root", edit_reroot},
};
constexpr EditOption weight_options[] = {
    {"--smooth-weights", "PASSES", "Smooth the weights over the skin", edit_smooth},
    {"--limit-slopes", "MOST", "Limit the change of weights over the thickness of a limb; 1 is soft",
     edit_slopes},
    {"--mirror-weights", "left|right", "Copy the weights of this side onto the other", edit_mirror_weights},
    {"--max-influences", "COUNT", "Keep the joints with the largest weights of each vertex",
     edit_max_influences},
    {"--prune-below", "WEIGHT", "Drop smaller weights", edit_prune},
};

const EditOption* find_edit_option(const std::string& name) {
    for (const EditOption& option : joint_options)
        if (name == option.name) return &option;
    for (const EditOption& option : weight_options)
        if (name == option.name) return &option;
    return nullptr;
}

std::size_t max_influences(const model::Skin& skin) {
    std::size_t largest = 0;
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) largest = std::max(largest, skin.of(v).size());
    return largest;
}

void execute(Run& run, const EditArguments& options) {
    check_output(run, options.output, {output::models});
    io::Asset asset = load(run, options.input, options.read);
    model::Character& character = asset.character;
    if (!character.has_skeleton()) fail(options.input.string(), "contains no skeleton to edit");
    const std::size_t before = character.skeleton.size();
    Json edits = Json::array();
    std::map<const CLI::Option*, std::size_t> used;
    {
        const StageTimer timer(run.report, "edit");
        for (const CLI::Option* given : options.verb->parse_order()) {
            const EditOption* option = find_edit_option(given->get_name());
            if (option == nullptr) continue;
            const std::string value = given->results()[used[given]++];
            Edited edited = option->edit(character, option->name, value);
            character = std::move(edited.character);
            run.say("{}", edited.done);
            edits.push_back(
                {{"edit", std::string(option->name).substr(2)}, {"value", value}, {"done", edited.done}});
        }
    }
    if (edits.empty()) fail("", "nothing to do: give an edit, such as --rename Old=New");
    model::validate(character, options.input.string());
    run.report.extra.update({{"edits", std::move(edits)},
                             {"joints_before", before},
                             {"joints", character.skeleton.size()},
                             {"max_influences", max_influences(character.skin)}});
    save(run, options.output, asset);
    run.say("{} before, {} now; wrote {}", count_of(before, "joint"), character.skeleton.size(),
            options.output.string());
}

}  // namespace

void add_edit(Program& program) {
    auto options = std::make_shared<EditArguments>();
    CLI::App& verb = program.verb(
        "edit", "Edit the joints and weights of a rig",
        "  sinew edit rig.glb -o out.glb --rename Bone01=Hips --delete Bone07\n"
        "  sinew edit rig.glb -o out.glb --insert Twist=LeftLowerArm,LeftHand@0.5 --split Spine\n"
        "  sinew edit rig.glb -o out.glb --mirror left --orient bone\n"
        "  sinew edit rig.glb -o out.glb --smooth-weights 2 --max-influences 4\n"
        "  Edits are done in the order in which they are given; clips and weights follow.",
        [options](Run& run) { execute(run, *options); });
    options->verb = &verb;
    verb.add_option("input", options->input, "Rig")->required()->type_name("RIG");
    verb.add_option("-o,--output", options->output, "Rig to write: glb, gltf, usda, json, bvh ...")
        ->required()
        ->type_name("OUT");
    const auto add = [&](const char* heading, auto& list) {
        const OptionHeading group(verb, heading);
        for (const EditOption& option : list)
            verb.add_option(option.name, options->words, option.help)
                ->type_name(option.value)
                ->allow_extra_args(false);
    };
    add("Joints (options can be repeated)", joint_options);
    add("Weights", weight_options);
    add_read_options(verb, options->read);
}

}  // namespace sinew::cli
