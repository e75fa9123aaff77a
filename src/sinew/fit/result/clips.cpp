// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "sinew/base/error.h"
#include "sinew/fit/fit.h"
#include "sinew/fit/result/character.h"

namespace sinew::fit {

using model::MeshSequence;

namespace {

void check_same_mesh(const geometry::Mesh& first, const geometry::Mesh& other, const std::string& name) {
    if (first.positions.size() != other.positions.size())
        fail(name, "has {} vertices, the motions before it {}: clips of one fit share their mesh",
             other.positions.size(), first.positions.size());
    if (first.triangles != other.triangles)
        fail(name, "has other triangles than the motions before it: clips of one fit share their mesh");
}

/// Assigns ranges to motions in their order.
class Ranges {
  public:
    void add(std::string name, std::size_t count, double rate) {
        std::string free = name;
        for (int number = 2; !names_.insert(free).second; ++number) free = fmt::format("{}_{}", name, number);
        clips_.push_back({std::move(free), total_, count, rate});
        total_ += count;
    }
    std::size_t total() const { return total_; }
    std::vector<ClipRange> take() { return std::move(clips_); }

  private:
    std::set<std::string> names_;
    std::vector<ClipRange> clips_;
    std::size_t total_ = 0;
};

template <class Value>
model::Keys<Value> cut_keys(const model::Keys<Value>& keys, const ClipRange& clip) {
    model::Keys<Value> part;
    if (keys.empty()) return part;
    part.mode = keys.mode;
    part.times = model::KeyTimes::even(0, 1 / clip.rate, clip.count);
    const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(clip.first);
    part.values.assign(first, first + static_cast<std::ptrdiff_t>(clip.count));
    return part;
}

}  // namespace

JoinedSource joined(std::vector<NamedSource> motions) {
    if (motions.empty()) fail("fit", "there are no motions to fit");
    Ranges ranges;
    for (const NamedSource& motion : motions) {
        check_same_mesh(motions[0].source.rest, motion.source.rest, motion.name);
        ranges.add(motion.name, motion.source.count, motion.source.rate);
    }
    JoinedSource result;
    result.source.rest = motions[0].source.rest;
    result.source.rate = motions[0].source.rate;
    result.source.count = ranges.total();
    result.clips = ranges.take();
    const auto parts = std::make_shared<std::vector<NamedSource>>(std::move(motions));
    result.source.frame = [parts](std::size_t frame) {
        std::size_t part = 0;
        for (; frame >= (*parts)[part].source.count; ++part) frame -= (*parts)[part].source.count;
        return (*parts)[part].source.frame(frame);
    };
    return result;
}

JoinedSequence joined(std::vector<std::pair<std::string, MeshSequence>> motions) {
    if (motions.empty()) fail("fit", "there are no motions to fit");
    Ranges ranges;
    JoinedSequence result;
    for (auto& [name, motion] : motions) {
        ranges.add(name, motion.frames.size(), motion.rate);
        if (result.sequence.rest.positions.empty()) {
            result.sequence = std::move(motion);
            continue;
        }
        check_same_mesh(result.sequence.rest, motion.rest, name);
        for (auto& frame : motion.frames) result.sequence.frames.push_back(std::move(frame));
        motion.frames.clear();
    }
    result.clips = ranges.take();
    return result;
}

std::vector<ClipRange> clips_of(const FitResult& fit) {
    if (!fit.clips.empty()) return fit.clips;
    return {{"fit", 0, fit.frames.size(), fit.rate}};
}

void cut_clips(const FitResult& fit, model::Character& character) {
    const model::Clip whole = std::move(character.clips.at(0));
    character.clips.clear();
    for (const ClipRange& range : clips_of(fit)) {
        model::Clip& clip = character.clips.emplace_back();
        clip.name = range.name;
        for (const model::Track& track : whole.tracks)
            clip.tracks.push_back({track.joint, cut_keys(track.translation, range),
                                   cut_keys(track.rotation, range), cut_keys(track.scale, range)});
        for (const model::MorphTrack& track : whole.morph_tracks)
            clip.morph_tracks.push_back({track.morph, cut_keys(track.weight, range)});
    }
}

std::vector<double> clip_rms(std::span<const ClipRange> clips, const SequenceError& error) {
    std::vector<double> result;
    for (const ClipRange& clip : clips) {
        double sum = 0;
        for (std::size_t f = clip.first; f < clip.first + clip.count; ++f)
            sum += error.frame_rms[f] * error.frame_rms[f];
        result.push_back(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, clip.count))));
    }
    return result;
}

}  // namespace sinew::fit
