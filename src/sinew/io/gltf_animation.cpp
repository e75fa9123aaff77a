#include "sinew/io/gltf_animation.h"

#include <cmath>
#include <map>

#include "sinew/base/array.h"

namespace sinew::io::gltf {
namespace {

using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::Clip;
using model::Interpolation;
using model::Keys;
using model::KeyTimes;
using model::MorphTrack;
using model::Track;

/// Key times of one accessor, which many samplers share, and which of its keys are kept.
struct Times {
    KeyTimes times;
    std::size_t stored = 0;
    std::vector<std::size_t> kept;  ///< empty when all are
};

/// True for the in- and out-tangents of cubic keys.
bool is_tangent(Interpolation mode, std::size_t i) {
    return mode == Interpolation::cubic && i % 3 != 1;
}

class AnimationReader {
  public:
    AnimationReader(const Document& document, const Rig& rig, const Plan& plan)
        : document_(document), rig_(rig) {
        for (const Instance& instance : plan.instances) instance_of_[instance.node] = &instance;
    }

    Clip read(const Cursor& animation, std::size_t index) {
        Clip clip;
        clip.name = animation.text("name", fmt::format("clip_{}", index));
        tracks_.clear();
        morph_tracks_.clear();
        for (const Cursor& channel : animation.list("channels")) read_channel(animation, channel);
        for (auto& [joint, track] : tracks_) clip.tracks.push_back(std::move(track));
        for (auto& [morph, track] : morph_tracks_) clip.morph_tracks.push_back(std::move(track));
        return clip;
    }

  private:
    void read_channel(const Cursor& animation, const Cursor& channel) {
        const Cursor target = channel.at("target");
        const int node = document_.reference(target, "node", "nodes");
        const std::string& path = target.at("path").text();
        if (node < 0) {
            document_.warn_once(
                "gltf-channel",
                fmt::format("{}: animation of something that is not a node was ignored", document_.file()));
        } else if (path == "weights") {
            read_weights(animation, channel, node);
        } else if (rig_.joint_of[at(node)] < 0) {
            warn(document_.monitor(), "gltf-channel",
                 "{}: node {} is not in the scene, its animation was ignored", channel.place(), node);
        } else {
            read_joint(animation, channel, node, path);
        }
    }

    void read_joint(const Cursor& animation, const Cursor& channel, int node, const std::string& path) {
        const int joint = rig_.joint_of[at(node)];
        Track& track =
            tracks_.try_emplace(joint, Track{.joint = joint, .translation = {}, .rotation = {}, .scale = {}})
                .first->second;
        const std::optional<Similarity>& fold = rig_.fold[at(joint)];
        const bool taken = path == "rotation"      ? !track.rotation.empty()
                           : path == "translation" ? !track.translation.empty()
                                                   : !track.scale.empty();
        if (taken) {
            warn(document_.monitor(), "gltf-channel", "{}: a second animation of the same {} was ignored",
                 channel.place(), path);
        } else if (path == "translation") {
            track.translation = read_keys<Vec3f>(animation, channel, "VEC3", 1);
            fold_translation(track.translation, fold);
        } else if (path == "rotation") {
            track.rotation = read_keys<Quatf>(animation, channel, "VEC4", 1);
            fold_rotation(track.rotation, fold, channel);
        } else if (path == "scale") {
            track.scale = read_keys<Vec3f>(animation, channel, "VEC3", 1);
            if (!fold) return;
            for (Vec3f& value : track.scale.values)
                value = (value.cast<double>() * fold->scale).cast<float>();
        } else {
            channel.fail("\"{}\" cannot be animated", path.substr(0, 40));
        }
    }

    static void fold_translation(Keys<Vec3f>& keys, const std::optional<Similarity>& fold) {
        if (!fold) return;
        for (std::size_t i = 0; i < keys.values.size(); ++i) {
            const Vec3d value = keys.values[i].cast<double>();
            keys.values[i] =
                (is_tangent(keys.mode, i) ? fold->linear(value) : fold->point(value)).cast<float>();
        }
    }

    void fold_rotation(Keys<Quatf>& keys, const std::optional<Similarity>& fold,
                       const Cursor& channel) const {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < keys.values.size(); ++i) {
            Quatf& q = keys.values[i];
            if (!is_tangent(keys.mode, i)) wrong += normalize(q);
            // The product of quaternions is linear, so tangents turn with the values.
            if (fold) q = (fold->rotation * q.cast<double>()).cast<float>();
        }
        if (wrong > 0) {
            warn(document_.monitor(), "gltf-rotation",
                 "{}: {} rotations were not of unit length and were normalised", channel.place(), wrong);
        }
    }

    /// Unit length, unless only rounding is missing; true when the file was to blame. A zero becomes the
    /// identity.
    static bool normalize(Quatf& q) {
        if (std::abs(q.squaredNorm() - 1) < 1e-6f) return false;
        const double length = q.coeffs().cast<double>().norm();
        q = length > 1e-20 ? Quatf(q.cast<double>().normalized().cast<float>()) : Quatf::Identity();
        return std::abs(length - 1) > 1e-3;
    }

    void read_weights(const Cursor& animation, const Cursor& channel, int node) {
        const auto found = instance_of_.find(node);
        const Instance* const instance = found == instance_of_.end() ? nullptr : found->second;
        const std::size_t targets = instance == nullptr ? 0 : instance->morph_names.size();
        if (targets == 0) {
            warn(document_.monitor(), "gltf-channel",
                 "{}: node {} has no morph targets, the animation was ignored", channel.place(), node);
            return;
        }
        const Keys<float> all = read_keys<float>(animation, channel, "SCALAR", targets);
        document_.charge(all.times.size() * targets * sizeof(float), channel);
        for (std::size_t t = 0; t < targets; ++t) {
            const int morph = static_cast<int>(instance->first_morph + t);
            MorphTrack track{.morph = morph, .weight = {}};
            track.weight.times = all.times;
            track.weight.mode = all.mode;
            track.weight.values.reserve(all.values.size() / targets);
            for (std::size_t i = t; i < all.values.size(); i += targets) {
                track.weight.values.push_back(all.values[i]);
            }
            morph_tracks_.try_emplace(morph, std::move(track));
        }
    }

    /// Keys of a channel; each has `width` values, three times as many in cubic mode.
    template <class Value>
    Keys<Value> read_keys(const Cursor& animation, const Cursor& channel, std::string_view type,
                          std::size_t width) {
        const std::uint64_t index = channel.at("sampler").integer();
        if (index >= animation.at("samplers").size()) channel.fail("there is no sampler {}", index);
        const Cursor sampler = animation.at("samplers").at(static_cast<std::size_t>(index));
        const Times& times = read_times(at(document_.reference(sampler.at("input"), "accessors")));
        Keys<Value> keys;
        keys.times = times.times;
        keys.mode = mode_of(sampler);
        const Accessor output =
            open_accessor(document_, at(document_.reference(sampler.at("output"), "accessors")), {type});
        const std::size_t per_key = width * keys.stride();
        if (output.count != times.stored * per_key) {
            sampler.fail("{} values for {} keys, expected {}", output.count, times.stored,
                         times.stored * per_key);
        }
        static_assert(sizeof(Value) % sizeof(float) == 0);
        keys.values.resize(output.count);
        read_floats(output, {reinterpret_cast<float*>(keys.values.data()), output.count * output.components});
        for (std::size_t i = 0; i < times.kept.size(); ++i) {
            std::copy_n(keys.values.data() + times.kept[i] * per_key, per_key,
                        keys.values.data() + i * per_key);
        }
        if (!times.kept.empty()) keys.values.resize(times.kept.size() * per_key);
        return keys;
    }

    static Interpolation mode_of(const Cursor& sampler) {
        const std::string mode = sampler.text("interpolation", "LINEAR");
        if (mode == "LINEAR") return Interpolation::linear;
        if (mode == "STEP") return Interpolation::step;
        if (mode == "CUBICSPLINE") return Interpolation::cubic;
        sampler.fail("\"{}\" is no interpolation", mode.substr(0, 40));
    }

    /// Of keys at the same time the last is kept; times that fall are an error.
    const Times& read_times(std::size_t index) {
        const auto known = times_.find(index);
        if (known != times_.end()) return known->second;
        const Accessor accessor = open_accessor(document_, index, {"SCALAR"});
        std::vector<float> values = read_floats(accessor);
        if (values.empty()) accessor.where.fail("an animation without keys");
        Times result;
        result.stored = values.size();
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0 && values[i] < values[i - 1]) {
                accessor.where.fail("key times fall from {} to {} at key {}", values[i - 1], values[i], i);
            }
            if (i + 1 < values.size() && values[i] == values[i + 1]) continue;
            kept.push_back(i);
        }
        if (kept.size() != values.size()) {
            warn(document_.monitor(), "gltf-equal-times",
                 "{}: {} keys at the time of another key were dropped", accessor.where.place(),
                 values.size() - kept.size());
            for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
            values.resize(kept.size());
            result.kept = std::move(kept);
        }
        result.times = KeyTimes::listed(std::move(values));
        return times_.emplace(index, std::move(result)).first->second;
    }

    const Document& document_;
    const Rig& rig_;
    std::map<int, const Instance*> instance_of_;
    std::map<std::size_t, Times> times_;
    std::map<int, Track> tracks_;
    std::map<int, MorphTrack> morph_tracks_;
};

}  // namespace

std::vector<Clip> read_animations(const Document& document, const Rig& rig, const Plan& plan) {
    AnimationReader reader(document, rig, plan);
    std::vector<Clip> clips;
    for (std::size_t i = 0; i < document.count("animations"); ++i) {
        Clip clip = reader.read(document.item("animations", i), i);
        if (clip.empty()) {
            warn(document.monitor(), "gltf-empty-clip",
                 "{}: the animation \"{}\" moves nothing that was read", document.file(), clip.name);
            continue;
        }
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace sinew::io::gltf
