// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in recordings: mesh sequences of cloth and soft bodies, of the sizes that are published for fits
/// (Kavan et al. 2007), and trials of markers.
/// \code
/// const model::Trial trial = sample::make_trial("walk-trial");
/// \endcode

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/trial.h"

namespace sinew::sample {

struct SequenceOptions {
    std::size_t vertices = 0;  ///< about so many; 0 means the sample's own number
    std::size_t frames = 0;    ///< 0 means the sample's own number
};

struct SequenceSample {
    std::string_view name;
    std::string_view what;  ///< one line for a person
    std::size_t vertices;
    std::size_t frames;
    model::MeshSequence (*make)(const SequenceOptions& options);
};

/// All sequences, in the order of the published tables.
std::span<const SequenceSample> sequences();

/// \throws Error that lists the names when there is none of this name.
model::MeshSequence make_sequence(std::string_view name, const SequenceOptions& options = {});

/// A marker that is attached to a joint.
struct Marker {
    std::string label;
    int joint = -1;
    math::Vec3d offset = math::Vec3d::Zero();  ///< in the frame of the joint
};

/// The 39 markers of the full Plug-in Gait set, where they are on a person of this height.
/// \param skeleton `man_skeleton()`, of any size, in T-pose
std::vector<Marker> man_markers(const model::Skeleton& skeleton);

struct RecordingOptions {
    double rate = 100;     ///< frames per second
    double noise = 0.001;  ///< standard deviation of each coordinate, metres
    double dropout = 0;    ///< fraction of the samples that is lost, in runs
    std::size_t run = 8;   ///< mean length of those, frames
    unsigned seed = 1;
};

/// What a laboratory would have recorded: millimetres, z up. The same seed gives the same numbers everywhere.
model::Trial record(const model::Skeleton& skeleton, const model::Clip& clip, std::span<const Marker> markers,
                    const RecordingOptions& options = {});

struct TrialSample {
    std::string_view name;
    std::string_view what;  ///< one line for a person
    model::Trial (*make)();
};

/// All trials, in the order in which they are shown.
std::span<const TrialSample> trials();

/// \throws Error that lists the names when there is none of this name.
model::Trial make_trial(std::string_view name);

}  // namespace sinew::sample
