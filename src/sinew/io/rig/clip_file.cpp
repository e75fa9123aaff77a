// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/io/text/brace_text.h"
#include "sinew/model/channels.h"
#include "sinew/model/clip.h"

namespace sinew::io {
namespace {

using model::Channel;
using model::ChannelKey;
using model::ChannelSet;
using model::Extrapolation;
using model::StageChannel;
using model::Tangent;
using model::TangentRule;

constexpr std::string_view extrapolations[] = {"constant", "linear", "cycle", "cycle_offset", "bounce"};
constexpr std::string_view tangents[] = {"flat", "linear", "smooth"};

/// Index of a word in a list, ignoring case, or the size of the list.
template <std::size_t N>
std::size_t find_word(const std::string_view (&list)[N], std::string_view word) {
    return static_cast<std::size_t>(
        std::find_if(std::begin(list), std::end(list),
                     [&](std::string_view known) { return equal_ignoring_case(known, word); }) -
        std::begin(list));
}

class ClipReader {
  public:
    ClipReader(std::string_view text, std::string_view name, bool legacy, Monitor& monitor)
        : text_(text, name), legacy_(legacy), monitor_(monitor) {}

    ChannelSet run() {
        text_.expect("animation", "at the start");
        text_.expect("{", "after \"animation\"");
        while (!text_.accept("}")) statement();
        if (!text_.peek().empty())
            fail(text_.location(), "expected the end of the file, found {}", quoted_word(text_.peek()));
        if (!has_count_) fail(text_.location(), "\"numChannels\" is missing");
        const std::size_t count = set_.channels.size() + set_.stage.size();
        if (announced_ != count) {
            warn(monitor_, "clip-channel-count", "{}: numChannels says {}, but there are {} channels",
                 text_.location(), announced_, count);
        }
        if (!has_range_) range_of_keys();
        tell();
        return std::move(set_);
    }

  private:
    void statement() {
        const std::size_t mark = text_.mark();
        if (text_.accept("range")) {
            range(mark);
        } else if (text_.accept("numChannels")) {
            announced_ = text_.count("the number of channels");
            has_count_ = true;
        } else if (text_.accept("channel")) {
            channel(mark);
        } else {
            fail(text_.location(mark), "expected \"range\", \"numChannels\", \"channel\" or \"}}\", found {}",
                 quoted_word(text_.peek()));
        }
    }

    void range(std::size_t mark) {
        set_.start = text_.number("the start of the range");
        set_.end = text_.number("the end of the range");
        has_range_ = true;
        if (set_.start <= set_.end) return;
        warn(monitor_, "clip-range", "{}: the range {} to {} was reversed", text_.location(mark), set_.start,
             set_.end);
        std::swap(set_.start, set_.end);
    }

    void range_of_keys() {
        bool first = true;
        const auto include = [&](const Channel& channel) {
            if (channel.keys.empty()) return;
            const double start = channel.keys.front().time, end = channel.keys.back().time;
            set_.start = first ? start : std::min(set_.start, start);
            set_.end = first ? end : std::max(set_.end, end);
            first = false;
        };
        for (const Channel& channel : set_.channels) include(channel);
        for (const StageChannel& channel : set_.stage) include(channel.curve);
        warn(monitor_, "clip-range", "{}: the range is missing: the range of the keys is used, {} to {}",
             text_.location(), set_.start, set_.end);
    }

    /// A joint angle or the mover by number; camera, lights and colours by name.
    void channel(std::size_t mark) {
        const std::size_t at = text_.mark();
        const std::string name(text_.peek());
        Channel channel;
        if (const auto value = model::stage_value_from_name(name)) {
            text_.next();
            for (const StageChannel& known : set_.stage)
                if (known.value == *value) fail(text_.location(mark), "channel {} is defined twice", name);
            body(channel, name, mark);
            set_.stage.push_back({*value, std::move(channel)});
            return;
        }
        if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0)
            fail(text_.location(at), "expected the number of a channel or {}, found {}",
                 fmt::join(model::stage_value_names(), ", "), quoted_word(name));
        channel.id = static_cast<int>(text_.count("the number of a channel"));
        if (!ids_.insert(channel.id).second)
            fail(text_.location(mark), "channel {} is defined twice", channel.id);
        body(channel, std::to_string(channel.id), mark);
        set_.channels.push_back(std::move(channel));
    }

    void body(Channel& channel, std::string_view name, std::size_t mark) {
        text_.expect("{", "after the number of the channel");
        bool has_keys = false;
        while (!text_.accept("}")) {
            const std::size_t at = text_.mark();
            if (text_.accept("extrapolate")) {
                channel.before = extrapolation();
                channel.after = extrapolation();
            } else if (text_.accept("keys")) {
                if (has_keys) fail(text_.location(at), "channel {} has two lists of keys", name);
                keys(channel, at);
                has_keys = true;
            } else {
                fail(text_.location(at), "expected \"extrapolate\", \"keys\" or \"}}\", found {}",
                     quoted_word(text_.peek()));
            }
        }
        if (!has_keys) fail(text_.location(mark), "channel {} has no \"keys\"", name);
    }

    Extrapolation extrapolation() {
        const std::size_t mark = text_.mark();
        const std::string_view word = text_.next();
        std::size_t code = find_word(extrapolations, word);
        std::int64_t number = 0;
        if (parse_exact(word, number))
            code = number < 0 ? std::size(extrapolations) : static_cast<std::size_t>(number);
        if (code >= std::size(extrapolations)) {
            fail(text_.location(mark), "expected {} or a number from 0 to 4, found {}",
                 fmt::join(extrapolations, ", "), quoted_word(word));
        }
        return static_cast<Extrapolation>(code);
    }

    TangentRule tangent() {
        const std::string_view word = text_.peek();
        const std::size_t code = find_word(tangents, word);
        if (code < std::size(tangents)) {
            text_.next();
            return {static_cast<Tangent>(code), 0};
        }
        const std::size_t mark = text_.mark();
        const double slope = text_.number("a tangent (flat, linear, smooth or a slope)");
        if (!legacy_) return {Tangent::fixed, slope};
        if (slope != 0 && slope != 1 && slope != 2) {
            fail(text_.location(mark), "a tangent of an old file is 0 flat, 1 linear or 2 smooth, not {}",
                 slope);
        }
        return {static_cast<Tangent>(static_cast<int>(slope)), 0};
    }

    void keys(Channel& channel, std::size_t mark) {
        const std::size_t announced = text_.count("the number of keys");
        text_.expect("{", "after the number of keys");
        while (!text_.accept("}")) {
            ChannelKey key;
            key.time = text_.number("the time of a key");
            key.value = text_.number("the value of a key");
            key.in = tangent();
            key.out = tangent();
            channel.keys.push_back(key);
        }
        if (announced != channel.keys.size() && miscounted_++ == 0) miscounted_mark_ = mark;
        const auto earlier = [](const ChannelKey& a, const ChannelKey& b) { return a.time < b.time; };
        if (!std::is_sorted(channel.keys.begin(), channel.keys.end(), earlier)) {
            std::stable_sort(channel.keys.begin(), channel.keys.end(), earlier);
            if (unsorted_++ == 0) unsorted_mark_ = mark;
        }
    }

    void tell() {
        if (miscounted_ > 0) {
            warn(monitor_, "clip-key-count", "{}: {} lists hold another number of keys than they announce",
                 text_.location(miscounted_mark_), miscounted_);
        }
        if (unsorted_ > 0) {
            warn(monitor_, "clip-key-order", "{}: the keys of {} channels are not in order: they were sorted",
                 text_.location(unsorted_mark_), unsorted_);
        }
    }

    BraceText text_;
    bool legacy_;
    Monitor& monitor_;
    ChannelSet set_;
    std::set<int> ids_;
    std::size_t announced_ = 0;
    bool has_count_ = false;
    bool has_range_ = false;
    std::size_t miscounted_ = 0, miscounted_mark_ = 0;  ///< wrong key counts, and the first location
    std::size_t unsorted_ = 0, unsorted_mark_ = 0;
};

/// The skeleton of the options, or of a .skel file beside the clip.
model::Skeleton find_skeleton(const std::filesystem::path& path, const ReadOptions& options,
                              Monitor& monitor) {
    std::filesystem::path file = options.skeleton;
    if (file.empty()) {
        file = std::filesystem::path(path).replace_extension("skel");
        std::error_code code;
        if (!std::filesystem::is_regular_file(file, code)) return {};
    }
    ReadOptions plain;
    plain.strict = options.strict;
    Asset asset = read(file, plain, monitor);
    if (asset.character.skeleton.empty()) fail(file.string(), "holds no skeleton");
    return std::move(asset.character.skeleton);
}

std::string tangent_text(const TangentRule& rule) {
    return rule.kind == Tangent::fixed ? fmt::format("{}", rule.slope)
                                       : std::string(tangents[static_cast<std::size_t>(rule.kind)]);
}

template <class Name>
std::string channel_text(const Channel& channel, const Name& name) {
    std::string text =
        fmt::format("    channel {} {{\n        extrapolate {} {}\n        keys {} {{\n", name,
                    extrapolations[static_cast<std::size_t>(channel.before)],
                    extrapolations[static_cast<std::size_t>(channel.after)], channel.keys.size());
    for (const ChannelKey& key : channel.keys) {
        text += fmt::format("            {} {} {} {}\n", key.time, key.value, tangent_text(key.in),
                            tangent_text(key.out));
    }
    return text + "        }\n    }\n";
}

ChannelSet channels_to_write(const Asset& asset, std::string_view location, Monitor& monitor) {
    if (!asset.channels.empty()) return asset.channels;
    const model::Character& character = asset.character;
    if (character.clips.empty()) fail(location, "there is no motion to write");
    if (character.clips.size() > 1) {
        warn(monitor, "clip-one-clip", "{}: a .clip file holds one motion: \"{}\" was written, {} were not",
             location, character.clips[0].name, character.clips.size() - 1);
    }
    return model::channels_of(character.clips[0], character.skeleton, {}, monitor).set;
}

/// The rate of a sampled motion: linear keys at every frame, at least ten per second. Additional keys for
/// accuracy are fewest in the channel with the fewest keys. Empty for a motion that was keyed by hand.
std::optional<double> sampled_rate(const ChannelSet& set) {
    const Channel* frames_of = nullptr;
    for (const Channel& channel : set.channels) {
        for (const ChannelKey& key : channel.keys)
            if (key.in.kind != Tangent::linear || key.out.kind != Tangent::linear) return std::nullopt;
        if (frames_of == nullptr || channel.keys.size() < frames_of->keys.size()) frames_of = &channel;
    }
    constexpr std::size_t enough = 8;
    if (frames_of == nullptr || frames_of->keys.size() < enough) return std::nullopt;
    double step = 0;
    for (std::size_t i = 1; i < frames_of->keys.size(); ++i)
        step = std::max(step, frames_of->keys[i].time - frames_of->keys[i - 1].time);
    const double count = std::round((set.end - set.start) / step);
    if (!(step > 0 && step <= 0.1) || std::abs((set.end - set.start) / step - count) > 0.01 * count)
        return std::nullopt;
    step = (set.end - set.start) / count;
    const auto on_frame = [&](const ChannelKey& key) {
        const double frame = (key.time - set.start) / step;
        return std::abs(frame - std::round(frame)) < 0.01;
    };
    for (const Channel& channel : set.channels)
        if (static_cast<double>(std::ranges::count_if(channel.keys, on_frame)) <= count) return std::nullopt;
    return 1 / step;
}

}  // namespace

Asset read_clip(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options,
                Monitor& monitor) {
    std::string storage;
    const std::string name = path.string();
    Asset asset;
    asset.channels =
        ClipReader(as_utf8(as_text(bytes), storage), name, options.legacy_tangents, monitor).run();
    asset.channels.name = path.stem().string();
    asset.character.name = asset.channels.name;
    asset.character.skeleton = find_skeleton(path, options, monitor);
    if (asset.character.has_skeleton()) {
        try {
            model::Clip clip = model::clip_of(asset.channels, asset.character.skeleton, {}, monitor).clip;
            if (const std::optional<double> rate = sampled_rate(asset.channels); rate && !clip.empty())
                clip = model::resampled(clip, *rate);
            if (!clip.empty()) asset.character.clips.push_back(std::move(clip));
        } catch (const Error& error) {
            fail(name, "{}", error.reason());
        }
    }
    return asset;
}

std::string write_clip(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                       Monitor& monitor) {
    const ChannelSet set = channels_to_write(asset, path.string(), monitor);
    std::string text = fmt::format("animation {{\n    range {} {}\n    numChannels {}\n", set.start, set.end,
                                   set.channels.size() + set.stage.size());
    for (const Channel& channel : set.channels) text += channel_text(channel, channel.id);
    for (const StageChannel& channel : set.stage)
        text += channel_text(channel.curve, model::name_of(channel.value));
    return text + "}\n";
}

}  // namespace sinew::io
