#pragma once
// A synthetic rig of any size for benchmarks.

#include "sinew/deform/blend.h"
#include "sinew/model/character.h"

namespace sinew::cli {

struct BenchRig {
    geometry::Mesh mesh;
    model::Skeleton skeleton;
    model::Skin skin;
    std::vector<deform::Mat34f> palette;
};

struct BenchRigOptions {
    std::size_t vertices = 100'000;
    int joints = 67;
    int sets = 126;      ///< influence sets asked for
    int influences = 4;  ///< of every vertex
    unsigned seed = 1;
};

/// A bent chain of joints; every vertex has as many influences as asked, among neighbouring joints.
BenchRig make_bench_rig(const BenchRigOptions& options);

}  // namespace sinew::cli
