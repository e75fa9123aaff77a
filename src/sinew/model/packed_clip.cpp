// SPDX-License-Identifier: MIT
#include "sinew/model/packed_clip.h"

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

namespace sinew::model {
namespace {

constexpr std::size_t first_rotation_row = 3;
constexpr std::size_t first_scale_row = 7;

/// All frames with all their rows, before the constant lines are removed.
struct DenseFrames {
    std::size_t stride = 0;
    std::size_t count = 0;
    std::vector<float> data;

    std::size_t size() const { return PackedClip::rows * stride; }
    std::span<float> frame(std::size_t f) { return {data.data() + f * size(), size()}; }
    const float* line(std::size_t f, std::size_t slot) const { return data.data() + f * size() + slot; }
    float& at(std::size_t f, std::size_t row, std::size_t joint) {
        return data[f * size() + row * stride + joint];
    }
};

/// Negates rotations of a joint that are not in the hemisphere of the previous frame; the first has w >= 0.
void align_rotations(DenseFrames& frames, std::size_t joint) {
    for (std::size_t f = 0; f < frames.count; ++f) {
        float dot = f == 0 ? frames.at(0, first_rotation_row + 3, joint) : 0;
        for (std::size_t row = first_rotation_row; f > 0 && row < first_scale_row; ++row) {
            dot += frames.at(f, row, joint) * frames.at(f - 1, row, joint);
        }
        if (dot >= 0) continue;
        for (std::size_t row = first_rotation_row; row < first_scale_row; ++row) {
            frames.at(f, row, joint) = -frames.at(f, row, joint);
        }
    }
}

bool moves(const DenseFrames& frames, std::size_t slot) {
    const float* first = frames.line(0, slot);
    for (std::size_t f = 1; f < frames.count; ++f) {
        if (!std::equal(first, first + PackedClip::line, frames.line(f, slot))) return true;
    }
    return false;
}

void list_lines(const DenseFrames& frames, PackedClip& packed) {
    const auto location = [&](std::size_t row, std::size_t joint) {
        return static_cast<std::uint32_t>(row * frames.stride + joint);
    };
    for (std::size_t row = 0; row < PackedClip::rows; ++row) {
        if (row >= first_rotation_row && row < first_scale_row) continue;
        for (std::size_t j = 0; j < frames.stride; j += PackedClip::line) {
            (moves(frames, location(row, j)) ? packed.moving_lines : packed.still_lines)
                .push_back(location(row, j));
        }
    }
    for (std::size_t j = 0; j < frames.stride; j += PackedClip::line) {
        bool moving = false;
        for (std::size_t row = first_rotation_row; row < first_scale_row; ++row) {
            moving = moving || moves(frames, location(row, j));
        }
        if (moving) packed.moving_rotations.push_back(location(first_rotation_row, j));
        for (std::size_t row = first_rotation_row; !moving && row < first_scale_row; ++row) {
            packed.still_lines.push_back(location(row, j));
        }
    }
}

/// Calls `visit` with the position in a pose of each line of a frame, in their order.
template <class Visit>
void for_each_moving_line(const PackedClip& packed, const Visit& visit) {
    for (const std::uint32_t slot : packed.moving_lines) visit(slot);
    for (const std::uint32_t slot : packed.moving_rotations) {
        for (std::size_t row = 0; row < 4; ++row) visit(slot + row * packed.stride);
    }
}

void compact(const DenseFrames& frames, PackedClip& packed) {
    packed.still.assign(frames.data.begin(),
                        frames.data.begin() + static_cast<std::ptrdiff_t>(frames.size()));
    list_lines(frames, packed);
    packed.data.resize(packed.frame_size() * packed.frame_count);
    parallel_for(packed.frame_count, 16, [&](std::size_t f) {
        float* out = packed.data.data() + f * packed.frame_size();
        for_each_moving_line(packed, [&](std::size_t slot) {
            out = std::copy_n(frames.line(f, slot), PackedClip::line, out);
        });
    });
}

/// Packs a clip with every transform passed through `change(joint, transform)`.
template <class Change>
PackedClip pack_changed(const Clip& clip, const Skeleton& skeleton, double rate, const Change& change) {
    validate(clip, skeleton.size(), std::numeric_limits<int>::max(), clip.name);
    if (!(rate >= 0) || !std::isfinite(rate))
        fail(clip.name, "cannot be played at {} frames per second", rate);
    PackedClip packed;
    const TimeRange range = time_range(clip);
    packed.name = clip.name;
    packed.start = range.start;
    packed.rate = rate == 0 ? frame_rate(clip) : rate;
    packed.joint_count = skeleton.size();
    packed.stride = padded_joint_count(skeleton.size());
    packed.frame_count = sample_count(range, packed.rate);
    DenseFrames frames{packed.stride, packed.frame_count, {}};
    frames.data.resize(frames.size() * frames.count);
    parallel_for(packed.frame_count, 16, [&](std::size_t f) {
        const std::span<float> frame = frames.frame(f);
        const std::vector<Transform> local =
            sample(clip, skeleton, packed.start + static_cast<double>(f) / packed.rate);
        for (std::size_t j = 0; j < local.size(); ++j) {
            store_transform(frame, packed.stride, j, change(j, local[j]));
        }
        for (std::size_t j = local.size(); j < packed.stride; ++j)
            store_transform(frame, packed.stride, j, {});
    });
    parallel_for(packed.joint_count, 8, [&](std::size_t joint) { align_rotations(frames, joint); });
    compact(frames, packed);
    validate(packed, clip.name);
    return packed;
}

void check_pose(std::span<const float> pose, const PackedClip& packed, std::size_t frame,
                std::string_view location) {
    for (std::size_t j = 0; j < packed.joint_count; ++j) {
        const Transform t = load_transform(pose, packed.stride, j);
        const bool finite =
            t.translation.allFinite() && t.rotation.coeffs().allFinite() && t.scale.allFinite();
        if (!finite) fail(location, "joint {} is not finite in frame {}", j, frame);
        if (std::abs(t.rotation.norm() - 1) > 1e-4) {
            fail(location, "joint {} has a rotation of length {} in frame {}", j, t.rotation.norm(), frame);
        }
    }
}

}  // namespace

void store_transform(std::span<float> pose, std::size_t stride, std::size_t joint, const Transform& t) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto axis = static_cast<Eigen::Index>(i);
        pose[i * stride + joint] = static_cast<float>(t.translation[axis]);
        pose[(first_scale_row + i) * stride + joint] = static_cast<float>(t.scale[axis]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        pose[(first_rotation_row + i) * stride + joint] =
            static_cast<float>(t.rotation.coeffs()[static_cast<Eigen::Index>(i)]);
    }
}

Transform load_transform(std::span<const float> pose, std::size_t stride, std::size_t joint) {
    const auto value = [&](std::size_t row) { return static_cast<double>(pose[row * stride + joint]); };
    Transform t;
    t.translation = {value(0), value(1), value(2)};
    t.rotation.coeffs() << value(3), value(4), value(5), value(6);
    t.scale = {value(7), value(8), value(9)};
    return t;
}

PackedClip pack(const Clip& clip, const Skeleton& skeleton, double rate) {
    return pack_changed(clip, skeleton, rate, [](std::size_t, const Transform& t) { return t; });
}

PackedClip pack_additive(const Clip& clip, const Skeleton& skeleton, std::span<const Transform> reference,
                         double rate) {
    if (reference.size() != skeleton.size()) {
        fail(clip.name, "the reference pose has {} joints, the skeleton {}", reference.size(),
             skeleton.size());
    }
    for (std::size_t j = 0; j < reference.size(); ++j) {
        if ((reference[j].scale.array() == 0).any())
            fail(clip.name, "the reference pose has a scale of 0 at joint {}", j);
    }
    PackedClip packed = pack_changed(clip, skeleton, rate, [&](std::size_t j, const Transform& t) {
        const Transform& from = reference[j];
        return Transform{t.translation - from.translation,
                         (t.rotation * from.rotation.inverse()).normalized(),
                         t.scale.cwiseQuotient(from.scale)};
    });
    packed.additive = true;
    return packed;
}

void expand(const PackedClip& packed, std::size_t frame, std::span<float> pose) {
    if (pose.size() != packed.pose_size() || frame >= packed.frame_count) {
        fail(packed.name, "frame {} of {} does not fit into {} numbers", frame, packed.frame_count,
             pose.size());
    }
    std::ranges::copy(packed.still, pose.begin());
    const float* in = packed.frame(frame);
    for_each_moving_line(packed, [&](std::size_t slot) {
        std::copy_n(in, PackedClip::line, pose.begin() + static_cast<std::ptrdiff_t>(slot));
        in += PackedClip::line;
    });
}

Clip unpack(const PackedClip& packed) {
    Clip clip;
    clip.name = packed.name;
    const KeyTimes times = KeyTimes::even(packed.start, 1 / packed.rate, packed.frame_count);
    clip.tracks.resize(packed.joint_count);
    for (std::size_t j = 0; j < packed.joint_count; ++j) {
        Track& track = clip.tracks[j];
        track.joint = static_cast<int>(j);
        track.translation.times = track.rotation.times = track.scale.times = times;
    }
    std::vector<float> pose(packed.pose_size());
    for (std::size_t f = 0; f < packed.frame_count; ++f) {
        expand(packed, f, pose);
        for (std::size_t j = 0; j < packed.joint_count; ++j) {
            const Transform t = load_transform(pose, packed.stride, j);
            clip.tracks[j].translation.values.push_back(t.translation.cast<float>());
            clip.tracks[j].rotation.values.push_back(t.rotation.cast<float>());
            clip.tracks[j].scale.values.push_back(t.scale.cast<float>());
        }
    }
    return clip;
}

void validate(const PackedClip& packed, std::string_view location) {
    if (!(packed.rate > 0) || !std::isfinite(packed.rate) || !std::isfinite(packed.start)) {
        fail(location, "a clip cannot start at {} s with {} frames per second", packed.start, packed.rate);
    }
    const std::size_t lines =
        packed.still_lines.size() + packed.moving_lines.size() + 4 * packed.moving_rotations.size();
    const bool fits = packed.frame_count > 0 && packed.stride == padded_joint_count(packed.joint_count) &&
                      packed.still.size() == packed.pose_size() &&
                      lines * PackedClip::line == packed.pose_size() &&
                      packed.data.size() == packed.frame_count * packed.frame_size();
    if (!fits) fail(location, "the sizes of the packed clip \"{}\" do not fit each other", packed.name);
    const auto check_lines = [&](std::span<const std::uint32_t> slots, std::size_t length) {
        for (const std::uint32_t line : slots) {
            if (line % PackedClip::line != 0 || line + length > packed.pose_size())
                fail(location, "the packed clip \"{}\" has a line at {}", packed.name, line);
        }
    };
    check_lines(packed.still_lines, PackedClip::line);
    check_lines(packed.moving_lines, PackedClip::line);
    check_lines(packed.moving_rotations, 3 * packed.stride + PackedClip::line);
    std::vector<float> pose(packed.pose_size());
    for (std::size_t f = 0; f < packed.frame_count; ++f) {
        expand(packed, f, pose);
        check_pose(pose, packed, f, location);
    }
}

}  // namespace sinew::model
