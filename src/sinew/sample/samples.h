// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Built-in characters with their true rigs and motions.
/// \code
/// const model::Character man = sample::make("man");
/// \endcode

#include <cstddef>
#include <span>
#include <string_view>

#include "sinew/model/character.h"

namespace sinew::sample {

struct SampleOptions {
    std::size_t faces = 0;  ///< triangles; 0 means the sample's own number
};

struct Sample {
    std::string_view name;
    std::string_view what;  ///< one line for a person
    model::Character (*make)(const SampleOptions& options);
};

/// \return all samples, in the order in which they are shown.
std::span<const Sample> list();

/// \param name one of `list()`
/// \return the character with its skeleton, skin and clips
/// \throws Error that lists the names when there is none of this name, or when the sample cannot have the
/// wanted number of triangles.
model::Character make(std::string_view name, const SampleOptions& options = {});

/// A capsule with two bones: the smallest character on which bending and twisting can be checked by hand.
struct TubeOptions {
    double radius = 0.1;
    double length = 1.0;  ///< of the straight part, along +y from y = 0; the joint is in its middle
    int rings = 41;       ///< of vertices on the straight part, both ends included
    int segments = 32;    ///< around
    double blend = 0.3;   ///< length of the zone around the joint over which the weights change linearly
};

/// \return a closed capsule with joints Lower and Upper and the clips `bend` (0 to 120 degrees about x) and
/// `twist` (0 to 180 degrees about y), each of one second
/// \throws Error when a size is not above 0, or there are fewer than 2 rings or 3 segments.
model::Character make_tube(const TubeOptions& options = {});

/// Four blocks, each beside its axis: joints Rotation, Translation (up and down), Screw (rotates and climbs)
/// and MovingAxis (rotates about an axis that leans and goes around, the joint Axis). The clip `motions`
/// lasts 4 seconds and loops; every key is a unit dual quaternion made from the screw of its moment.
model::Character make_screws();

/// \return the man's joints in T-pose, all rest rotations the identity.
model::Skeleton man_skeleton();

/// \param faces about how many triangles
/// \return the surface of the man alone, cut from an even lattice: any number of faces, without clothes'
/// edges
geometry::Mesh man_surface(std::size_t faces);

struct WalkOptions {
    int cycles = 5;
    double cycle_seconds = 1.1;
    bool in_place = false;  ///< without moving forward: the last key equals the first
};

/// The man's walk, from published joint angles, with feet that stay where they stand. It starts with the left
/// heel on the ground and the hips at z = 0, and goes along +z.
/// \param skeleton `man_skeleton()`
model::Clip man_walk(const model::Skeleton& skeleton, const WalkOptions& options = {});

}  // namespace sinew::sample
