// SPDX-License-Identifier: MIT
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/interchange.h"
#include "sinew/io/rig/rig_formats.h"

namespace sinew::io {
namespace {

/// A joint name may contain a comma or a quote.
std::string quoted(const std::string& name) {
    if (name.find_first_of(",;\t\"\r\n") == std::string::npos) return name;
    std::string result = "\"";
    for (const char c : name) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

/// The next field of a line, which is removed from it.
std::string next_field(std::string_view& line) {
    std::string field;
    line = trim(line);
    bool in_quotes = false;
    std::size_t i = 0;
    for (; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && in_quotes && i + 1 < line.size() && line[i + 1] == '"') {
            field += line[++i];
        } else if (c == '"') {
            in_quotes = !in_quotes;
        } else if (!in_quotes && (c == ',' || c == ';' || c == '\t')) {
            ++i;
            break;
        } else {
            field += c;
        }
    }
    line.remove_prefix(i);
    return std::string(trim(field));
}

struct Line {
    std::size_t vertex = 0;
    model::Influence influence;
};

Line parse_line(std::string_view text, const std::string& location, const model::Skeleton& skeleton,
                std::size_t vertex_count) {
    const std::string vertex = next_field(text), joint = next_field(text), weight = next_field(text);
    std::int64_t index = 0;
    double value = 0;
    if (!parse_exact(vertex, index)) fail(location, "\"{}\" is not a vertex number", vertex);
    if (index < 0 || static_cast<std::size_t>(index) >= vertex_count)
        fail(location, "vertex {} of a mesh with {} vertices", index, vertex_count);
    const int found = skeleton.find(joint);
    if (found < 0) fail(location, "the skeleton has no joint \"{}\"", joint);
    if (!parse_exact(weight, value) || !std::isfinite(value))
        fail(location, "\"{}\" is not a weight", weight);
    return {static_cast<std::size_t>(index), {static_cast<std::uint32_t>(found), static_cast<float>(value)}};
}

bool is_heading(std::string_view line) {
    double number = 0;
    return !parse_exact(next_field(line), number);
}

}  // namespace

std::string write_weights_csv(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                              Monitor&) {
    const model::Character& character = asset.character;
    if (!character.has_skin()) fail(path.string(), "there are no skin weights to write");
    std::string text = "vertex,joint,weight\n";
    for (std::size_t v = 0; v < character.skin.vertex_count(); ++v) {
        for (const model::Influence& influence : character.skin.of(v)) {
            const auto joint = static_cast<std::size_t>(character.skin.joints[influence.joint].joint);
            text +=
                fmt::format("{},{},{}\n", v, quoted(character.skeleton.joints[joint].name), influence.weight);
        }
    }
    return text;
}

model::Skin read_weights_csv(Bytes bytes, std::string_view location, const model::Skeleton& skeleton,
                             std::size_t vertex_count, Monitor& monitor) {
    std::string storage;
    TextCursor cursor(as_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, storage),
                      location);
    std::vector<std::vector<model::Influence>> rows(vertex_count);
    bool first = true;
    while (cursor.skip_space()) {
        const std::string here = cursor.location();
        const std::string_view line = cursor.rest_of_line();
        if (line.empty() || (first && is_heading(line))) {
            first = false;
            continue;
        }
        first = false;
        const Line parsed = parse_line(line, here, skeleton, vertex_count);
        rows[parsed.vertex].push_back(parsed.influence);
    }
    model::Skin skin;
    skin.joints = model::bind_at_rest(skeleton);
    for (const auto& row : rows) skin.push_vertex(row);
    model::warn_about(model::clean(skin), location, monitor);
    return skin;
}

}  // namespace sinew::io
