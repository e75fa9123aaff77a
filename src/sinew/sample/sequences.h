// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in mesh sequences: cloth and soft bodies of the sizes that are published for fits (Kavan et al.
/// 2007).

#include <span>
#include <string_view>

#include "sinew/model/character.h"

namespace sinew::sample {

struct SequenceOptions {
    std::size_t vertices = 0;  ///< about so many; 0 stands for the sample's own number
    std::size_t frames = 0;    ///< 0 stands for the sample's own number
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

}  // namespace sinew::sample
