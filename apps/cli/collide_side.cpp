// SPDX-License-Identifier: MIT
#include "collide_side.h"

#include "sinew/base/error.h"
#include "sinew/collide/query.h"
#include "sinew/deform/deformer.h"

namespace sinew::cli {

std::vector<deform::Mat34f> CollideSide::palette(double time) const {
    if (!character.has_skin()) {
        math::Mat4d m = math::Mat4d::Identity();
        m.topRightCorner<3, 1>() = offset;
        return {deform::to_mat34(m)};
    }
    auto matrices = model::palette(character.skin, model::world_matrices(character, clip, time));
    for (math::Mat4d& m : matrices) m.topRightCorner<3, 1>() += offset;
    return deform::to_mat34(matrices);
}

PlayedSide::PlayedSide(const CollideSide& side, deform::Method method)
    : side_(side), body_(side.tree, side.morphs, method) {}

void PlayedSide::pose(double time) {
    if (!side_.morphs.empty())
        body_.set_morph_weights(deform::morph_weights(side_.character, side_.clip, time));
    body_.set_pose(side_.palette(time));
}

CollideSide load_side(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                      const std::string& clip) {
    CollideSide side;
    side.character = std::move(load(run, path, read).character);
    if (side.character.mesh.triangles.empty()) fail(path.string(), "holds no triangles to collide with");
    side.clip = clip_named(side.character, clip);
    const StageTimer timer(run.report, "build");
    side.tree = collide::build_tree(side.character);
    side.morphs = collide::MorphBounds(side.tree, side.character.mesh);
    return side;
}

std::vector<collide::Contact> contacts_of(collide::Body& a, collide::Body* b, collide::QueryScratch& scratch,
                                          double tolerance) {
    std::vector<collide::Contact> contacts;
    if (b == nullptr) {
        collide::find_self_contacts(a, contacts, scratch);
    } else {
        collide::find_contacts(a, *b, contacts, scratch, tolerance);
    }
    return contacts;
}

void add_move_option(CLI::App& verb, std::vector<double>& move) {
    verb.add_option("--move", move, "Move B by x,y,z")->delimiter(',')->expected(3);
}

}  // namespace sinew::cli
