#include "sinew/fit/stream.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/fit/corrections.h"
#include "sinew/fit/transforms.h"

namespace sinew::fit {

using model::MeshSequence;

namespace {

/// The frames with the given numbers.
MeshSequence frames_of(const FrameSource& source, std::span<const std::size_t> numbers) {
    MeshSequence part;
    part.rest = source.rest;
    part.rate = source.rate;
    for (const std::size_t f : numbers) {
        std::vector<math::Vec3f>& frame = part.frames.emplace_back(source.frame(f));
        if (frame.size() != source.rest.positions.size())
            fail("fit", "frame {} has {} vertices, the rest pose {}", f, frame.size(),
                 source.rest.positions.size());
        for (std::size_t v = 0; v < frame.size(); ++v) {
            if (!frame[v].allFinite()) fail("fit", "frame {}, vertex {}: position is not finite", f, v);
        }
    }
    return part;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t wanted) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < wanted; ++i)
        numbers.push_back(wanted > 1 ? i * (count - 1) / (wanted - 1) : 0);
    return numbers;
}

/// Calls `visit(first, part)` for one chunk after the other.
template <class Visit>
void for_each_chunk(const FrameSource& source, std::size_t chunk, const Visit& visit) {
    for (std::size_t first = 0; first < source.count; first += chunk) {
        std::vector<std::size_t> numbers;
        for (std::size_t f = first; f < std::min(first + chunk, source.count); ++f) numbers.push_back(f);
        visit(first, frames_of(source, numbers));
    }
}

}  // namespace

FrameSource source_of(const MeshSequence& sequence) {
    return {sequence.rest, sequence.rate, sequence.frames.size(),
            [&sequence](std::size_t f) { return sequence.frames[f]; }};
}

Fitted fit_stream(const FrameSource& source, const StreamOptions& options, Monitor& monitor) {
    const std::size_t chunk = std::max<std::size_t>(1, options.chunk);
    const std::vector<std::size_t> numbers = spread(source.count, std::min(chunk, source.count));
    Fitted result;
    {
        const MeshSequence sample = frames_of(source, numbers);
        result = fit(sample, options.choice, monitor);
    }
    if (source.count <= chunk) return result;
    FitResult rig = std::move(result.fit);
    result.fit = rig;
    result.fit.frames.clear();
    result.fit.corrections.amounts.setZero(rig.corrections.shapes.cols(),
                                           static_cast<Eigen::Index>(source.count));
    for_each_chunk(source, chunk, [&](std::size_t first, const MeshSequence& part) {
        step(monitor, "streaming", static_cast<double>(first) / static_cast<double>(source.count));
        rig.frames = fit_transforms(part, rig, {}, monitor);
        if (rig.corrections.count() > 0)
            result.fit.corrections.amounts.middleCols(static_cast<Eigen::Index>(first),
                                                      static_cast<Eigen::Index>(part.frames.size())) =
                correction_amounts(rig, part, rig.corrections.shapes);
        for (BonePose& pose : rig.frames) result.fit.frames.push_back(std::move(pose));
    });
    SequenceErrorSum sum(source.rest);
    for_each_chunk(source, chunk, [&](std::size_t, const MeshSequence& part) {
        for (const auto& frame : part.frames) sum.add_reference(frame);
    });
    for_each_chunk(source, chunk, [&](std::size_t first, const MeshSequence& part) {
        for (std::size_t f = 0; f < part.frames.size(); ++f)
            sum.add(part.frames[f], deformed(result.fit, first + f));
    });
    result.error = sum.result();
    return result;
}

}  // namespace sinew::fit
