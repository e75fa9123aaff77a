#include "poser.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/reference.h"

namespace sinew::studio {
namespace {

std::vector<float> morph_weights(const State& state) {
    std::vector<float> weights;
    for (const geometry::Morph& morph : state.character().mesh.morphs) weights.push_back(morph.weight);
    if (const model::Clip* clip = state.playing_clip())
        model::sample_morphs(*clip, state.timeline.time, weights);
    return weights;
}

}  // namespace

geometry::Box PosedBody::bounds() const {
    geometry::Box box;
    for (const Vec3f& p : positions)
        if (p.allFinite()) box.include(p);
    for (const math::Mat4d& joint : world) box.include(joint.topRightCorner<3, 1>().cast<float>());
    return box;
}

Poser::Fast::Fast(const model::Character& character)
    : skinner(character.mesh, character.skin, &character.skeleton),
      pose(skinner),
      vertices(6 * character.mesh.vertex_count()) {}

void Poser::set_up(const model::Character& character, Monitor& monitor) {
    fast_.reset();
    closing_.reset();
    cannot_close_ = false;
    posed_ = {};
    if (!character.has_mesh() || !character.has_skin()) return;
    try {
        fast_ = std::make_unique<Fast>(character);
    } catch (const Error& error) {
        warn(monitor, "skin-broken", "{}; shown at rest", error.what());
    }
}

void Poser::show_sequence(const State& state) {
    const model::MeshSequence& sequence = *state.document.sequence;
    const auto frame = static_cast<std::size_t>(std::max(state.timeline.frame(), 0));
    posed_.positions = sequence.frames[std::min(frame, sequence.frames.size() - 1)];
    posed_.normals.clear();
}

void Poser::split_vertices(bool normals) {
    const std::size_t count = fast_->vertices.size() / 6;
    posed_.positions.resize(count);
    posed_.normals.resize(normals ? count : 0);
    const float* from = fast_->vertices.data();
    for (std::size_t v = 0; v < count; ++v, from += 6) {
        posed_.positions[v] = {from[0], from[1], from[2]};
        if (normals) posed_.normals[v] = {from[3], from[4], from[5]};
    }
}

void Poser::skin(const State& state, deform::Method method) {
    const model::Character& character = state.character();
    if (!character.mesh.morphs.empty()) {
        const auto sets = model::group_by_influences(character.skin, &character.skeleton);
        deform::DeformResult<float> result =
            deform::deform(deform::morphed(character.mesh, morph_weights(state)), character.skin, sets,
                           posed_.palette, method);
        posed_.positions = std::move(result.positions);
        posed_.normals = std::move(result.normals);
        return;
    }
    const bool normals = !character.mesh.normals.empty();
    deform::VertexBuffer out;
    out.bytes = std::as_writable_bytes(std::span(fast_->vertices));
    if (!normals) out.normal = -1;
    fast_->skinner.deform(deform::to_mat34(posed_.palette), method, fast_->pose, out, deform::Threads::all);
    split_vertices(normals);
}

void Poser::close_gaps(const State& state, Monitor& monitor) {
    if (cannot_close_) return;
    try {
        if (!closing_) {
            deform::RigidPartsOfSkin parts = deform::rigid_parts_of_skin(state.character(), monitor);
            deform::GapCloser closer(parts.body, {}, monitor);
            closing_ = std::make_unique<Closing>(Closing{std::move(parts), std::move(closer)});
        }
        posed_.closed =
            closing_->closer.close(deform::part_transforms(closing_->parts, posed_.palette), monitor).mesh;
    } catch (const Error& error) {
        cannot_close_ = true;
        warn(monitor, "gaps-open", "{}; the joints stay open", error.what());
    }
}

bool Poser::ready(const State& state) const {
    return character_ == state.document.character &&
           posed_.positions.size() == character_->mesh.vertex_count() &&
           posed_.world.size() == character_->skeleton.size();
}

const PosedBody& Poser::pose(const State& state, Monitor& monitor) {
    if (character_ != state.document.character) {
        character_ = state.document.character;
        set_up(*character_, monitor);
    }
    const double start = seconds_now();
    const model::Character& character = *character_;
    posed_.closed.reset();
    posed_.world = model::world_matrices(character.skeleton, pose_now(state));
    if (state.document.sequence) {
        show_sequence(state);
    } else if (fast_) {
        posed_.palette = model::palette(character.skin, posed_.world);
        skin(state, state.skin.close_gaps ? deform::Method::rigid : state.skin.method);
        if (state.skin.close_gaps) close_gaps(state, monitor);
    } else if (posed_.positions.size() != character.mesh.vertex_count()) {
        posed_.positions = character.mesh.positions;
        posed_.normals = character.mesh.normals;
    }
    posed_.seconds = seconds_now() - start;
    return posed_;
}

}  // namespace sinew::studio
