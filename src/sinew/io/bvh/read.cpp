// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/base/text.h"
#include "sinew/io/bvh/bvh.h"
#include "sinew/io/bvh/hierarchy.h"
#include "sinew/io/bvh/pose.h"
#include "sinew/io/text/scan.h"
#include "sinew/model/clip.h"

namespace sinew::io::bvh {
namespace {

// The MOTION part of a BVH file: the actual number of frames, their positions in the text, and the keys from
// their numbers.

/// The content between MOTION and the numbers.
struct MotionHeader {
    std::optional<double> frames;  ///< as claimed by "Frames:"
    double step = 1.0 / 30;        ///< seconds per frame, repaired
};

/// Positions of the frames. Only every `per_block`-th is stored, which is enough to read the blocks
/// independently.
struct FrameIndex {
    std::string_view text;            ///< the numbers
    std::vector<std::size_t> starts;  ///< first byte of each block
    std::size_t channels = 0;
    std::size_t frames = 0;
    std::size_t per_block = 1;
    bool by_line = false;  ///< one frame per line; otherwise line ends have no meaning
    char line_end = '\n';
};

/// An index by words instead of lines.
struct WordIndex {
    FrameIndex index;
    std::size_t words = 0;
};

/// Problems found while reading all frames.
struct DecodeResult {
    std::size_t broken = 0;               ///< numbers that were not finite
    std::optional<std::size_t> bad_word;  ///< first byte of the first word that is not a number
    bool irregular = false;               ///< a line without exactly one frame
};

/// Reads a keyword, an optional colon, and nothing else.
bool accept(TextCursor& cursor, std::initializer_list<std::string_view> words, Tally& tally) {
    const std::size_t start = cursor.position();
    bool exact = true;
    for (const std::string_view word : words) {
        cursor.skip_space();
        const std::string_view found = cursor.remaining().substr(0, word.size());
        if (!equal_ignoring_case(found, word)) {
            cursor.seek(start);
            return false;
        }
        exact = exact && found == word;
        cursor.advance(word.size());
    }
    if (!exact) tally.note("bvh-keyword-case", cursor, "\"{}\" in other letters", *words.begin());
    const std::string_view rest = cursor.remaining();
    const std::size_t next = rest.find_first_not_of(" \t");
    if (next != std::string_view::npos && rest[next] == ':') {
        cursor.advance(next + 1);
    } else if (!rest.empty() && next == 0 && rest[0] != '\n' && rest[0] != '\r') {
        cursor.seek(start);  // the word is longer than the keyword
        return false;
    } else {
        tally.note("bvh-no-colon", cursor, "no colon after \"{}\"", *words.begin());
    }
    return true;
}

/// The value of a keyword: on the same line, or alone on the next line.
std::string_view value_word(TextCursor& cursor) {
    if (const std::string_view word = cursor.word_on_line(); !word.empty()) return word;
    const std::size_t start = cursor.position();
    double number = 0;
    const std::string_view word = cursor.word();
    if (read_value(word, number) != Value::none && cursor.word_on_line().empty()) return word;
    cursor.seek(start);
    return {};
}

/// Number of digits after the decimal point.
int decimals(std::string_view word) {
    const std::size_t point = word.find('.');
    return point == std::string_view::npos ? 0 : static_cast<int>(word.size() - point - 1);
}

/// Rates are almost always integers, but 1/120 s is written as 0.0083333. Within 1e-5 s the integer rate is
/// used, but 119.88 (different by a thousandth) is not changed.
double snapped(double step, std::string_view word, const TextCursor& cursor, Tally& tally) {
    const double rate = std::round(1 / step);
    if (rate < 1 || rate > 1e5) return step;
    const double exact = 1 / rate;
    const double off = std::abs(step - exact);
    if (off >= 1e-5 || off >= 5e-4 * exact) return step;
    // Rounding or truncation to the digits written, or to single precision, is not an error of the file.
    if (off > std::max(std::pow(10.0, -decimals(word)), 1e-6 * exact)) {
        tally.note("bvh-frame-time", cursor, "Frame Time {} is read as 1/{}", word, rate);
    }
    return exact;
}

double read_step(std::string_view word, const TextCursor& cursor, Tally& tally) {
    double step = 0;
    const Value value = read_value(word, step);
    // More than a million frames per second, or less than one in eleven days, is not a valid frame time.
    if (value != Value::good || step < 1e-6 || step > 1e6) {
        tally.note("bvh-frame-time", cursor,
                   "Frame Time \"{}\" is not a time: 30 frames per second are assumed", word.substr(0, 40));
        return 1.0 / 30;
    }
    if (step >= 10 && step <= 1000) {
        tally.note("bvh-frame-time-fps", cursor, "Frame Time {} is read as frames per second", word);
        return 1 / step;
    }
    return snapped(step, word, cursor, tally);
}

MotionHeader read_motion_header(TextCursor& cursor, Tally& tally) {
    MotionHeader header;
    bool has_step = false;
    while (true) {
        if (accept(cursor, {"Frames"}, tally)) {
            double frames = 0;
            const std::string_view word = value_word(cursor);
            if (read_value(word, frames) == Value::good && frames >= 0) {
                header.frames = frames;
            } else {
                tally.note("bvh-frame-count", cursor, "Frames: \"{}\" is not a count", word.substr(0, 40));
            }
        } else if (accept(cursor, {"Frame", "Time"}, tally)) {
            header.step = read_step(value_word(cursor), cursor, tally);
            has_step = true;
        } else {
            break;
        }
    }
    if (!has_step) tally.note("bvh-frame-time", cursor, "no Frame Time: 30 frames per second are assumed");
    return header;
}

/// Numbers that are converted together; a block of rows fits in the first-level cache.
constexpr std::size_t block_numbers = 3072;

FrameIndex empty_index(std::string_view text, std::size_t channels) {
    FrameIndex index;
    index.text = text;
    index.channels = channels;
    index.per_block = std::max<std::size_t>(1, block_numbers / channels);
    return index;
}

/// Treats every line that is not blank as a frame. Empty when the text is too short for that.
std::optional<FrameIndex> index_lines(std::string_view text, std::size_t channels) {
    FrameIndex index = empty_index(text, channels);
    index.by_line = true;
    // CR alone ends lines only in files without LF.
    index.line_end = text.find('\n') == std::string_view::npos ? '\r' : '\n';
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(index.line_end, at), text.size());
        std::size_t first = at;
        while (first < end && is_space(text[first])) ++first;
        if (first < end) {
            if (index.frames % index.per_block == 0) index.starts.push_back(first);
            ++index.frames;
        }
        at = end + 1;
    }
    // A number takes at least a digit and a space: no memory is allocated for frames that cannot exist.
    if (index.frames > (text.size() + 1) / (2 * channels)) return std::nullopt;
    return index;
}

WordIndex index_words(std::string_view text, std::size_t channels, std::optional<double> claimed_frames) {
    WordIndex result{empty_index(text, channels), 0};
    FrameIndex& index = result.index;
    const std::size_t words_per_block = index.per_block * channels;
    for (std::size_t at = 0; at < text.size();) {
        while (at < text.size() && is_space(text[at])) ++at;
        if (at == text.size()) break;
        if (result.words % words_per_block == 0) index.starts.push_back(at);
        ++result.words;
        while (at < text.size() && !is_space(text[at])) ++at;
    }
    index.frames = result.words / channels;
    if (claimed_frames && *claimed_frames >= 1 && *claimed_frames < static_cast<double>(index.frames)) {
        index.frames = static_cast<std::size_t>(*claimed_frames);
    }
    return result;
}

using math::Quatf;
using math::Vec3f;

/// Maps columns of the table to the keys of one joint.
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

/// Adds one joint to the plan and allocates its track for all frames.
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
        const ThreeRotations rotations{i, j, k, (i + 1) % 3 == j ? 1.0 : -1.0};
        const std::size_t a = plan.columns[0], b = plan.columns[1], c = plan.columns[2];
        for (std::size_t f = 0; f < count; ++f, rows += channels) {
            rotations.apply(rows[a], rows[b], rows[c], plan.out[frame + f].coeffs().data());
        }
        return;
    }
    for (std::size_t f = 0; f < count; ++f, rows += channels) {
        math::Quatd q = math::Quatd::Identity();
        for (std::size_t i = 0; i < plan.axes.size(); ++i) {
            const SinCos half = half_angle(rows[plan.columns[i]]);
            math::Quatd rotation(half.cosine, 0, 0, 0);
            rotation.coeffs()[plan.axes[i]] = half.sine;
            q = q * rotation;
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

    /// Reads one frame into `row`; `previous` replaces broken numbers. False at the end.
    bool read(double* row, const double* previous) {
        const char* stop = end_;
        if (index_.by_line) {
            while (at_ != end_ && is_space(*at_)) ++at_;
            const void* found = std::memchr(at_, index_.line_end, static_cast<std::size_t>(end_ - at_));
            if (found != nullptr) stop = static_cast<const char*>(found);
        }
        for (std::size_t c = 0; c < index_.channels; ++c) {
            while (at_ != stop && is_space(*at_)) ++at_;
            const char* const next = scan_double(at_, stop, row[c]);
            if (next != nullptr && (next == stop || is_space(*next)) && std::abs(row[c]) < 1e15) {
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
    /// Handles words that are not numbers of plausible size.
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

/// Reads and converts one block. `carry` is the row before the block; on return it is the last row of the
/// block.
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

/// Fills the tracks of all joints with channels. Position keys hold the plain numbers of the file, and OFFSET
/// where an axis has no channel. `first_row` replaces broken numbers of frame 0; without it blocks are
/// read in parallel, and broken numbers are only counted.
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

using math::Vec3d;
using math::Vec3f;

/// State shared by the steps of reading one file.
struct Source {
    Tokens tokens;
    Tally tally;
    Hierarchy hierarchy;
    Monitor& monitor;
};

/// A truncated file may end inside a number ("-", "1e"). Only the last word can be incomplete.
std::string_view without_torn_word(std::string_view data, Source& source) {
    const std::string_view trimmed = trim(data);
    const std::size_t space = trimmed.find_last_of(" \t\n\v\f\r");
    const std::string_view last = space == std::string_view::npos ? trimmed : trimmed.substr(space + 1);
    double value = 0;
    if (last.empty() || last.size() > max_token || read_value(last, value) != Value::none) return data;
    source.tally.note("bvh-torn-end", source.tokens.cursor(),
                      "the file ends with \"{}\", which is not a number", last.substr(0, 40));
    return data.substr(0, static_cast<std::size_t>(last.data() - data.data()));
}

/// Reads the numbers as a stream, when lines are not frames.
FrameIndex index_stream(std::string_view data, const MotionHeader& header, Source& source) {
    const std::size_t channels = source.hierarchy.channels.size();
    WordIndex found = index_words(data, channels, header.frames);
    const TextCursor& cursor = source.tokens.cursor();
    const std::size_t used = found.index.frames * channels;
    if (found.words - used >= channels) {
        source.tally.note("bvh-surplus-data", cursor, "{} numbers after the last frame are ignored",
                          found.words - used);
    } else if (found.words > used) {
        source.tally.note("bvh-partial-frame", cursor, "the last frame has {} numbers of {} and is dropped",
                          found.words - used, channels);
    }
    return std::move(found.index);
}

/// Determines which joints add their positions to OFFSET.
std::vector<bool> find_adding(const std::vector<model::Track>& tracks, const ReadOptions& options,
                              Source& source) {
    const std::vector<model::Joint>& joints = source.hierarchy.skeleton.joints;
    std::vector<bool> adds(joints.size(), options.convention == PositionConvention::add);
    if (options.convention != PositionConvention::automatic) return adds;
    const auto first_position = [&](const model::Track& track) {
        return Vec3d(track.translation.values[0].cast<double>());
    };
    const auto position_channels = [&](const model::Track& track) {
        const ChannelRange& range = source.hierarchy.ranges[static_cast<std::size_t>(track.joint)];
        const auto begin = source.hierarchy.channels.begin() + static_cast<std::ptrdiff_t>(range.first);
        return std::count_if(begin, begin + static_cast<std::ptrdiff_t>(range.count),
                             [](const Channel& c) { return c.kind == Channel::Kind::position; });
    };
    std::vector<FirstPosition> first;
    for (const model::Track& track : tracks) {
        const model::Joint& joint = joints[static_cast<std::size_t>(track.joint)];
        if (joint.parent < 0 || track.translation.empty() || position_channels(track) != 3) continue;
        first.push_back({joint.rest.translation, first_position(track)});
    }
    const JointConvention convention = joint_convention(first);
    const TextCursor& cursor = source.tokens.cursor();
    for (const model::Track& track : tracks) {
        const model::Joint& joint = joints[static_cast<std::size_t>(track.joint)];
        const Vec3d& offset = joint.rest.translation;
        if (track.translation.empty() || offset.isZero(0)) continue;
        bool replaces = convention.replaces;
        if (joint.parent < 0) {
            std::vector<double> heights;
            for (const Vec3f& value : track.translation.values)
                heights.push_back(static_cast<double>(value.y()));
            replaces = root_replaces(offset, median(std::move(heights)));
            if (replaces) {
                source.tally.note("bvh-position-convention", cursor, "positions of \"{}\" replace its OFFSET",
                                  joint.name);
            }
        } else if (!convention.replaces || !convention.sure) {
            source.tally.note("bvh-position-convention", cursor, "positions of \"{}\" {} its OFFSET",
                              joint.name, replaces ? "replace" : "are added to");
        }
        adds[static_cast<std::size_t>(track.joint)] = !replaces;
    }
    return adds;
}

/// The pose that replaces broken numbers in frame 0: no rotation, and positions equal to OFFSET.
std::vector<double> rest_row(const Hierarchy& hierarchy, const std::vector<bool>& adds) {
    std::vector<double> row(hierarchy.channels.size(), 0.0);
    for (std::size_t j = 0; j < hierarchy.ranges.size(); ++j) {
        const ChannelRange& range = hierarchy.ranges[j];
        for (std::size_t c = range.first; c < range.first + range.count && !adds[j]; ++c) {
            const Channel& channel = hierarchy.channels[c];
            if (channel.kind == Channel::Kind::position)
                row[c] = hierarchy.skeleton.joints[j].rest.translation[channel.axis];
        }
    }
    return row;
}

void add_offsets(std::vector<model::Track>& tracks, const Hierarchy& hierarchy,
                 const std::vector<bool>& adds) {
    for (model::Track& track : tracks) {
        const auto j = static_cast<std::size_t>(track.joint);
        if (!adds[j] || track.translation.empty()) continue;
        // Axes without a channel already contain OFFSET.
        Vec3d offset = Vec3d::Zero();
        const ChannelRange& range = hierarchy.ranges[j];
        for (std::size_t c = range.first; c < range.first + range.count; ++c) {
            const Channel& channel = hierarchy.channels[c];
            if (channel.kind == Channel::Kind::position) {
                offset[channel.axis] = hierarchy.skeleton.joints[j].rest.translation[channel.axis];
            }
        }
        for (Vec3f& value : track.translation.values) value = (value.cast<double>() + offset).cast<float>();
    }
}

/// Puts neighbouring rotations in one hemisphere, so that blending takes the short path.
void make_continuous(std::vector<model::Track>& tracks) {
    parallel_for(tracks.size(), 8, [&](std::size_t t) {
        std::vector<math::Quatf>& values = tracks[t].rotation.values;
        for (std::size_t f = 1; f < values.size(); ++f) {
            // Rarely true; a branch is faster than a dependency between consecutive values.
            if (math::dot(values[f], values[f - 1]) < 0) values[f] = math::negated(values[f]);
        }
    });
}

std::vector<model::Track> read_frames(const MotionHeader& header, const ReadOptions& options,
                                      Source& source) {
    const Hierarchy& hierarchy = source.hierarchy;
    const TextCursor& cursor = source.tokens.cursor();
    std::vector<model::Track> tracks;
    if (hierarchy.channels.empty()) return tracks;
    const std::string_view data = without_torn_word(cursor.remaining(), source);
    std::optional<FrameIndex> index = index_lines(data, hierarchy.channels.size());
    std::size_t rows = index ? index->frames : 0;
    if (index && header.frames && *header.frames >= 1 && *header.frames < static_cast<double>(rows))
        index->frames = static_cast<std::size_t>(*header.frames);
    DecodeResult result;
    if (index) result = decode(*index, hierarchy, header.step, nullptr, tracks, source.monitor);
    if (!index || result.irregular || result.bad_word) {
        index = index_stream(data, header, source);
        rows = index->frames;
        result = decode(*index, hierarchy, header.step, nullptr, tracks, source.monitor);
    }
    if (result.bad_word) {
        source.tokens.cursor().advance(*result.bad_word);
        fail(cursor.location(), "expected a number, found \"{}\"",
             source.tokens.cursor().word().substr(0, 40));
    }
    if (!header.frames || *header.frames != static_cast<double>(rows)) {
        source.tally.note("bvh-frame-count", cursor, "Frames: says {}, but there are {}{}",
                          header.frames ? fmt::format("{}", *header.frames) : "nothing", rows,
                          index->frames < rows ? ": the surplus ones are left out" : "");
    }
    const std::vector<bool> adds = find_adding(tracks, options, source);
    if (result.broken > 0) {
        source.tally.note("bvh-bad-number", cursor, "{} numbers are not finite; the previous frame is used",
                          result.broken);
        const std::vector<double> row = rest_row(hierarchy, adds);
        decode(*index, hierarchy, header.step, &row, tracks, source.monitor);
    }
    add_offsets(tracks, hierarchy, adds);
    make_continuous(tracks);
    return tracks;
}

}  // namespace
}  // namespace sinew::io::bvh

namespace sinew::io {

Asset read_bvh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    using namespace bvh;
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8, with_points;
    const std::string_view plain = as_utf8(as_text(bytes), utf8);
    const std::string_view text = with_decimal_points(plain, with_points);
    Source source{Tokens(text, file), {}, {}, monitor};
    const TextCursor& cursor = source.tokens.cursor();
    if (!utf8.empty()) source.tally.note("bvh-utf16", cursor, "the file is UTF-16");
    if (!with_points.empty())
        source.tally.note("bvh-comma-decimal", cursor, "numbers have commas for points");

    source.hierarchy = read_hierarchy(source.tokens, source.tally);
    model::make_names_unique(source.hierarchy.skeleton);
    model::Clip clip;
    if (source.hierarchy.motion) {
        const MotionHeader header = read_motion_header(source.tokens.cursor(), source.tally);
        clip.tracks = read_frames(header, options, source);
        if (clip.tracks.empty())
            source.tally.note("bvh-no-frames", cursor, "no motion: only the skeleton is read");
    }
    source.tally.report(monitor);

    Asset asset;
    asset.character.name = clip.name = path.stem().string();
    asset.character.skeleton = std::move(source.hierarchy.skeleton);
    if (!clip.tracks.empty()) asset.character.clips.push_back(std::move(clip));
    return asset;
}

}  // namespace sinew::io
