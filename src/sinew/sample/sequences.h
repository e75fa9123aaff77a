// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in recordings: mesh sequences of cloth and soft bodies, with the sizes of published fitting examples
/// (Kavan et al. 2007), and marker trials.
///
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
    std::size_t vertices = 0;  ///< approximate number of vertices; 0 uses the sample's own
    std::size_t frames = 0;    ///< 0 uses the sample's own number
};

struct SequenceSample {
    std::string_view name;
    std::string_view what;  ///< description in one line
    std::size_t vertices;
    std::size_t frames;
    model::MeshSequence (*make)(const SequenceOptions& options);
};

/// All sequences, in the order of the published tables.
std::span<const SequenceSample> sequences();

/// \throws Error that lists the names for an unknown name
model::MeshSequence make_sequence(std::string_view name, const SequenceOptions& options = {});

/// A marker attached to a joint.
struct Marker {
    std::string label;
    int joint = -1;
    math::Vec3d offset = math::Vec3d::Zero();  ///< in the frame of the joint
};

/// The 39 markers of the full Plug-in Gait set, at their positions on a person of this height.
/// \param skeleton `man_skeleton()` in T-pose, of any size
std::vector<Marker> man_markers(const model::Skeleton& skeleton);

struct RecordingOptions {
    double rate = 100;     ///< frames per second
    double noise = 0.001;  ///< standard deviation of each coordinate, metres
    double dropout = 0;    ///< fraction of the samples that is lost, in consecutive runs
    std::size_t run = 8;   ///< mean length of these runs in frames
    unsigned seed = 1;
};

/// Simulates the recording of a motion in a laboratory: millimetres, z up. The same seed gives the same
/// numbers on every machine.
model::Trial record(const model::Skeleton& skeleton, const model::Clip& clip, std::span<const Marker> markers,
                    const RecordingOptions& options = {});

struct TrialSample {
    std::string_view name;
    std::string_view what;  ///< description in one line
    model::Trial (*make)();
};

/// All trials, in the order shown to users.
std::span<const TrialSample> trials();

/// \throws Error that lists the names for an unknown name
model::Trial make_trial(std::string_view name);

}  // namespace sinew::sample
