#include "sinew/fit/error.h"

#include <cmath>
#include <limits>

#include "sinew/base/error.h"

namespace sinew::fit {

using math::Vec3d;
using math::Vec3f;
using model::MeshSequence;
using Frame = std::vector<Vec3f>;

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

/// |A - A_mean|^2 with the mean of each vertex over time.
double spread_over_time(const std::vector<Frame>& frames) {
    std::vector<Vec3d> mean(frames[0].size(), Vec3d::Zero());
    for (const Frame& frame : frames) {
        for (std::size_t v = 0; v < frame.size(); ++v) mean[v] += frame[v].cast<double>();
    }
    double sum = 0;
    for (const Frame& frame : frames) {
        for (std::size_t v = 0; v < frame.size(); ++v) {
            sum += (frame[v].cast<double>() - mean[v] / static_cast<double>(frames.size())).squaredNorm();
        }
    }
    return sum;
}

/// |A - A_centroid|^2 with the centroid of each frame.
double spread_in_space(const std::vector<Frame>& frames) {
    double sum = 0;
    for (const Frame& frame : frames) {
        Vec3d centroid = Vec3d::Zero();
        for (const Vec3f& p : frame) centroid += p.cast<double>();
        centroid /= static_cast<double>(frame.size());
        for (const Vec3f& p : frame) sum += (p.cast<double>() - centroid).squaredNorm();
    }
    return sum;
}

double percent(double difference2, double spread2) {
    if (spread2 > 0) return 100 * std::sqrt(difference2 / spread2);
    return difference2 > 0 ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace

SequenceError sequence_error(const MeshSequence& reference, const MeshSequence& other) {
    check(reference, other);
    const auto vertices = static_cast<double>(reference.rest.positions.size());
    const auto frames = static_cast<double>(reference.frames.size());
    SequenceError result;
    double sum2 = 0, max2 = -1;
    for (std::size_t f = 0; f < reference.frames.size(); ++f) {
        double frame2 = 0;
        for (std::size_t v = 0; v < reference.frames[f].size(); ++v) {
            const double distance2 =
                (reference.frames[f][v].cast<double>() - other.frames[f][v].cast<double>()).squaredNorm();
            frame2 += distance2;
            result.mean += std::sqrt(distance2);
            if (distance2 <= max2) continue;
            max2 = distance2;
            result.worst_frame = f;
            result.worst_vertex = v;
        }
        sum2 += frame2;
        result.frame_rms.push_back(std::sqrt(frame2 / vertices));
    }
    result.mean /= vertices * frames;
    result.max = std::sqrt(max2);
    result.rms = std::sqrt(sum2 / (vertices * frames));
    result.error_percent = percent(sum2, spread_over_time(reference.frames));
    result.kg_percent = percent(sum2, spread_in_space(reference.frames));
    const double half = geometry::bounds(reference.rest.positions).diagonal() / 2.0;
    if (half > 0) result.erms = 1000 * std::sqrt(sum2 / (3 * vertices * frames)) / half;
    return result;
}

}  // namespace sinew::fit
