// SPDX-License-Identifier: MIT
#pragma once
// A skinned mesh in a pose, and the two that skin it: the loop of engines and ours.

#include <cstddef>
#include <vector>

#include "interleaved_baseline.h"

#include "sinew/base/array.h"
#include "sinew/deform/skinner.h"
#include "sinew/model/character.h"

namespace sinew::bench {

struct BenchRig {
    geometry::Mesh mesh;
    model::Skeleton skeleton;
    model::Skin skin;
    std::vector<deform::Mat34f> palette;
};

/// The baseline's copy of a rig.
struct Baseline {
    std::vector<InterleavedVertex> in, out;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    AlignedVector<float> palette;

    explicit Baseline(const BenchRig& rig) : palette(rig.palette.size() * 16) {
        for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
            const auto& p = rig.mesh.positions[v];
            const auto& n = rig.mesh.normals[v];
            in.push_back({{p.x(), p.y(), p.z()}, {n.x(), n.y(), n.z()}});
            const auto influences = rig.skin.of(v);
            for (std::size_t i = 0; i < 4; ++i) {
                joints.push_back(static_cast<std::uint16_t>(i < influences.size() ? influences[i].joint : 0));
                weights.push_back(i < influences.size() ? influences[i].weight : 0);
            }
        }
        out.resize(in.size() + 1);
        for (std::size_t j = 0; j < rig.palette.size(); ++j) {
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 4; ++c) palette[j * 16 + c * 4 + r] = rig.palette[j].rows[r][c];
            }
        }
    }
    void run() {
        skin_interleaved({in.data(), joints.data(), weights.data(), in.size()}, palette.data(), out.data());
    }
};

/// Our skinner with room for its results.
struct Ours {
    deform::Skinner skinner;
    deform::Skinner::Pose pose;
    AlignedVector<float> arrays;
    deform::ComponentArrays components;
    std::vector<std::byte> buffer;

    static deform::Skinner make(const BenchRig& rig, bool centers) {
        deform::SkinnerOptions options;
        options.exact_normals = false;  // as the baseline does
        if (centers) options.centers = rig.mesh.positions;
        return {rig.mesh, rig.skin, &rig.skeleton, options};
    }
    explicit Ours(const BenchRig& rig, bool centers = false) : skinner(make(rig, centers)), pose(skinner) {
        // Arrays a little apart, so that they do not fall on the same cache sets.
        const std::size_t n = skinner.slot_count(), apart = n + 80;
        arrays.resize(apart * 6);
        for (std::size_t i = 0; i < 3; ++i) {
            components.position[i] = {arrays.data() + i * apart, n};
            components.normal[i] = {arrays.data() + (3 + i) * apart, n};
        }
        buffer.resize(n * sizeof(InterleavedVertex));
    }
    void run(const BenchRig& rig, deform::Method method, deform::Threads threads = deform::Threads::one) {
        skinner.deform(rig.palette, method, pose, components, threads);
    }
};

}  // namespace sinew::bench
