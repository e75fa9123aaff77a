// SPDX-License-Identifier: MIT
#include "others.h"

#include "cast.h"

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

std::vector<Transform> local_pose(const Actor& actor, const State& state) {
    const model::Character& character = *actor.document.character;
    std::vector<Transform> local;
    if (actor.clip >= 0) {
        const model::Clip& clip = character.clips[static_cast<std::size_t>(actor.clip)];
        const double since = state.timeline.time - state.timeline.start;
        local = model::sample(clip, character.skeleton, time_in_clip(clip, since));
    } else {
        for (const model::Joint& joint : character.skeleton.joints) local.push_back(joint.rest);
    }
    return with_layer(std::move(local), actor.pose);
}

}  // namespace

void Others::pose(Body& body, const Actor& actor, const State& state) {
    const Vec3d shift = actor.shift - state.cast.shift;
    const Vec3f away = shift.cast<float>();
    const model::Character& character = *actor.document.character;
    const std::vector<Transform> local = local_pose(actor, state);
    body.world = model::world_matrices(character.skeleton, local);
    for (math::Mat4d& joint : body.world) joint.topRightCorner<3, 1>() += shift;
    if (actor.document.sequence) {
        const model::MeshSequence& sequence = *actor.document.sequence;
        const auto frame = static_cast<std::size_t>(
            std::max(0.0, (state.timeline.time - state.timeline.start) * sequence.rate));
        body.positions = sequence.frames[frame % sequence.frames.size()];
        body.normals.clear();
    } else if (body.deformer) {
        body.deformer->set_method(state.skin.method);
        const deform::DeformedSkin& skin = body.deformer->at(local);
        body.positions = skin.positions;
        body.normals = skin.normals;
    } else {
        body.positions = character.mesh.positions;
        body.normals = character.mesh.normals;
    }
    for (Vec3f& position : body.positions) position += away;
}

void Others::update(const State& state, Monitor& monitor) {
    const auto& actors = state.cast.actors;
    bodies_.resize(actors.size());
    for (std::size_t i = 0; i < actors.size(); ++i) {
        if (!actors[i] || actors[i]->hidden) {
            bodies_[i].reset();
            continue;
        }
        const auto& character = actors[i]->document.character;
        if (!bodies_[i] || bodies_[i]->character != character) {
            bodies_[i] = std::make_unique<Body>();
            bodies_[i]->character = character;
            try {
                if (character->has_mesh()) bodies_[i]->mesh.emplace(renderer_, character->mesh, monitor);
                if (character->has_skin()) bodies_[i]->deformer.emplace(*character);
            } catch (const Error& error) {
                warn(monitor, "skin-broken", "{}; the rest pose is shown", error.what());
            }
        }
        pose(*bodies_[i], *actors[i], state);
    }
}

void Others::add_to(render::Scene& scene, const State& state) const {
    for (const auto& body : bodies_) {
        if (!body) continue;
        if (body->mesh) {
            render::Drawable drawable;
            drawable.mesh = body->mesh->id();
            drawable.positions = body->positions;
            drawable.normals = body->normals;
            if (state.view.coloring != Coloring::material) drawable.surface = render::Surface::plain;
            drawable.casts_shadow = state.view.shadows;
            scene.drawables.push_back(drawable);
        } else {
            scene.overlays.push_back(render::skeleton_overlay(body->character->skeleton, body->world, {}));
        }
    }
}

void Others::include(geometry::Box& box, const State& state) const {
    for (const auto& actor : state.cast.actors) {
        if (!actor || actor->hidden || actor->document.box.empty()) continue;
        const Vec3f away = (actor->shift - state.cast.shift).cast<float>();
        box.include(actor->document.box.low + away);
        box.include(actor->document.box.high + away);
    }
}

}  // namespace sinew::studio
