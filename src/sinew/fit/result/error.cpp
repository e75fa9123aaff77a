// SPDX-License-Identifier: MIT
#include "sinew/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/fit/fit.h"

namespace sinew::fit {

using math::Vec3d;
using math::Vec3f;
using model::MeshSequence;
using Positions = std::vector<Vec3f>;

namespace {

void check(const MeshSequence& a, const MeshSequence& b) {
    const std::size_t vertices = a.rest.positions.size();
    if (a.frames.empty() || vertices == 0) fail("measure", "the reference sequence is empty");
    if (a.frames.size() != b.frames.size()) {
        fail("measure", "the reference has {} frames, the other {}", a.frames.size(), b.frames.size());
    }
    for (std::size_t f = 0; f < a.frames.size(); ++f) {
        if (a.frames[f].size() != vertices || b.frames[f].size() != vertices) {
            fail("measure", "frame {} has {} and {} vertices, expected {}", f, a.frames[f].size(),
                 b.frames[f].size(), vertices);
        }
    }
}

double percent(double difference2, double spread2) {
    if (spread2 > 0) return 100 * std::sqrt(difference2 / spread2);
    return difference2 > 0 ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace

SequenceErrorSum::SequenceErrorSum(const geometry::Mesh& rest)
    : half_diagonal_(geometry::bounds(rest.positions).diagonal() / 2.0),
      sum_(rest.positions.size(), Vec3d::Zero()) {
    error_.vertex_rms.assign(sum_.size(), 0);
}

void SequenceErrorSum::add_reference(const Positions& frame) {
    for (std::size_t v = 0; v < frame.size(); ++v) sum_[v] += frame[v].cast<double>();
    ++reference_frames_;
}

void SequenceErrorSum::add(const Positions& reference, const std::vector<Vec3d>& other) {
    double frame2 = 0;
    Vec3d centroid = Vec3d::Zero();
    for (std::size_t v = 0; v < reference.size(); ++v) {
        const Vec3d p = reference[v].cast<double>();
        const double distance2 = (p - other[v]).squaredNorm();
        frame2 += distance2;
        error_.vertex_rms[v] += distance2;
        centroid += p;
        over_time2_ += (p - sum_[v] / static_cast<double>(reference_frames_)).squaredNorm();
        error_.mean += std::sqrt(distance2);
        if (distance2 <= max2_) continue;
        max2_ = distance2;
        error_.worst_frame = error_.frame_rms.size();
        error_.worst_vertex = v;
    }
    centroid /= static_cast<double>(reference.size());
    for (const Vec3f& p : reference) in_space2_ += (p.cast<double>() - centroid).squaredNorm();
    difference2_ += frame2;
    error_.frame_rms.push_back(std::sqrt(frame2 / static_cast<double>(reference.size())));
}

SequenceError SequenceErrorSum::result() const {
    SequenceError result = error_;
    const double coordinates =
        static_cast<double>(sum_.size()) * static_cast<double>(error_.frame_rms.size());
    for (double& v : result.vertex_rms) v = std::sqrt(v / static_cast<double>(error_.frame_rms.size()));
    result.mean /= coordinates;
    result.max = std::sqrt(std::max(0.0, max2_));
    result.rms = std::sqrt(difference2_ / coordinates);
    // Sums of equal numbers differ from them by rounding.
    result.still = over_time2_ <= 1e-20 * in_space2_;
    result.error_percent = percent(difference2_, result.still ? 0 : over_time2_);
    result.kg_percent = percent(difference2_, in_space2_);
    if (half_diagonal_ > 0) result.erms = 1000 * std::sqrt(difference2_ / (3 * coordinates)) / half_diagonal_;
    return result;
}

SequenceError sequence_error(const MeshSequence& reference, const MeshSequence& other) {
    check(reference, other);
    SequenceErrorSum sum(reference.rest);
    for (const Positions& frame : reference.frames) sum.add_reference(frame);
    std::vector<Vec3d> wide;
    for (std::size_t f = 0; f < reference.frames.size(); ++f) {
        wide.clear();
        for (const Vec3f& p : other.frames[f]) wide.push_back(p.cast<double>());
        sum.add(reference.frames[f], wide);
    }
    return sum.result();
}

}  // namespace sinew::fit
