// SPDX-License-Identifier: MIT
#include "poser.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

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

void Poser::set_up(const model::Character& character, deform::Corrective correction, Monitor& monitor) {
    deformer_.reset();
    closing_.reset();
    cannot_close_ = false;
    posed_ = {};
    if (!character.has_mesh() || !character.has_skin()) return;
    try {
        deform::DeformerOptions options{.threads = deform::Threads::all};
        options.corrective.kind = correction;
        deformer_.emplace(character, options);
    } catch (const Error& error) {
        warn(monitor, "skin-broken", "{}; {}", error.what(),
             correction == deform::Corrective::none ? "the rest pose is shown"
                                                    : "it is shown without correction");
        if (correction != deform::Corrective::none) set_up(character, deform::Corrective::none, monitor);
    }
}

void Poser::show_sequence(const State& state) {
    const model::MeshSequence& sequence = *state.document.sequence;
    const auto frame = static_cast<std::size_t>(std::max(state.timeline.frame(), 0));
    posed_.positions = sequence.frames[std::min(frame, sequence.frames.size() - 1)];
    posed_.normals.clear();
}

void Poser::skin(const State& state, deform::Method method) {
    deformer_->set_method(method);
    const deform::DeformedSkin& skin = deformer_->at(pose_now(state), morph_weights(state));
    posed_.positions = skin.positions;
    posed_.normals = skin.normals;
}

void Poser::close_gaps(Monitor& monitor) {
    if (cannot_close_) return;
    try {
        if (!closing_) closing_.emplace(*character_, articulated::GapOptions{}, monitor);
        posed_.closed = closing_->mesh_at(posed_.palette, monitor);
    } catch (const Error& error) {
        cannot_close_ = true;
        warn(monitor, "gaps-open", "{}; the gaps at the joints stay open", error.what());
    }
}

bool Poser::ready(const State& state) const {
    return character_ == state.document.character &&
           posed_.positions.size() == character_->mesh.vertex_count() &&
           posed_.world.size() == character_->skeleton.size();
}

const PosedBody& Poser::pose(const State& state, const std::shared_ptr<const model::Character>& shown,
                             const SkinSettings& settings, Monitor& monitor) {
    const deform::Corrective correction =
        settings.close_gaps ? deform::Corrective::none : settings.correction;
    if (character_ != shown || correction_ != correction) {
        character_ = shown;
        correction_ = correction;
        set_up(*character_, correction, monitor);
    }
    const double start = seconds_now();
    const model::Character& character = *character_;
    posed_.closed.reset();
    posed_.world = model::world_matrices(character.skeleton, pose_now(state));
    if (state.document.sequence) {
        show_sequence(state);
    } else if (deformer_) {
        posed_.palette = model::palette(character.skin, posed_.world);
        skin(state, settings.close_gaps ? deform::Method::rigid : settings.method);
        if (settings.close_gaps) close_gaps(monitor);
    } else if (posed_.positions.size() != character.mesh.vertex_count()) {
        posed_.positions = character.mesh.positions;
        posed_.normals = character.mesh.normals;
    }
    posed_.seconds = seconds_now() - start;
    return posed_;
}

}  // namespace sinew::studio
