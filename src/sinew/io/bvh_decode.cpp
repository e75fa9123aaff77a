#include <array>
#include <cstring>

#include "sinew/base/decimal.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/bvh_motion.h"
#include "sinew/io/bvh/pose.h"

namespace sinew::io::bvh {
namespace {

using math::Quatf;
using math::Vec3f;

/// From columns of the table to the keys of one joint.
struct PositionPlan {
    std::array<std::ptrdiff_t, 3> column{-1, -1, -1};
    Vec3f offset;
    Vec3f* out = nullptr;
};
struct RotationPlan {
    std::vector<std::size_t> columns;
    std::vector<int> axes;
    Quatf* out = nullptr;

    bool three_different() const {
        return axes.size() == 3 && axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2];
    }
};
struct Plan {
    std::vector<PositionPlan> positions;
    std::vector<RotationPlan> rotations;
};

/// Adds one joint to the plan and gives its track room for all frames.
void plan_joint(const Hierarchy& hierarchy, std::size_t joint, const model::KeyTimes& times, Plan& plan,
                std::vector<model::Track>& tracks) {
    PositionPlan position;
    RotationPlan rotation;
    position.offset = hierarchy.skeleton.joints[joint].rest.translation.cast<float>();
    const ChannelRange& range = hierarchy.ranges[joint];
    bool moves = false;
    for (std::size_t column = range.first; column < range.first + range.count; ++column) {
        const Channel& channel = hierarchy.channels[column];
        if (channel.kind == Channel::Kind::position) {
            position.column[channel.axis] = static_cast<std::ptrdiff_t>(column);
            moves = true;
        } else if (channel.kind == Channel::Kind::rotation) {
            rotation.columns.push_back(column);
            rotation.axes.push_back(channel.axis);
        }
    }
    if (!moves && rotation.axes.empty()) return;
    model::Track& track = tracks.emplace_back();
    track.joint = static_cast<int>(joint);
    if (moves) {
        track.translation.times = times;
        track.translation.values.resize(times.size());
        position.out = track.translation.values.data();
        plan.positions.push_back(position);
    }
    if (!rotation.axes.empty()) {
        track.rotation.times = times;
        track.rotation.values.resize(times.size());
        rotation.out = track.rotation.values.data();
        plan.rotations.push_back(std::move(rotation));
    }
}

void convert(const PositionPlan& plan, const double* rows, std::size_t channels, std::size_t frame,
             std::size_t count) {
    for (std::size_t f = 0; f < count; ++f, rows += channels) {
        Vec3f& out = plan.out[frame + f];
        for (int axis = 0; axis < 3; ++axis) {
            const std::ptrdiff_t column = plan.column[static_cast<std::size_t>(axis)];
            out[axis] = column < 0 ? plan.offset[axis] : static_cast<float>(rows[column]);
        }
    }
}

void convert(const RotationPlan& plan, const double* rows, std::size_t channels, std::size_t frame,
             std::size_t count) {
    if (plan.three_different()) {
        const int i = plan.axes[0], j = plan.axes[1], k = plan.axes[2];
        const ThreeTurns turns{i, j, k, (i + 1) % 3 == j ? 1.0 : -1.0};
        const std::size_t a = plan.columns[0], b = plan.columns[1], c = plan.columns[2];
        for (std::size_t f = 0; f < count; ++f, rows += channels) {
            turns.apply(rows[a], rows[b], rows[c], plan.out[frame + f].coeffs().data());
        }
        return;
    }
    for (std::size_t f = 0; f < count; ++f, rows += channels) {
        math::Quatd q = math::Quatd::Identity();
        for (std::size_t i = 0; i < plan.axes.size(); ++i) {
            const SinCos half = half_angle(rows[plan.columns[i]]);
            math::Quatd turn(half.cosine, 0, 0, 0);
            turn.coeffs()[plan.axes[i]] = half.sine;
            q = q * turn;
        }
        plan.out[frame + f] = q.normalized().cast<float>();
    }
}

/// Reads the rows of one block.
class BlockReader {
  public:
    BlockReader(const FrameIndex& index, std::size_t block)
        : index_(index),
          end_(index.text.data() + index.text.size()),
          at_(index.text.data() + index.starts[block]) {}

    /// One frame into `row`; `previous` stands in for broken numbers. False when there is none.
    bool read(double* row, const double* previous) {
        const char* stop = end_;
        if (index_.by_line) {
            while (at_ != end_ && is_space(*at_)) ++at_;
            const void* found = std::memchr(at_, index_.line_end, static_cast<std::size_t>(end_ - at_));
            if (found != nullptr) stop = static_cast<const char*>(found);
        }
        for (std::size_t c = 0; c < index_.channels; ++c) {
            while (at_ != stop && is_space(*at_)) ++at_;
            if (const char* next = parse_plain_decimal(at_, end_, row[c])) {
                at_ = next;
            } else if (!read_any(stop, row[c], previous[c])) {
                return false;
            }
        }
        if (!index_.by_line) return true;
        while (at_ != stop && is_space(*at_)) ++at_;
        result_.irregular = at_ != stop;
        return !result_.irregular;
    }
    const DecodeResult& result() const { return result_; }

  private:
    /// Everything that is not a plain decimal.
    bool read_any(const char* stop, double& value, double previous) {
        const char* end = at_;
        while (end != stop && !is_space(*end)) ++end;
        const std::string_view word(at_, static_cast<std::size_t>(end - at_));
        const Value kind = word.size() > max_token ? Value::none : read_value(word, value);
        if (kind == Value::none) {
            result_.irregular = word.empty();
            if (!word.empty()) result_.bad_word = static_cast<std::size_t>(at_ - index_.text.data());
            return false;
        }
        if (kind == Value::broken) {
            ++result_.broken;
            value = previous;
        }
        at_ = end;
        return true;
    }

    const FrameIndex& index_;
    const char* end_;
    const char* at_;
    DecodeResult result_;
};

/// Reads and converts one block. `carry` is the row before it, and becomes its last row.
DecodeResult decode_block(const FrameIndex& index, std::size_t block, const Plan& plan,
                          std::vector<double>& carry) {
    const std::size_t first = block * index.per_block;
    const std::size_t count = std::min(index.per_block, index.frames - first);
    std::vector<double> rows(count * index.channels);
    BlockReader reader(index, block);
    const double* previous = carry.data();
    for (std::size_t f = 0; f < count; ++f) {
        double* row = rows.data() + f * index.channels;
        if (!reader.read(row, previous)) return reader.result();
        previous = row;
    }
    for (const PositionPlan& p : plan.positions) convert(p, rows.data(), index.channels, first, count);
    for (const RotationPlan& r : plan.rotations) convert(r, rows.data(), index.channels, first, count);
    carry.assign(previous, previous + index.channels);
    return reader.result();
}

void merge(DecodeResult& all, const DecodeResult& part) {
    all.broken += part.broken;
    all.irregular = all.irregular || part.irregular;
    if (!all.bad_word) all.bad_word = part.bad_word;
}

}  // namespace

DecodeResult decode(const FrameIndex& index, const Hierarchy& hierarchy, double step,
                    const std::vector<double>* first_row, std::vector<model::Track>& tracks,
                    Monitor& monitor) {
    DecodeResult all;
    tracks.clear();
    if (index.frames == 0) return all;
    const model::KeyTimes times = model::KeyTimes::even(0, step, index.frames);
    Plan plan;
    for (std::size_t j = 0; j < hierarchy.skeleton.size(); ++j) plan_joint(hierarchy, j, times, plan, tracks);
    const std::size_t blocks = (index.frames + index.per_block - 1) / index.per_block;
    const auto progress = [&](std::size_t block) {
        sinew::step(monitor, "read motion", static_cast<double>(block) / static_cast<double>(blocks));
    };
    if (first_row != nullptr) {
        std::vector<double> carry = *first_row;
        for (std::size_t block = 0; block < blocks; ++block) {
            progress(block);
            merge(all, decode_block(index, block, plan, carry));
        }
        return all;
    }
    std::vector<DecodeResult> results(blocks);
    parallel_for(blocks, 1, [&](std::size_t block) {
        progress(block);
        std::vector<double> carry(index.channels, 0.0);
        results[block] = decode_block(index, block, plan, carry);
    });
    for (const DecodeResult& result : results) merge(all, result);
    return all;
}

}  // namespace sinew::io::bvh
