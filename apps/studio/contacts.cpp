// SPDX-License-Identifier: MIT
#include "contacts.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/collide/query.h"
#include "sinew/deform/deformer.h"

namespace sinew::studio {
namespace {

/// The collision of skins supports linear, spherical and dual quaternion blending.
deform::Method collided(deform::Method method) {
    const bool known = method == deform::Method::lbs || method == deform::Method::sbs;
    return known ? method : deform::Method::dqs;
}

/// Depth of the corners of one triangle behind the plane of another.
float behind(const std::vector<Vec3f>& positions, const geometry::Triangle& plane,
             const geometry::Triangle& corners) {
    const Vec3f& a = positions[plane[0]];
    const Vec3f normal = (positions[plane[1]] - a).cross(positions[plane[2]] - a).normalized();
    float most = 0;
    for (const std::uint32_t v : corners) most = std::max(most, -normal.dot(positions[v] - a));
    return most;
}

}  // namespace

double contact_depth(const std::vector<Vec3f>& positions, const std::vector<geometry::Triangle>& triangles,
                     std::uint32_t a, std::uint32_t b) {
    return static_cast<double>(std::min(behind(positions, triangles[a], triangles[b]),
                                        behind(positions, triangles[b], triangles[a])));
}

std::size_t ContactTrack::frame_at(double time) const {
    const auto last = static_cast<double>(std::max<std::size_t>(pairs.size(), 1) - 1);
    return static_cast<std::size_t>(std::clamp(std::round((time - start) / step), 0.0, last));
}

void count_contacts(State& state) {
    const model::Clip* playing = state.playing_clip();
    if (playing == nullptr || !state.character().has_skin()) {
        state.messages.add(Severity::error, "counting contacts needs a skin and a clip");
        return;
    }
    auto track = std::make_shared<ContactTrack>();
    track->character = state.document.character;
    track->clip = state.clip;
    track->start = state.timeline.start;
    track->step = 1 / state.timeline.rate;
    const auto frames = static_cast<std::size_t>(state.timeline.frame_count());
    const auto work = [track, frames, method = collided(state.skin.method)](Monitor& monitor) -> Job::Apply {
        const model::Character& character = *track->character;
        const model::Clip& clip = character.clips[static_cast<std::size_t>(track->clip)];
        const collide::SphereTree tree = collide::build_tree(character);
        collide::Body body(tree, method);
        deform::Deformer deformer(character, {.method = method});
        collide::QueryScratch scratch;
        std::vector<collide::Contact> contacts;
        for (std::size_t f = 0; f < frames; ++f) {
            step(monitor, "frames", static_cast<double>(f) / static_cast<double>(frames));
            const double time = track->start + static_cast<double>(f) * track->step;
            body.set_pose(deform::to_mat34(
                model::palette(character.skin, model::world_matrices(character, &clip, time))));
            collide::find_self_contacts(body, contacts, scratch);
            const std::vector<Vec3f>& positions = deformer.at(&clip, time).positions;
            double deepest = 0;
            for (const collide::Contact& contact : contacts)
                deepest = std::max(deepest,
                                   contact_depth(positions, character.mesh.triangles, contact.a, contact.b));
            track->depths.push_back(deepest);
            std::vector<std::uint32_t> touching;
            for (const collide::Contact& contact : contacts)
                touching.insert(touching.end(), {contact.a, contact.b});
            std::ranges::sort(touching);
            touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
            track->triangles.push_back(std::move(touching));
            track->pairs.push_back(static_cast<int>(contacts.size()));
        }
        return [track](State& now) { now.contacts = track; };
    };
    state.job.start("Counting contacts", work);
}

}  // namespace sinew::studio
