// SPDX-License-Identifier: MIT

#include "sinew/io/gltf/vrm.h"

#include <cmath>
#include <map>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/model/roles.h"

namespace sinew::io::gltf {
namespace {

using model::JointRole;
using model::Role;
using model::Side;

/// Replaces a suffix.
bool replace_end(std::string& word, std::string_view end, std::string_view fresh) {
    if (!word.ends_with(end)) return false;
    word.replace(word.size() - end.size(), end.size(), fresh);
    return true;
}

/// Bones that require the previous bones in their list. Our thumbs begin with a proximal joint, those of VRM
/// 1 with the metacarpal one.
std::vector<std::string> run_words(Role role, Side side) {
    if (role == Role::spine) return {"spine", "chest", "upperChest"};
    std::string finger = model::canonical_name({role, side, 1});
    finger[0] = static_cast<char>(finger[0] | 0x20);
    replace_end(finger, "Proximal", "");
    if (role == Role::thumb) return {finger + "Metacarpal", finger + "Proximal", finger + "Distal"};
    return {finger + "Proximal", finger + "Intermediate", finger + "Distal"};
}

/// Joints by the names of VRM 1: our names with a lower-case first letter.
std::map<std::string, int> humanoid_map(const model::Skeleton& skeleton) {
    std::map<std::string, int> bones;
    std::map<std::pair<Role, Side>, std::map<int, int>> runs;  // joints by their position in a run
    const std::vector<JointRole> roles = model::find_roles(skeleton);
    for (std::size_t j = 0; j < roles.size(); ++j) {
        const auto [role, side, number] = roles[j];
        const int joint = static_cast<int>(j);
        const bool finger = role >= Role::thumb && role <= Role::little;
        if (role == Role::spine || role == Role::chest || role == Role::upper_chest) {
            if (number <= 1) runs[{Role::spine, side}].try_emplace(static_cast<int>(role), joint);
        } else if (finger) {
            if (number > 0 && side != Side::none) runs[{role, side}].try_emplace(number, joint);
        } else if (roles[j] && role != Role::ear && role != Role::tail && number <= 1) {
            std::string word = model::canonical_name(roles[j]);
            word[0] = static_cast<char>(word[0] | 0x20);
            bones.try_emplace(word, joint);
        }
    }
    for (const auto& [run, joints] : runs) {
        const std::vector<std::string> words = run_words(run.first, run.second);
        std::size_t next = 0;
        for (const auto& [position, joint] : joints)
            if (next < words.size()) bones[words[next++]] = joint;
    }
    return bones;
}

/// The bones that VRM requires.
void require_person(const std::map<std::string, int>& bones, std::string_view file) {
    std::string missing;
    const auto require = [&](const std::string& word) {
        if (!bones.contains(word)) missing += (missing.empty() ? "" : ", ") + word;
    };
    for (const char* word : {"hips", "spine", "head"}) require(word);
    for (const std::string side : {"left", "right"})
        for (const char* word : {"UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"})
            require(side + word);
    if (!missing.empty())
        fail(file, "a VRM avatar is humanoid, but this skeleton has no {}; write a .glb instead", missing);
}

/// Programs assume that the rest pose is a T-pose: hanging arms would be raised by every motion.
void warn_unless_t_pose(const Writer& writer, const std::map<std::string, int>& bones) {
    const std::vector<math::Mat4d> world = model::rest_world_matrices(writer.character.skeleton);
    for (const std::string side : {"left", "right"}) {
        const auto position = [&](const char* word) -> math::Vec3d {
            return world[static_cast<std::size_t>(bones.at(side + word))].topRightCorner<3, 1>();
        };
        const math::Vec3d arm = position("Hand") - position("UpperArm");
        const double out = side == "left" ? arm.x() : -arm.x();
        const double angle = std::atan2(std::hypot(arm.y(), arm.z()), out) * 180 / std::numbers::pi;
        if (angle < 20) continue;
        warn(writer.monitor, "vrm-pose",
             "{}: the {} arm is {:.0f} degrees away from a T-pose, which VRM programs expect at rest",
             writer.file, side, angle);
    }
}

}  // namespace

void use_humanoid_names(const Document& document, const Rig& rig, model::Character& character) {
    const std::optional<Cursor> extensions = document.root().find("extensions");
    if (!extensions) return;
    std::vector<std::pair<std::string, int>> bones;
    if (const auto vrm = extensions->find("VRMC_vrm")) {
        const Cursor map = vrm->at("humanoid").at("humanBones");
        for (const std::string& word : map.keys()) {
            bones.emplace_back(word, document.reference(map.at(word), "node", "nodes"));
            if (!replace_end(bones.back().first, "ThumbProximal", "ThumbIntermediate"))
                replace_end(bones.back().first, "ThumbMetacarpal", "ThumbProximal");
        }
    } else if (const auto old = extensions->find("VRM")) {
        for (const Cursor& bone : old->at("humanoid").list("humanBones"))
            bones.emplace_back(bone.text("bone"), document.reference(bone, "node", "nodes"));
        // Characters of this version face -z.
        model::apply(character, {.rotation = math::Quatd(0, 0, 1, 0)});
    }
    std::vector<JointRole> roles(character.skeleton.size());
    for (auto& [word, node] : bones) {
        const int joint = node < 0 ? -1 : rig.joint_of[static_cast<std::size_t>(node)];
        if (joint < 0 || word.empty()) continue;
        word[0] = static_cast<char>(word[0] & ~0x20);
        roles[static_cast<std::size_t>(joint)] = model::role_from_name(word);
    }
    model::use_canonical_names(character.skeleton, roles);
}

void write_vrm(const Writer& writer) {
    if (!writer.character.has_mesh()) fail(writer.file, "a VRM avatar needs a mesh");
    if (!writer.character.has_skeleton()) fail(writer.file, "a VRM avatar needs a skeleton");
    const std::map<std::string, int> bones = humanoid_map(writer.character.skeleton);
    require_person(bones, writer.file);
    warn_unless_t_pose(writer, bones);
    Json humans = Json::object();
    for (const auto& [word, joint] : bones) humans[word] = {{"node", joint}};
    // Without a statement about use, the licence permits the minimum.
    const std::string& name = writer.character.name;
    writer.out.root["extensionsUsed"].push_back("VRMC_vrm");
    writer.out.root["extensions"]["VRMC_vrm"] = {{"specVersion", "1.0"},
                                                 {"meta",
                                                  {{"name", name.empty() ? "avatar" : name},
                                                   {"authors", {"not stated"}},
                                                   {"licenseUrl", "https://vrm.dev/licenses/1.0/"}}},
                                                 {"humanoid", {{"humanBones", std::move(humans)}}}};
}

}  // namespace sinew::io::gltf
