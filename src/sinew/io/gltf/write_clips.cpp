// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/io/gltf/write.h"

namespace sinew::io::gltf {
namespace {

using math::Quatf;
using math::Vec3f;
using model::Clip;
using model::Interpolation;
using model::Keys;
using model::KeyTimes;
using model::MorphTrack;

const char* mode_name(Interpolation mode) {
    return mode == Interpolation::step ? "STEP" : mode == Interpolation::linear ? "LINEAR" : "CUBICSPLINE";
}

/// Components of one value, in the order of the format.
void put(const Vec3f& value, std::vector<float>& out) {
    out.insert(out.end(), {value.x(), value.y(), value.z()});
}
void put(const Quatf& value, std::vector<float>& out) {
    out.insert(out.end(), {value.x(), value.y(), value.z(), value.w()});
}

/// The validator requires unit rotations; tangents may have any length.
Quatf unit(const Quatf& q) {
    const float length = q.norm();
    if (std::abs(length - 1) < 1e-4f) return q;
    return length > 1e-20f ? Quatf(q.coeffs() / length) : Quatf::Identity();
}

class ClipWriter {
  public:
    ClipWriter(const Writer& writer, const std::vector<MeshGroup>& groups, int view)
        : writer_(writer), groups_(groups), view_(view) {}

    void write(const Clip& clip) {
        channels_ = Json::array();
        samplers_ = Json::array();
        shift_ = std::max(0.0, -model::time_range(clip).start);
        location_ = fmt::format("{}: clip \"{}\"", writer_.file, clip.name);
        if (shift_ > 0) {
            warn(writer_.monitor, "gltf-negative-time", "{} starts before 0 and was moved by {} s", location_,
                 shift_);
        }
        for (const model::Track& track : clip.tracks) {
            add_channel(track.translation, track.joint, "translation", "VEC3");
            Keys<Quatf> rotation = track.rotation;
            for (std::size_t i = 0; i < rotation.values.size(); ++i) {
                if (rotation.stride() == 1 || i % 3 == 1) rotation.values[i] = unit(rotation.values[i]);
            }
            add_channel(rotation, track.joint, "rotation", "VEC4");
            add_channel(track.scale, track.joint, "scale", "VEC3");
        }
        for (const MeshGroup& group : groups_) write_weights(clip, group);
        if (channels_.empty()) {
            warn(writer_.monitor, "gltf-empty-clip", "{} has no keys and was left out", location_);
            return;
        }
        Json animation = Json::object();
        set_name(animation, clip.name);
        animation["channels"] = std::move(channels_);
        animation["samplers"] = std::move(samplers_);
        writer_.out.add("animations", std::move(animation));
    }

  private:
    template <class Value>
    void add_channel(const Keys<Value>& keys, int node, const char* path, const char* type) {
        if (keys.empty()) return;
        // A single cubic key is not allowed; it is equivalent to a single key of another mode.
        const bool single = keys.mode == Interpolation::cubic && keys.times.size() == 1;
        std::vector<float> values;
        if (single) {
            put(keys.at_key(0), values);
        } else {
            for (const Value& value : keys.values) put(value, values);
        }
        const std::size_t width = std::string_view(type) == "VEC4" ? 4 : 3;
        add_sampler(keys.times, single ? Interpolation::step : keys.mode, values, width, type, node, path);
    }

    void add_sampler(const KeyTimes& times, Interpolation mode, const std::vector<float>& values,
                     std::size_t width, const char* type, int node, const char* path) {
        const int input = time_accessor(times);
        const std::size_t offset = writer_.out.append(std::span<const float>(values));
        const int output =
            writer_.out.add_accessor(view_, offset, Component::f32, values.size() / width, type);
        channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers_.push_back({{"input", input}, {"interpolation", mode_name(mode)}, {"output", output}});
    }

    /// Equal key times share one accessor.
    int time_accessor(const KeyTimes& times) {
        auto& candidates = times_[{times.size(), times.front() + shift_, times.back() + shift_}];
        for (const auto& [known, shift, accessor] : candidates) {
            if (known == times && shift == shift_) return accessor;
        }
        std::vector<float> values;
        values.reserve(times.size());
        for (std::size_t i = 0; i < times.size(); ++i) {
            values.push_back(static_cast<float>(times[i] + shift_));
            if (i > 0 && values[i] <= values[i - 1]) {
                fail(location_, "key times near {} s are too close for single precision", times[i]);
            }
        }
        const std::size_t offset = writer_.out.append(std::span<const float>(values));
        const int accessor = writer_.out.add_accessor(view_, offset, Component::f32, values.size(), "SCALAR");
        writer_.out.set_bounds(accessor, values, 1);
        candidates.emplace_back(times, shift_, accessor);
        return accessor;
    }

    // The weights of all morphs of a mesh share one sampler. Tracks with equal times and mode are interleaved
    // directly; others are sampled at all their times.
    void write_weights(const Clip& clip, const MeshGroup& group) {
        std::vector<const MorphTrack*> tracks(group.morphs.size(), nullptr);
        const MorphTrack* first = nullptr;
        bool same = true;
        for (const MorphTrack& track : clip.morph_tracks) {
            const auto found = std::lower_bound(group.morphs.begin(), group.morphs.end(), track.morph);
            if (found == group.morphs.end() || *found != track.morph || track.weight.empty()) continue;
            tracks[static_cast<std::size_t>(found - group.morphs.begin())] = &track;
            if (first == nullptr) first = &track;
            same =
                same && track.weight.mode == first->weight.mode && track.weight.times == first->weight.times;
        }
        if (first == nullptr) return;
        if (first->weight.mode == Interpolation::cubic && first->weight.times.size() == 1) same = false;
        if (same) {
            interleave(tracks, first->weight, group);
        } else {
            sample_together(tracks, group);
        }
    }

    float rest_weight(const MeshGroup& group, std::size_t i) const {
        return writer_.character.mesh.morphs[static_cast<std::size_t>(group.morphs[i])].weight;
    }

    void interleave(const std::vector<const MorphTrack*>& tracks, const Keys<float>& like,
                    const MeshGroup& group) {
        std::vector<float> values;
        values.reserve(like.values.size() * tracks.size());
        for (std::size_t k = 0; k < like.values.size(); ++k) {
            const bool tangent = like.stride() == 3 && k % 3 != 1;
            for (std::size_t i = 0; i < tracks.size(); ++i) {
                values.push_back(tracks[i] != nullptr ? tracks[i]->weight.values[k]
                                 : tangent            ? 0.0f
                                                      : rest_weight(group, i));
            }
        }
        add_sampler(like.times, like.mode, values, 1, "SCALAR", group.node, "weights");
    }

    void sample_together(const std::vector<const MorphTrack*>& tracks, const MeshGroup& group) {
        std::set<float> times;
        bool exact = true;
        for (const MorphTrack* track : tracks) {
            if (track == nullptr) continue;
            exact = exact && (track->weight.mode == Interpolation::linear || track->weight.times.size() == 1);
            for (std::size_t k = 0; k < track->weight.times.size(); ++k) {
                times.insert(static_cast<float>(track->weight.times[k]));
            }
        }
        if (!exact) {
            warn(writer_.monitor, "gltf-morph-keys",
                 "{}: the morphs of \"{}\" have keys of different kinds and become linear keys", location_,
                 group.name);
        }
        std::vector<float> values;
        for (const float time : times) {
            for (std::size_t i = 0; i < tracks.size(); ++i) {
                values.push_back(tracks[i] != nullptr ? static_cast<float>(model::sample(
                                                            tracks[i]->weight, static_cast<double>(time)))
                                                      : rest_weight(group, i));
            }
        }
        add_sampler(KeyTimes::listed({times.begin(), times.end()}), Interpolation::linear, values, 1,
                    "SCALAR", group.node, "weights");
    }

    using TimesKey = std::tuple<std::size_t, double, double>;
    const Writer& writer_;
    const std::vector<MeshGroup>& groups_;
    int view_;
    std::map<TimesKey, std::vector<std::tuple<KeyTimes, double, int>>> times_;
    Json channels_, samplers_;
    double shift_ = 0;
    std::string location_;
};

}  // namespace

void write_clips(const Writer& writer, const std::vector<MeshGroup>& groups) {
    if (writer.character.clips.empty()) return;
    const int view = writer.out.begin_view(ViewTarget::none);
    ClipWriter clips(writer, groups, view);
    for (const Clip& clip : writer.character.clips) clips.write(clip);
    writer.out.end_view();
}

}  // namespace sinew::io::gltf
