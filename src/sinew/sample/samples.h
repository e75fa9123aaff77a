// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in characters with ground-truth rigs and motions.
///
/// \code
/// const model::Character man = sample::make("man");
/// \endcode

#include <cstddef>
#include <span>
#include <string_view>

#include "sinew/model/character.h"

namespace sinew::sample {

struct SampleOptions {
    std::size_t faces = 0;  ///< number of triangles; 0 uses the sample's own
};

struct Sample {
    std::string_view name;
    std::string_view what;  ///< description in one line
    model::Character (*make)(const SampleOptions& options);
};

/// \return all samples, in the order shown to users
std::span<const Sample> list();

/// \param name one of `list()`
/// \param options number of triangles
/// \return the character with skeleton, skin and clips
/// \throws Error that lists the names for an unknown name; also when the number of triangles is not possible
model::Character make(std::string_view name, const SampleOptions& options = {});

/// A capsule with two bones: the smallest character on which bending and twisting can be verified by hand.
struct TubeOptions {
    double radius = 0.1;
    double length = 1.0;  ///< of the straight part, along +y from y = 0; the joint is at its midpoint
    int rings = 41;       ///< rings of vertices on the straight part, both ends included
    int segments = 32;    ///< vertices per ring
    double blend = 0.3;   ///< length of the zone around the joint in which the weights change linearly
};

/// \return a closed capsule with joints Lower and Upper and the clips `bend` (0 to 120 degrees about x) and
/// `twist` (0 to 180 degrees about y), each one second long
/// \throws Error when a size is not above 0, or there are fewer than 2 rings or 3 segments
model::Character make_tube(const TubeOptions& options = {});

/// Four blocks, each beside its axis: joints Rotation, Translation (up and down), Screw (rotates and rises)
/// and MovingAxis (rotates about an inclined axis that itself rotates, the joint Axis). The clip `motions`
/// lasts 4 seconds and loops; every key is a unit dual quaternion, computed from the screw at its time.
model::Character make_screws();

/// \return the man's skeleton in T-pose; all rest rotations are the identity
model::Skeleton man_skeleton();

/// \param faces approximate number of triangles
/// \return the surface of the man alone, extracted from a regular lattice; any number of faces, without sharp
/// edges of clothes
geometry::Mesh man_surface(std::size_t faces);

struct WalkOptions {
    int cycles = 5;
    double cycle_seconds = 1.1;
    bool in_place = false;  ///< without forward travel: the last key equals the first
};

/// The man's walk from published joint angles, with feet fixed during stance. It starts at left heel strike
/// with the hips at z = 0, and proceeds along +z.
/// \param skeleton `man_skeleton()`
/// \param options length and timing
model::Clip man_walk(const model::Skeleton& skeleton, const WalkOptions& options = {});

}  // namespace sinew::sample
