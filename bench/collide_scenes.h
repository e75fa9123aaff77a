// SPDX-License-Identifier: MIT
#pragma once
// Two bodies, the frames they play, and what a query on them costs: on demand, and with all spheres refitted
// first.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

#include "sinew/collide/query.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/collide/triangle/triangle_pair.h"
#include "sinew/deform/skinner.h"
#include "sinew/model/character.h"

namespace sinew::collide::bench {

using deform::Mat34f;
using deform::Method;
using Palettes = std::vector<std::vector<Mat34f>>;

/// Of this thread; other work on the machine does not count.
inline double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline BuildOptions one_a_leaf() {
    BuildOptions options;
    options.max_leaf_triangles = 1;
    return options;
}

/// A character with all it needs to be played and collided.
struct Cast {
    model::Character character;
    SphereTree tree;
    SphereTree source_tree;  ///< one triangle a leaf
    deform::Skinner skinner;

    explicit Cast(model::Character made)
        : character(std::move(made)),
          tree(build_tree(character)),
          source_tree(build_tree(character, one_a_leaf())),
          skinner(character.mesh, character.skin, &character.skeleton, without_normals()) {}

    static deform::SkinnerOptions without_normals() {
        deform::SkinnerOptions options;
        options.normals = false;
        return options;
    }

    std::vector<Mat34f> pose(double time, double x, double z, double yaw) const {
        const math::Rigidd placed{math::axis_angle<double>(Vec3d::UnitY(), yaw), Vec3d(x, 0, z)};
        const model::Clip* clip = model::find_clip(character, "");
        const model::TimeRange range = model::time_range(*clip);
        const double length = range.end - range.start;
        auto palette = model::palette(
            character.skin, model::world_matrices(character, clip, range.start + std::fmod(time, length)));
        for (auto& m : palette) m = placed.matrix() * m;
        return deform::to_mat34(palette);
    }
};

/// Two bodies and the frames they play.
struct Scene {
    const Cast& a;
    const Cast& b;
    Palettes poses_a, poses_b;
};

/// Two of a kind that walk towards each other along z, from `from` apart to `to` apart.
inline Scene walk(const Cast& cast, double from, double to, std::size_t frames) {
    Scene scene{cast, cast, {}, {}};
    for (std::size_t f = 0; f < frames; ++f) {
        const double t = static_cast<double>(f) / static_cast<double>(frames - 1);
        const double gap = from + (to - from) * t;
        scene.poses_a.push_back(cast.pose(t, 0, -gap / 2, 0));
        scene.poses_b.push_back(cast.pose(t + 0.3, 0, gap / 2, math::pi));
    }
    return scene;
}

struct Timing {
    double milliseconds = 0;  ///< a frame, mean over the scene, the best of several runs
    double search = 0;        ///< of that, the search alone, where all spheres are there before it
    double contacts = 0;      ///< a frame
    QueryCounts counts;       ///< of one run over all frames
};

/// Runs a scene several times; `frame(f)` returns contacts.
template <class Frame>
Timing measure(std::size_t frames, const Frame& frame) {
    std::vector<double> times;
    Timing timing;
    const double begin = processor_seconds();
    for (int run = 0; run < 7 || (run < 400 && processor_seconds() - begin < 0.05); ++run) {
        double contacts = 0;
        const double start = processor_seconds();
        for (std::size_t f = 0; f < frames; ++f) contacts += static_cast<double>(frame(f));
        times.push_back(processor_seconds() - start);
        timing.contacts = contacts / static_cast<double>(frames);
    }
    timing.milliseconds = 1e3 * *std::min_element(times.begin(), times.end()) / static_cast<double>(frames);
    return timing;
}

inline Timing on_demand(const Scene& scene, Method method, bool first) {
    Body a(scene.a.tree, method), b(scene.b.tree, method);
    for (Body* body : {&a, &b}) body->reuse_spheres(false);  // a scene of one frame is a new pose every time
    QueryScratch scratch;
    std::vector<Contact> out;
    Timing timing = measure(scene.poses_a.size(), [&](std::size_t f) -> std::size_t {
        a.set_pose(scene.poses_a[f]);
        b.set_pose(scene.poses_b[f]);
        if (first) return touching(a, b, scratch);
        find_contacts(a, b, out, scratch);
        return out.size();
    });
    timing.counts = scratch.counts();
    return timing;
}

/// All vertices in mesh order.
inline void skin_all(const Cast& cast, const std::vector<Mat34f>& palette, Method method,
                     deform::Skinner::Pose& pose, std::vector<Vec3f>& out) {
    out.resize(cast.skinner.vertex_count());
    deform::VertexBuffer buffer;
    buffer.bytes = std::as_writable_bytes(std::span(out));
    buffer.stride = sizeof(Vec3f);
    buffer.normal = -1;
    cast.skinner.deform(palette, method, pose, buffer);
}

inline Timing bottom_up(const Scene& scene, Method method, bool first, bool source) {
    Body a(source ? scene.a.source_tree : scene.a.tree), b(source ? scene.b.source_tree : scene.b.tree);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    std::vector<Vec3f> va, vb;
    QueryScratch scratch;
    std::vector<Contact> out;
    double search = 0, min_search = std::numeric_limits<double>::infinity();
    const std::size_t frames = scene.poses_a.size();
    Timing timing = measure(frames, [&](std::size_t f) -> std::size_t {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, va);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, vb);
        a.set_pose(scene.poses_a[f]);
        b.set_pose(scene.poses_b[f]);
        a.refit_bottom_up(scratch, va);
        b.refit_bottom_up(scratch, vb);
        const double start = processor_seconds();
        bool touch = false;
        if (first) {
            touch = touching(a, b, scratch);
        } else {
            find_contacts(a, b, out, scratch);
        }
        search = (f == 0 ? 0 : search) + processor_seconds() - start;
        if (f + 1 == frames) min_search = std::min(min_search, search);
        return first ? touch : out.size();
    });
    timing.search = 1e3 * min_search / static_cast<double>(frames);
    return timing;
}

}  // namespace sinew::collide::bench
