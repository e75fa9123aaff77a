#include "sinew/io/c3d/layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "sinew/base/text.h"

namespace sinew::io::c3d {
namespace {

using model::PointInfo;
using model::PointKind;

/// The `i`-th value; the last one where the list is too short, `fallback` where it is empty.
double value_or_last(const std::vector<double>& list, std::size_t i, double fallback) {
    if (list.empty()) return fallback;
    return list[std::min(i, list.size() - 1)];
}

std::string text_at(const std::vector<std::string>& list, std::size_t i) {
    return i < list.size() ? list[i] : std::string();
}

struct Output {
    PointKind kind;
    std::string unit;
};
/// By label in lower case.
using Outputs = std::unordered_map<std::string, Output>;

/// What a type group of this name holds; markers when it is none of the model's curves.
PointKind kind_of(std::string_view name) {
    constexpr std::pair<std::string_view, PointKind> kinds[] = {
        {"angle", PointKind::angle},   {"force", PointKind::force}, {"reaction", PointKind::force},
        {"moment", PointKind::moment}, {"power", PointKind::power}, {"scalar", PointKind::scalar}};
    const std::string lower = to_lower(name);
    for (const auto& [start, kind] : kinds) {
        if (lower.starts_with(start)) return kind;
    }
    return PointKind::marker;
}

/// All labels that the type groups list. TYPE_GROUPS holds pairs: the list and the prefix of its _UNITS; the
/// five usual lists count without it too.
Outputs find_outputs(const Parameters& parameters) {
    std::vector<std::string> groups = texts_of(parameters, "POINT", "TYPE_GROUPS");
    if (groups.size() % 2 != 0) groups.pop_back();
    groups.insert(groups.end(), {"ANGLES", "ANGLE", "FORCES", "FORCE", "MOMENTS", "MOMENT", "POWERS", "POWER",
                                 "SCALARS", "SCALAR", "REACTIONS", "REACTION"});
    Outputs outputs;
    for (std::size_t g = 0; g + 1 < groups.size(); g += 2) {
        const PointKind kind = kind_of(groups[g]);
        if (kind == PointKind::marker || groups[g].empty()) continue;
        const std::string unit = text_of(parameters, "POINT", groups[g + 1] + "_UNITS");
        for (const std::string& label : texts_of(parameters, "POINT", groups[g])) {
            if (!label.empty()) outputs.try_emplace(to_lower(label), Output{kind, unit});
        }
    }
    return outputs;
}

/// "Takeo:LFHD" is LFHD of Takeo.
void split_subject(PointInfo& info) {
    const std::size_t colon = info.label.find(':');
    if (colon == std::string::npos || colon + 1 == info.label.size()) return;
    info.subject = info.label.substr(0, colon);
    info.label = info.label.substr(colon + 1);
}

/// Keeps labels apart.
class LabelSet {
  public:
    /// True when it had to be changed.
    bool add(PointInfo& info) {
        const std::string wanted = info.label;
        for (std::size_t n = 2; !taken_.insert({info.subject, info.label}).second; ++n) {
            std::size_t& next = numbers_[{info.subject, wanted}];
            n = std::max(n, next);
            info.label = fmt::format("{}_{}", wanted, n);
            next = n + 1;
        }
        return info.label != wanted;
    }

  private:
    using Key = std::pair<std::string, std::string>;
    std::set<Key> taken_;
    std::map<Key, std::size_t> numbers_;  ///< the next to try, so that a thousand equal labels stay cheap
};

std::size_t channels_of_type(int type) {
    return type == 3 ? 8 : 6;
}

/// `count` values of platform `index` from a list of `stride` values each.
template <class Take>
void slice(const std::vector<double>& list, std::size_t stride, std::size_t index, std::size_t count,
           const Take& take) {
    for (std::size_t i = 0; i < count && index * stride + i < list.size(); ++i) {
        take(i, list[index * stride + i]);
    }
}

/// Size of the first dimension of a parameter, or `fallback`.
std::size_t first_dimension(const Parameters& parameters, std::string_view name, std::size_t fallback) {
    const model::Parameter* const found = parameters.find("FORCE_PLATFORM", name);
    return found == nullptr || found->dimensions.empty() ? fallback : found->dimensions[0];
}

}  // namespace

std::vector<PointInfo> point_infos(const Parameters& parameters, std::size_t count, Tally& tally) {
    const std::vector<std::string> labels = texts_of(parameters, "POINT", "LABELS");
    const std::vector<std::string> descriptions = texts_of(parameters, "POINT", "DESCRIPTIONS");
    const Outputs outputs = find_outputs(parameters);
    std::vector<PointInfo> infos(count);
    LabelSet markers, curves;
    for (std::size_t i = 0; i < count; ++i) {
        PointInfo& info = infos[i];
        info.description = text_at(descriptions, i);
        info.label = text_at(labels, i);
        const std::string whole = to_lower(info.label);
        if (info.label.empty()) {
            info.label = fmt::format("*{}", i + 1);
            tally.note("c3d-labels", 0, "point {} has no label: it is called {}", i + 1, info.label);
        }
        split_subject(info);
        auto output = outputs.find(whole);
        if (output == outputs.end()) output = outputs.find(to_lower(info.label));
        if (output != outputs.end()) {
            info.kind = output->second.kind;
            info.unit = output->second.unit;
        }
        const std::string wanted = info.label;
        if ((info.kind == PointKind::marker ? markers : curves).add(info)) {
            tally.note("c3d-duplicate-label", 0, "the label \"{}\" is given twice: point {} is called \"{}\"",
                       wanted, i + 1, info.label);
        }
    }
    return infos;
}

Channels analog_channels(const Parameters& parameters, std::size_t count, Tally& tally) {
    const std::vector<std::string> labels = texts_of(parameters, "ANALOG", "LABELS");
    const std::vector<std::string> descriptions = texts_of(parameters, "ANALOG", "DESCRIPTIONS");
    const std::vector<std::string> units = texts_of(parameters, "ANALOG", "UNITS");
    const std::vector<double> scales = numbers_of(parameters, "ANALOG", "SCALE");
    const std::vector<double> offsets = numbers_of(parameters, "ANALOG", "OFFSET");
    const double general = number_of(parameters, "ANALOG", "GEN_SCALE").value_or(1);
    const std::string format = text_of(parameters, "ANALOG", "FORMAT");
    Channels channels;
    channels.is_unsigned = equal_ignoring_case(format, "UNSIGNED");
    if (format.empty() && std::count(offsets.begin(), offsets.end(), -32768.0) > 0) {
        // The middle of unsigned words; as a signed number it would be the end of the range.
        channels.is_unsigned = true;
        tally.note("c3d-analog-format", 0, "ANALOG:FORMAT is missing; OFFSET -32768 tells UNSIGNED");
    }
    if (count > 0 && (scales.size() < count || offsets.size() < count)) {
        tally.note("c3d-analog-scale", 0,
                   "{} analog channels have {} scales and {} offsets: the last one stands in", count,
                   scales.size(), offsets.size());
    }
    channels.list.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        model::AnalogChannel& channel = channels.list[i];
        channel.label = text_at(labels, i);
        channel.description = text_at(descriptions, i);
        channel.unit = text_at(units, i);
        channel.scale = value_or_last(scales, i, 1) * general;
        channel.offset = value_or_last(offsets, i, 0);
        if (channels.is_unsigned && channel.offset < 0) channel.offset += 65536;
        if (channel.label.empty()) channel.label = fmt::format("*{}", i + 1);
        if (std::isfinite(channel.scale) && std::isfinite(channel.offset)) continue;
        tally.note("c3d-analog-scale", 0, "scale or offset of channel {} is no number: 1 and 0 stand in",
                   i + 1);
        channel.scale = 1;
        channel.offset = 0;
    }
    return channels;
}

std::vector<model::ForcePlatform> force_platforms(const Parameters& parameters, std::size_t channels,
                                                  Tally& tally) {
    std::vector<model::ForcePlatform> platforms;
    const std::vector<double> types = numbers_of(parameters, "FORCE_PLATFORM", "TYPE");
    const std::vector<double> corners = numbers_of(parameters, "FORCE_PLATFORM", "CORNERS");
    const std::vector<double> origins = numbers_of(parameters, "FORCE_PLATFORM", "ORIGIN");
    const std::vector<double> channel_list = numbers_of(parameters, "FORCE_PLATFORM", "CHANNEL");
    const std::vector<double> matrices = numbers_of(parameters, "FORCE_PLATFORM", "CAL_MATRIX");
    const std::vector<double> zeros = numbers_of(parameters, "FORCE_PLATFORM", "ZERO");
    const std::size_t stride = first_dimension(parameters, "CHANNEL", 6);
    const std::size_t matrix_side = first_dimension(parameters, "CAL_MATRIX", 6);
    const std::size_t used = count_of(parameters, "FORCE_PLATFORM", "USED").value_or(0);
    for (std::size_t p = 0; p < used; ++p) {
        model::ForcePlatform platform;
        const double type = p < types.size() ? types[p] : 0;
        platform.type = std::abs(type) < 1000 ? static_cast<int>(type) : 0;
        slice(corners, 12, p, 12, [&](std::size_t i, double value) {
            platform.corners[i / 3][static_cast<Eigen::Index>(i % 3)] = static_cast<float>(value);
        });
        slice(origins, 3, p, 3, [&](std::size_t i, double value) {
            platform.origin[static_cast<Eigen::Index>(i)] = static_cast<float>(value);
        });
        bool there = (p + 1) * 12 <= corners.size();
        slice(channel_list, stride, p, std::min(stride, channels_of_type(platform.type)),
              [&](std::size_t, double value) {
                  there = there && value >= 1 && value <= static_cast<double>(channels);
                  platform.channels.push_back(there ? static_cast<int>(value) - 1 : 0);
              });
        if (!there || platform.channels.size() < channels_of_type(platform.type)) {
            tally.note("c3d-platform", 0, "force platform {} lacks channels or corners: it is left out",
                       p + 1);
            if (p >= types.size() && p >= 255) break;  // a count without anything behind it
            continue;
        }
        if (platform.type == 4 && matrix_side == 6) {
            slice(matrices, 36, p, 36, [&](std::size_t, double value) {
                platform.calibration.push_back(static_cast<float>(value));
            });
        }
        if (platform.type < 1 || platform.type > 4) {
            tally.note("c3d-platform", 0, "force platform {} is of the unknown type {}", p + 1,
                       platform.type);
        }
        if (zeros.size() >= 2 && zeros[0] >= 1 && zeros[1] >= zeros[0] && zeros[1] < 65536) {
            platform.zero_frames = {static_cast<int>(zeros[0]), static_cast<int>(zeros[1])};
        }
        platforms.push_back(std::move(platform));
    }
    return platforms;
}

std::vector<std::string> rotation_labels(const Parameters& parameters) {
    std::vector<std::string> labels = texts_of(parameters, "ROTATION", "LABELS");
    const std::size_t stated = labels.size();
    labels.resize(count_of(parameters, "ROTATION", "USED").value_or(0));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i >= stated || labels[i].empty()) labels[i] = fmt::format("*{}", i + 1);
    }
    return labels;
}

}  // namespace sinew::io::c3d
