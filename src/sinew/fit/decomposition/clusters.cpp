// SPDX-License-Identifier: MIT
#include "sinew/fit/decomposition/clusters.h"

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/decomposition/bone_seeds.h"
#include "sinew/fit/decomposition/simplex.h"
#include "sinew/fit/decomposition/weight_step.h"
#include "sinew/math/transform.h"

namespace sinew::fit {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Mat3d;
using model::MeshSequence;

namespace {

constexpr std::size_t feature_frames = 24;  ///< rotations are computed in at most this many frames
constexpr Index feature_size = 12;          ///< and reduced to this many numbers
constexpr Index samples = 800;              ///< triangles that mean shift is run for

/// Two edges and the normal.
Mat3d triangle_frame(const std::vector<math::Vec3f>& p, const geometry::Triangle& t) {
    Mat3d frame;
    frame.col(0) = (p[t[1]] - p[t[0]]).cast<double>();
    frame.col(1) = (p[t[2]] - p[t[0]]).cast<double>();
    const Vec3d normal = frame.col(0).cross(frame.col(1));
    frame.col(2) = normal / std::sqrt(std::max(normal.norm(), 1e-300));
    return frame;
}

/// Rotation of every triangle in some frames, a column each, reduced to the directions of largest spread.
MatrixXd rotation_features(const MeshSequence& sequence) {
    const auto& triangles = sequence.rest.triangles;
    const std::size_t frames = std::min(feature_frames, sequence.frames.size());
    const auto rows = static_cast<Index>(9 * frames);
    MatrixXd features(rows, static_cast<Index>(triangles.size()));
    parallel_for(triangles.size(), 64, [&](std::size_t t) {
        const Mat3d rest = triangle_frame(sequence.rest.positions, triangles[t]);
        const double size = rest.norm();
        Mat3d inverse;
        bool possible = false;
        rest.computeInverseWithCheck(inverse, possible, 1e-12 * size * size * size);
        for (std::size_t i = 0; i < frames; ++i) {
            const auto& frame = sequence.frames[i * sequence.frames.size() / frames];
            Mat3d rotation = Mat3d::Identity();
            if (possible) rotation = math::nearest_rotation(triangle_frame(frame, triangles[t]) * inverse);
            features.block<9, 1>(static_cast<Index>(9 * i), static_cast<Index>(t)) =
                Eigen::Map<Eigen::Matrix<double, 9, 1>>(rotation.data());
        }
    });
    features.colwise() -= Eigen::VectorXd(features.rowwise().mean());
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(features * features.transpose()));
    const Index kept = std::min(rows, feature_size);
    // Root mean square over the frames: a bandwidth means the same for any number of them.
    return solver.eigenvectors().rightCols(kept).transpose() * features /
           std::sqrt(static_cast<double>(frames));
}

/// The positions at which mean shift with a flat kernel ends for a sample of the triangles, with near ones
/// merged.
MatrixXd modes_of(const MatrixXd& features, double bandwidth, Monitor& monitor) {
    const Index count = std::min(samples, features.cols());
    MatrixXd points(features.rows(), count);
    for (Index i = 0; i < count; ++i) points.col(i) = features.col(i * features.cols() / count);
    MatrixXd shifted = points;
    step(monitor, "clustering", 0.5);
    parallel_for(static_cast<std::size_t>(count), 16, [&](std::size_t i) {
        Eigen::VectorXd z = points.col(static_cast<Index>(i));
        for (int round = 0; round < 20; ++round) {
            Eigen::VectorXd sum = Eigen::VectorXd::Zero(points.rows());
            double near = 0;
            for (Index l = 0; l < count; ++l) {
                if ((points.col(l) - z).squaredNorm() > bandwidth * bandwidth) continue;
                sum += points.col(l);
                near += 1;
            }
            const Eigen::VectorXd next = sum / std::max(near, 1.0);
            const bool still = (next - z).norm() < 1e-3 * bandwidth;
            z = next;
            if (still) break;
        }
        shifted.col(static_cast<Index>(i)) = z;
    });
    std::vector<Index> kept;
    for (Index i = 0; i < count; ++i) {
        const bool merged = std::any_of(kept.begin(), kept.end(), [&](Index k) {
            return (shifted.col(i) - shifted.col(k)).norm() < bandwidth / 2;
        });
        if (!merged) kept.push_back(i);
    }
    return shifted(Eigen::all, kept);
}

RotationClusters assigned(const MatrixXd& features, const MatrixXd& modes, double bandwidth, int smallest) {
    RotationClusters clusters;
    clusters.bandwidth = bandwidth;
    std::vector<int> nearest(static_cast<std::size_t>(features.cols()));
    std::vector<int> sizes(static_cast<std::size_t>(modes.cols()), 0), name(sizes.size(), -1);
    for (Index t = 0; t < features.cols(); ++t) {
        Index best = 0;
        const double distance = (modes.colwise() - features.col(t)).colwise().squaredNorm().minCoeff(&best);
        const bool outside = distance > bandwidth * bandwidth;
        nearest[static_cast<std::size_t>(t)] = outside ? -1 : static_cast<int>(best);
        if (!outside) ++sizes[static_cast<std::size_t>(best)];
    }
    for (std::size_t m = 0; m < sizes.size(); ++m) {
        if (sizes[m] >= smallest) name[m] = clusters.count++;
    }
    for (const int m : nearest)
        clusters.of_triangle.push_back(m < 0 ? -1 : name[static_cast<std::size_t>(m)]);
    return clusters;
}

/// Motions of the clusters from their own vertices.
Motions cluster_motions(const Target& target, const RotationClusters& clusters, bool rigid) {
    std::vector<std::vector<std::uint32_t>> members(static_cast<std::size_t>(clusters.count));
    const auto& triangles = target.sequence->rest.triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (clusters.of_triangle[t] < 0) continue;
        auto& list = members[static_cast<std::size_t>(clusters.of_triangle[t])];
        list.insert(list.end(), triangles[t].begin(), triangles[t].end());
    }
    Motions motions(3 * target.frames(), 4 * clusters.count);
    for (Index j = 0; j < clusters.count; ++j) {
        auto& list = members[static_cast<std::size_t>(j)];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        motions.middleCols<4>(4 * j) =
            rigid ? region_motion(target, list) : affine_region_motion(target, list);
    }
    return motions;
}

}  // namespace

RotationClusters cluster_rotations(const MeshSequence& sequence, const ClusterOptions& options,
                                   Monitor& monitor) {
    if (sequence.rest.triangles.empty()) fail("fit", "clusters of triangles need triangles");
    const MatrixXd features = rotation_features(sequence);
    const int smallest = options.min_triangles > 0
                             ? options.min_triangles
                             : std::max(2, static_cast<int>(sequence.rest.triangles.size() / 200));
    if (options.bandwidth > 0)
        return assigned(features, modes_of(features, options.bandwidth, monitor), options.bandwidth,
                        smallest);
    // Narrower kernels give more clusters, but not strictly: the number nearest to the requested one is kept.
    RotationClusters best;
    double low = 0.01, high = 2;
    for (int round = 0; round < 10; ++round) {
        const double middle = std::sqrt(low * high);
        RotationClusters next = assigned(features, modes_of(features, middle, monitor), middle, smallest);
        const int count = next.count;
        if (best.count == 0 || std::abs(count - options.bones) < std::abs(best.count - options.bones))
            best = std::move(next);
        if (count == options.bones) break;
        (count < options.bones ? high : low) = middle;
    }
    return best;
}

FitResult fit_clusters(const MeshSequence& sequence, const ClusterOptions& options, Monitor& monitor) {
    check_sequence(sequence);
    if (options.influences < 1 || options.influences > max_influences)
        fail("fit", "{} influences were requested: 1 to {} are possible", options.influences, max_influences);
    RotationClusters clusters = cluster_rotations(sequence, options, monitor);
    if (clusters.count == 0) {
        warn(monitor, "fit-no-clusters", "no part of the mesh moves rigidly: one bone moves all of it");
        clusters.count = 1;
        std::fill(clusters.of_triangle.begin(), clusters.of_triangle.end(), 0);
    } else if (options.bandwidth <= 0 && clusters.count != options.bones) {
        warn(monitor, "fit-clusters", "mean shift finds {} clusters, but {} were requested", clusters.count,
             options.bones);
    }
    const Target target = make_target(sequence);
    const Motions motions = cluster_motions(target, clusters, options.rigid);
    WeightStepOptions how;
    how.influences = options.influences;
    FitResult fit;
    fit.rest = sequence.rest;
    fit.rate = sequence.rate;
    fit.rigid = options.rigid;
    fit.weights = BlendWeights(sequence.rest.positions.size(), static_cast<std::size_t>(options.influences));
    weight_step(target, motions, how, fit.weights);
    fit.frames = to_poses(target, motions);
    fit.centers = weight_centers(fit.rest, fit.weights, static_cast<std::size_t>(clusters.count));
    return fit;
}

}  // namespace sinew::fit
