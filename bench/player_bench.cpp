// SPDX-License-Identifier: MIT
// Sampling, blending and hierarchy of 67 joints against a plain scalar player.
//
// Playing 67 joints on one thread: sampling, blending, layers, hierarchy, each beside a plain scalar player
// (array of structs, single precision, Eigen) in the same run. Every figure is the 10th percentile of many
// repetitions, because other work on the machine only ever adds time.
//
//   cmake --build --preset release --target bench_player && build/release/bench/bench_player

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <hwy/targets.h>

#include "sinew/deform/playback/hierarchy.h"
#include "sinew/deform/player.h"

namespace {

using namespace sinew;
using namespace sinew::deform;
using math::Quatf;
using math::Transform;
using math::Vec3f;
using model::PackedClip;

constexpr std::size_t joint_count = 67;
constexpr double clip_seconds = 10;

/// A body like a game character's: a spine of 6, and four limbs and fingers that branch from it.
model::Skeleton make_skeleton(std::mt19937& random) {
    std::normal_distribution<double> normal;
    model::Skeleton skeleton;
    for (std::size_t j = 0; j < joint_count; ++j) {
        // Chains of four are attached to the spine, one after the other, as exporters write them.
        int parent = static_cast<int>(j) - 1;
        if (j > 6 && j % 4 == 3) parent = static_cast<int>(j / 4 % 6);
        Transform rest;
        rest.translation = math::Vec3d(normal(random), normal(random), normal(random)) * 0.2;
        rest.rotation = math::Quatd(1, 0.2 * normal(random), 0.2 * normal(random), 0).normalized();
        skeleton.joints.push_back({fmt::format("joint_{}", j), parent, rest, {}});
    }
    return skeleton;
}

/// `everything`: all joints also move and scale; otherwise all turn and the root moves, as in captured
/// motion.
model::Clip make_clip(const model::Skeleton& skeleton, double rate, bool everything, std::mt19937& random) {
    std::normal_distribution<double> normal;
    model::Clip clip;
    clip.name = "bench";
    const auto count = static_cast<std::size_t>(clip_seconds * rate) + 1;
    const auto times = model::KeyTimes::even(0, 1 / rate, count);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Track track;
        track.joint = static_cast<int>(j);
        const math::Vec3d swing(normal(random), normal(random), normal(random));
        for (std::size_t f = 0; f < count; ++f) {
            const double phase = std::sin(2 * times[f] + 0.1 * static_cast<double>(j));
            track.rotation.values.push_back(
                math::from_rotation_vector<double>(swing * phase * 0.4).cast<float>());
            if (!everything && j > 0) continue;
            track.translation.values.push_back((swing * phase).cast<float>());
            if (everything)
                track.scale.values.push_back((math::Vec3d::Ones() * (1 + 0.1 * phase)).cast<float>());
        }
        track.rotation.times = times;
        if (!track.translation.values.empty()) track.translation.times = times;
        if (!track.scale.values.empty()) track.scale.times = times;
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

/// The plain player: what one writes first.
struct ScalarJoint {
    Vec3f translation;
    Quatf rotation;
    Vec3f scale;
};

struct ScalarPlayer {
    std::vector<ScalarJoint> frames;
    std::vector<int> parents;
    std::vector<math::Mat4f, Eigen::aligned_allocator<math::Mat4f>> inverse_binds, world, palette;
    std::vector<ScalarJoint> pose, other;
    double rate = 30;

    ScalarPlayer(const PackedClip& clip, const model::Skeleton& skeleton)
        : world(joint_count), palette(joint_count), pose(joint_count), other(joint_count), rate(clip.rate) {
        std::vector<float> buffer(clip.pose_size());
        for (std::size_t f = 0; f < clip.frame_count; ++f) {
            model::expand(clip, f, buffer);
            for (std::size_t j = 0; j < joint_count; ++j) {
                const Transform t = model::load_transform(buffer, clip.stride, j);
                frames.push_back(
                    {t.translation.cast<float>(), t.rotation.cast<float>(), t.scale.cast<float>()});
            }
        }
        for (const model::Joint& joint : skeleton.joints) parents.push_back(joint.parent);
        for (const model::SkinJoint& entry : model::bind_at_rest(skeleton)) {
            inverse_binds.emplace_back(entry.inverse_bind.cast<float>());
        }
    }

    void sample(double time, std::vector<ScalarJoint>& out) const {
        const double position = time * rate;
        const auto frame = static_cast<std::size_t>(position);
        const auto t = static_cast<float>(position - static_cast<double>(frame));
        const ScalarJoint* a = &frames[frame * joint_count];
        const ScalarJoint* b = a + joint_count;
        for (std::size_t j = 0; j < joint_count; ++j) out[j] = mixed(a[j], b[j], t);
    }

    static ScalarJoint mixed(const ScalarJoint& a, const ScalarJoint& b, float t) {
        ScalarJoint result;
        result.translation = a.translation + t * (b.translation - a.translation);
        result.scale = a.scale + t * (b.scale - a.scale);
        const float sign = a.rotation.dot(b.rotation) < 0 ? -1.0f : 1.0f;
        result.rotation.coeffs() =
            ((1 - t) * a.rotation.coeffs() + sign * t * b.rotation.coeffs()).normalized();
        return result;
    }

    void blend(double time) {
        sample(time, pose);
        sample(clip_seconds / 2 - time / 3, other);
        for (std::size_t j = 0; j < joint_count; ++j) pose[j] = mixed(pose[j], other[j], 0.5f);
    }

    void hierarchy() {
        for (std::size_t j = 0; j < joint_count; ++j) {
            math::Mat4f local = math::Mat4f::Identity();
            local.topLeftCorner<3, 3>() = pose[j].rotation.toRotationMatrix() * pose[j].scale.asDiagonal();
            local.topRightCorner<3, 1>() = pose[j].translation;
            world[j] =
                parents[j] < 0 ? local : math::Mat4f(world[static_cast<std::size_t>(parents[j])] * local);
            palette[j] = world[j] * inverse_binds[j];
        }
    }
};

/// Nanoseconds of one call: the 10th percentile over many batches.
double nanoseconds(const std::function<void(std::size_t call)>& batch_of_256) {
    constexpr std::size_t batch = 256, repetitions = 400;
    std::vector<double> times;
    for (std::size_t r = 0; r < repetitions; ++r) {
        const auto before = std::chrono::steady_clock::now();
        batch_of_256(r * batch);
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - before;
        times.push_back(spent.count() / batch);
    }
    std::ranges::sort(times);
    return times[repetitions / 10];
}

template <class Body>
double measure(const Body& body) {
    return nanoseconds([&](std::size_t first) {
        for (std::size_t i = first; i < first + 256; ++i) body(i);
        benchmark::ClobberMemory();
    });
}

/// Times as a game asks for them (60 a second, never right on a frame), and anywhere.
struct Times {
    std::vector<double> sequential, anywhere;

    explicit Times(std::mt19937& random) {
        std::uniform_real_distribution<double> uniform(0, clip_seconds - 0.1);
        for (std::size_t i = 0; i < 4096; ++i) {
            sequential.push_back(std::fmod(0.0012 + static_cast<double>(i) / 60, clip_seconds - 0.1));
            anywhere.push_back(uniform(random));
        }
    }
};

void row(std::string_view name, double ours, double scalar = 0) {
    if (scalar > 0) {
        fmt::print("{:<58} {:8.1f} {:8.1f} {:7.1f}x\n", name, ours, scalar, scalar / ours);
    } else {
        fmt::print("{:<58} {:8.1f}\n", name, ours);
    }
}

void bench_sampling(const model::Skeleton& skeleton, double rate, bool everything, const Times& times,
                    std::mt19937& random) {
    const PackedClip clip = model::pack(make_clip(skeleton, rate, everything, random), skeleton);
    ScalarPlayer scalar(clip, skeleton);
    LocalPose pose(joint_count);
    const auto ours = [&](const std::vector<double>& at) {
        return measure([&](std::size_t i) { sample(clip, at[i % 4096], Playback::loop, pose); });
    };
    const auto theirs = [&](const std::vector<double>& at) {
        return measure([&](std::size_t i) { scalar.sample(at[i % 4096], scalar.pose); });
    };
    const std::string what =
        fmt::format("{} fps, {}", rate, everything ? "all moves and scales" : "root moves, all turns");
    const double sequential = ours(times.sequential), seeking = ours(times.anywhere);
    row("sample sequentially, " + what, sequential, theirs(times.sequential));
    row("sample anywhere, " + what, seeking, theirs(times.anywhere));
    fmt::print("{:<58} {:8.2f}\n", "  anywhere / sequentially", seeking / sequential);
}

void bench_layers(const model::Skeleton& skeleton, const Times& times, std::mt19937& random) {
    const model::Clip raw = make_clip(skeleton, 30, false, random);
    std::vector<PackedClip> clips;
    for (int i = 0; i < 4; ++i)
        clips.push_back(model::pack(make_clip(skeleton, 30, false, random), skeleton));
    const PackedClip delta = model::pack_additive(raw, skeleton, model::sample(raw, skeleton, 0));
    const std::vector<model::SkinJoint> joints = model::bind_at_rest(skeleton);
    const JointMask arm = JointMask::below(skeleton, 4);
    Player player(skeleton, joints);
    ScalarPlayer scalar(clips[0], skeleton);

    const auto play = [&](std::vector<Layer> layers) {
        return measure([&](std::size_t i) {
            for (Layer& layer : layers) layer.time = times.sequential[i % 4096];
            player.play(layers);
        });
    };
    LocalPose pose = rest_pose(skeleton);
    std::vector<Mat34f> world(joint_count), palette(joint_count);
    const Hierarchy hierarchy(skeleton, joints);
    const double matrices = measure([&](std::size_t) { hierarchy.evaluate(pose, world, palette); });
    row("hierarchy to palette", matrices, measure([&](std::size_t) { scalar.hierarchy(); }));

    row("one clip to palette",
        measure([&](std::size_t i) { player.play(clips[0], times.sequential[i % 4096], Playback::loop); }),
        measure([&](std::size_t i) {
            scalar.sample(times.sequential[i % 4096], scalar.pose);
            scalar.hierarchy();
        }));
    const Layer first{.clip = &clips[0], .weight = 0.5f};
    const double two = play({first, {.clip = &clips[1], .weight = 0.5f}});
    row("two clips blended to palette", two, measure([&](std::size_t i) {
            scalar.blend(times.sequential[i % 4096]);
            scalar.hierarchy();
        }));
    row("four clips blended to palette",
        play({first, {.clip = &clips[1]}, {.clip = &clips[2]}, {.clip = &clips[3]}}));
    row("one clip and a masked layer to palette",
        play({first, {.clip = &clips[1], .mode = LayerMode::over, .mask = &arm}}));
    row("one clip and an additive masked layer to palette",
        play({first, {.clip = &delta, .weight = 0.5f, .mode = LayerMode::add, .mask = &arm}}));
}

void bench_all() {
    std::mt19937 random(1);
    const model::Skeleton skeleton = make_skeleton(random);
    const Times times(random);
    fmt::print("{} joints, one thread, nanoseconds a call, 10th percentile of 400 batches of 256\n",
               joint_count);
    fmt::print("{:<58} {:>8} {:>8} {:>8}\n", "", "sinew", "scalar", "ratio");
    for (const bool everything : {false, true}) {
        for (const double rate : {30.0, 120.0}) bench_sampling(skeleton, rate, everything, times, random);
    }
    bench_layers(skeleton, times, random);
}

}  // namespace

/// With a name (`AVX2`, `SSE4`) only that instruction set is used.
int main(int argc, char** argv) {
    if (argc > 1) {
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            if (std::string_view(hwy::TargetName(target)) == argv[1]) hwy::SetSupportedTargetsForTest(target);
        }
    }
    fmt::print("instruction sets: ");
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        fmt::print("{} ", hwy::TargetName(target));
    fmt::print("\n");
    bench_all();
}
