#pragma once
/// \file
/// One call for every method: by the number of bones, by error or by bytes.

#include <functional>
#include <string>

#include "sinew/fit/result.h"

namespace sinew::fit {

enum class FitMethod { automatic, decomposition, proxy, clusters };

/// Where joints stand that are spread over the rest pose.
enum class SeedPlacement {
    even,      ///< as far from each other as can be
    relaxed,   ///< each in the middle of its part of the surface
    adaptive,  ///< closer where the surface bends
    surface,   ///< even along the surface: layers and shells stay apart
};

struct FitOptions {
    FitMethod method = FitMethod::automatic;
    int bones = 30;
    bool rigid = true;
    int influences = 4;
    std::size_t corrections = 0;
    double max_error = 0;                    ///< % of the motion: as few bones as reach it; 0 does without
    std::size_t max_bytes = 0;               ///< as many bones as fit into it; 0 does without
    int sweeps = 0;                          ///< of the decomposition; 0 leaves it to the method
    int refinements = 1;                     ///< of proxy joints: rounds of least-squares weights
    bool normals = false;                    ///< of proxy joints: transformations of their own
    SeedPlacement spread = SeedPlacement::even;  ///< of proxy joints, and of bones that start from even joints
    double steadiness = 0;                   ///< of proxy joints: pull towards the frame before
    const FitResult* start = nullptr;        ///< the decomposition goes on from here
    std::function<void(const FitResult&)> on_iterate = {};  ///< of the decomposition
};

struct Fitted {
    FitResult fit;
    SequenceError error;
    std::string method;      ///< the one that was taken
    double rigidity = -1;    ///< the score that chose it; negative when the method was given
    std::vector<int> tried;  ///< numbers of bones, in the order of the search
};

/// Below this a sequence counts as articulated.
inline constexpr double articulated_score = 0.02;

/// Squared residual of a hard clustering into min(bones, 30) rigid parts over that of one rigid motion: near
/// 0 for articulated figures, near 1 for what bends everywhere. 0 for a sequence that moves as one. At most
/// 12 frames are looked at.
double rigidity_score(const model::MeshSequence& sequence, int bones);

/// `automatic` looks at the rigidity score: below `articulated_score` bones grow where the motion breaks;
/// otherwise the decomposition starts from joints that are spread evenly over the surface, as cloth wants
/// them. Both blend matrices, which every engine plays. With a target the number of bones is doubled until it
/// is met and then bisected; `fit-target` warns when no number meets it.
Fitted fit(const model::MeshSequence& sequence, const FitOptions& choice,
                           Monitor& monitor = silent());

}  // namespace sinew::fit
