#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/base/array.h"
#include "sinew/io/bvh/bvh.h"
#include "sinew/io/bvh/hierarchy.h"
#include "sinew/io/bvh_motion.h"

namespace sinew::io {
namespace {

using namespace bvh;
using math::Vec3d;
using math::Vec3f;

/// Everything that the steps of reading one file share.
struct Source {
    Tokens tokens;
    Tally tally;
    Hierarchy hierarchy;
    Monitor& monitor;
};

/// A file that was cut off may end inside a number ("-", "1e"). Only the last word can be torn.
std::string_view without_torn_word(std::string_view data, Source& source) {
    const std::string_view trimmed = trim(data);
    const std::size_t space = trimmed.find_last_of(" \t\n\v\f\r");
    const std::string_view last = space == std::string_view::npos ? trimmed : trimmed.substr(space + 1);
    double value = 0;
    if (last.empty() || last.size() > max_token || read_value(last, value) != Value::none) return data;
    source.tally.note("bvh-torn-end", source.tokens.cursor(), "the file ends with \"{}\", which is no number",
                      last.substr(0, 40));
    return data.substr(0, static_cast<std::size_t>(last.data() - data.data()));
}

/// The numbers as a stream, when lines are not frames.
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

/// Which joints add their positions to OFFSET.
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

/// The pose that stands in for broken numbers in frame 0: no rotation, and positions that mean OFFSET.
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
        // Axes without a channel hold OFFSET already.
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

/// Neighbouring rotations in one hemisphere, so that blending takes the short way.
void make_continuous(std::vector<model::Track>& tracks) {
    parallel_for(tracks.size(), 8, [&](std::size_t t) {
        std::vector<math::Quatf>& values = tracks[t].rotation.values;
        for (std::size_t f = 1; f < values.size(); ++f) {
            // Rarely true, and cheaper as a branch than as a chain from value to value.
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
    DecodeResult result;
    if (index) result = decode(*index, hierarchy, header.step, nullptr, tracks, source.monitor);
    if (!index || result.irregular || result.bad_word) {
        index = index_stream(data, header, source);
        result = decode(*index, hierarchy, header.step, nullptr, tracks, source.monitor);
    }
    if (result.bad_word) {
        source.tokens.cursor().advance(*result.bad_word);
        fail(cursor.place(), "expected a number, found \"{}\"", source.tokens.cursor().word().substr(0, 40));
    }
    if (!header.frames || *header.frames != static_cast<double>(index->frames)) {
        source.tally.note("bvh-frame-count", cursor, "Frames: says {}, but there are {}",
                          header.frames ? fmt::format("{}", *header.frames) : "nothing", index->frames);
    }
    const std::vector<bool> adds = find_adding(tracks, options, source);
    if (result.broken > 0) {
        source.tally.note("bvh-bad-number", cursor, "{} numbers are not finite; the frame before stands in",
                          result.broken);
        const std::vector<double> row = rest_row(hierarchy, adds);
        decode(*index, hierarchy, header.step, &row, tracks, source.monitor);
    }
    add_offsets(tracks, hierarchy, adds);
    make_continuous(tracks);
    return tracks;
}

}  // namespace

Asset read_bvh(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
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
