#pragma once
/// \file
/// How far a mesh sequence is from another: the measures of the literature.

#include <vector>

#include "sinew/model/character.h"

namespace sinew::fit {

/// A is the reference and B the approximation, 3N x F matrices of N vertices over F frames.
struct SequenceError {
    double error_percent = 0;  ///< 100 |A - B| / |A - A_mean|, A_mean the mean of each vertex over time
                               ///< (Kavan et al. 2007); infinite when B differs from an A that does not move
    bool still = false;        ///< A does not move: percentages of its motion say nothing
    double kg_percent = 0;     ///< the same against the centroid of each frame (Karni and Gotsman 2004)
    double erms = 0;           ///< 1000 |A - B| / sqrt(3NF) / (half the diagonal of the rest pose's box)
    double rms = 0;            ///< |A - B| / sqrt(NF), in units of the model
    double mean = 0;           ///< mean distance of a vertex
    double max = 0;            ///< largest distance of a vertex
    std::size_t worst_frame = 0;
    std::size_t worst_vertex = 0;
    std::vector<double> frame_rms;   ///< |A_f - B_f| / sqrt(N), frame by frame
    std::vector<double> vertex_rms;  ///< of each vertex over the frames: a heat map
};

/// Gathers the measures frame by frame: first all frames of the reference, for the mean over time, then every
/// frame with its approximation.
class SequenceErrorSum {
  public:
    explicit SequenceErrorSum(const geometry::Mesh& rest);
    void add_reference(const std::vector<math::Vec3f>& frame);
    void add(const std::vector<math::Vec3f>& reference, const std::vector<math::Vec3d>& other);
    SequenceError result() const;

  private:
    double half_diagonal_;
    std::vector<math::Vec3d> sum_;  ///< of each vertex over the reference
    std::size_t reference_frames_ = 0;
    double difference2_ = 0, over_time2_ = 0, in_space2_ = 0, max2_ = -1;
    SequenceError error_;
};

/// \throws Error when there are no frames, or the frame or vertex counts differ.
SequenceError sequence_error(const model::MeshSequence& reference, const model::MeshSequence& other);

}  // namespace sinew::fit
