// SPDX-License-Identifier: MIT
#include "sinew/io/mesh/mtl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/interchange.h"

namespace sinew::io {
namespace {

using geometry::AlphaMode;
using geometry::Image;
using geometry::Material;
using geometry::Mesh;
using geometry::Texture;
using geometry::Wrap;

namespace fs = std::filesystem;

class MtlReader {
  public:
    MtlReader(std::string_view text, const fs::path& path, const Companions& companions, Mesh& mesh,
              Monitor& monitor)
        : cursor_(text, path.string()),
          companions_(companions),
          name_(path.string()),
          folder_(path.parent_path()),
          mesh_(mesh),
          monitor_(monitor) {}

    void run() {
        while (cursor_.skip_space()) {
            const std::string_view word = cursor_.word_on_line();
            statement(word, cursor_.rest_of_line());
        }
        if (bad_numbers_ > 0) {
            warn(monitor_, "mtl-number", "{}; {} such statements were left out", first_bad_, bad_numbers_);
        }
    }

  private:
    void statement(std::string_view word, std::string_view rest) {
        if (word == "newmtl") {
            mesh_.materials.emplace_back().name = rest;
            inside_ = true;
            return;
        }
        if (!inside_) return;
        Material& material = mesh_.materials.back();
        if (word == "Kd") {
            material.base_color.head<3>() = color(rest, material.base_color.head<3>());
        } else if (word == "Ke") {
            material.emissive = color(rest, material.emissive);
        } else if (word == "d") {
            set_alpha(material, number(rest, 1));
        } else if (word == "Tr") {
            set_alpha(material, 1 - number(rest, 0));
        } else if (word == "Pr") {
            material.roughness = std::clamp(number(rest, material.roughness), 0.0f, 1.0f);
        } else if (word == "Pm") {
            material.metallic = std::clamp(number(rest, material.metallic), 0.0f, 1.0f);
        } else if (word == "map_Kd") {
            material.base_color_texture = texture(rest);
        } else if (word == "map_Ke") {
            material.emissive_texture = texture(rest);
        } else if (word == "norm") {
            material.normal_texture = texture(rest);
        }
    }

    void set_alpha(Material& material, float alpha) {
        material.base_color[3] = std::clamp(alpha, 0.0f, 1.0f);
        material.alpha_mode = material.base_color[3] < 1 ? AlphaMode::blend : AlphaMode::opaque;
    }

    float number(std::string_view text, float fallback) {
        double value = 0;
        std::string_view word = text.substr(0, text.find_first_of(" \t"));
        if (parse_exact(word, value) && std::isfinite(value)) return static_cast<float>(value);
        bad_number("a number", text);
        return fallback;
    }

    /// "r g b", or "r" for grey.
    math::Vec3f color(std::string_view text, const math::Vec3f& fallback) {
        math::Vec3f result = math::Vec3f::Zero();
        int count = 0;
        for (std::string_view rest = text; count < 3; ++count) {
            rest = trim(rest);
            const std::optional<double> value = parse_number(rest);
            if (!value || !std::isfinite(*value)) break;
            result[count] = std::clamp(static_cast<float>(*value), 0.0f, 1.0f);
        }
        if (count == 3) return result;
        if (count == 1) return math::Vec3f::Constant(result[0]);
        bad_number("a colour", text);
        return fallback;
    }

    void bad_number(std::string_view what, std::string_view found) {
        if (bad_numbers_++ > 0) return;
        first_bad_ =
            fmt::format("{}: expected {}, found \"{}\"", cursor_.location(), what, found.substr(0, 40));
    }

    Texture texture(std::string_view text) {
        Texture result;
        const std::string_view file = skip_options(text, result);
        result.image = image(file);
        return result.used() ? result : Texture();
    }

    /// Options such as "-s 1 1 1 -clamp on" precede the file name, which may contain spaces.
    std::string_view skip_options(std::string_view text, Texture& result) {
        static const std::map<std::string_view, int> arguments = {
            {"-blendu", 1}, {"-blendv", 1},  {"-boost", 1}, {"-cc", 1},     {"-bm", 1},
            {"-clamp", 1},  {"-imfchan", 1}, {"-mm", 2},    {"-texres", 1}, {"-type", 1},
            {"-o", 3},      {"-s", 3},       {"-t", 3}};
        const auto next = [&](std::string_view rest) { return rest.substr(0, rest.find_first_of(" \t")); };
        while (text.starts_with('-')) {
            const std::string_view option = next(text);
            const auto known = arguments.find(option);
            if (known == arguments.end()) break;
            text = trim(text.substr(option.size()));
            for (int i = 0; i < known->second; ++i) {
                const std::string_view word = next(text);
                double ignored = 0;
                if (known->second == 3 && !parse_exact(word, ignored)) break;  // o, s and t have one to three
                if (option == "-clamp" && word == "on") result.wrap_u = result.wrap_v = Wrap::clamp;
                text = trim(text.substr(word.size()));
            }
        }
        return text;
    }

    int image(std::string_view name) {
        const auto [known, added] = images_.try_emplace(std::string(name), -1);
        if (!added) return known->second;
        return known->second = load_picture(mesh_, companions_, folder_, name, name_, monitor_);
    }

    TextCursor cursor_;
    const Companions& companions_;
    std::string name_;
    fs::path folder_;
    Mesh& mesh_;
    Monitor& monitor_;
    std::map<std::string, int> images_;
    std::size_t bad_numbers_ = 0;
    std::string first_bad_;
    bool inside_ = false;
};

void load_library(Mesh& mesh, const Companions& companions, std::string_view name, const fs::path& obj,
                  Monitor& monitor) {
    const fs::path file = find_companion(companions, obj.parent_path(), name, obj.string(), monitor);
    if (file.empty()) {
        warn(monitor, "missing-material-file", "{}: material file \"{}\" not found", obj.string(), name);
        return;
    }
    const FileView view(file);
    std::string converted;
    read_mtl(as_utf8(view.text(), converted), file, companions, mesh, monitor);
}

}  // namespace

std::string_view picture_type(Bytes bytes) {
    const std::string_view text = as_text(bytes);
    if (text.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
    return text.starts_with("\xFF\xD8\xFF") ? "image/jpeg" : "";
}

int load_picture(Mesh& mesh, const Companions& companions, const fs::path& folder, std::string_view name,
                 std::string_view location, Monitor& monitor) {
    const fs::path file = find_companion(companions, folder, name, location, monitor);
    if (file.empty()) {
        warn(monitor, "missing-picture", "{}: picture \"{}\" not found", location, name);
        return -1;
    }
    const FileView view(file);
    const std::string_view type = picture_type(view.bytes());
    if (type.empty()) {
        warn(monitor, "unknown-picture", "{}: \"{}\" is neither PNG nor JPEG and was left out", location,
             name);
        return -1;
    }
    mesh.images.push_back(
        {file.stem().string(), std::string(type), {view.bytes().begin(), view.bytes().end()}});
    return static_cast<int>(mesh.images.size()) - 1;
}

void read_mtl(std::string_view text, const fs::path& path, const Companions& companions, Mesh& mesh,
              Monitor& monitor) {
    MtlReader(text, path, companions, mesh, monitor).run();
}

void load_obj_materials(Mesh& mesh, std::span<const std::string_view> libraries,
                        std::span<const std::string> used, const fs::path& obj, const ReadOptions& options,
                        Monitor& monitor) {
    const Companions companions = companions_of(obj, options);
    for (const std::string_view statement : libraries) {
        // The whole text is one name with spaces if such a file exists; otherwise it is a list of names.
        if (!find_companion(companions, obj.parent_path(), statement, obj.string(), silent()).empty() ||
            statement.find(' ') == std::string_view::npos) {
            load_library(mesh, companions, statement, obj, monitor);
            continue;
        }
        TextCursor words(statement, obj.string());
        while (words.skip_space()) load_library(mesh, companions, words.word(), obj, monitor);
    }
    std::map<std::string_view, int> known;
    for (std::size_t i = 0; i < mesh.materials.size(); ++i)
        known.emplace(mesh.materials[i].name, static_cast<int>(i));
    std::vector<int> numbers;
    std::vector<std::string> undefined;
    for (const std::string& name : used) {
        const auto found = known.find(name);
        numbers.push_back(found != known.end() ? found->second
                                               : static_cast<int>(mesh.materials.size() + undefined.size()));
        if (found == known.end()) undefined.push_back(name);
    }
    for (const std::string& name : undefined) mesh.materials.emplace_back().name = name;
    if (!undefined.empty()) {
        const std::string count =
            undefined.size() == 1 ? "one material is" : fmt::format("{} materials are", undefined.size());
        warn(monitor, "missing-material", "{}: {} not defined and became {}: {}", obj.string(), count,
             mesh.colors.empty() ? "plain white" : "white under the colours of the vertices",
             fmt::join(undefined.begin(),
                       undefined.begin() + std::min<std::ptrdiff_t>(8, std::ssize(undefined)), ", "));
    }
    for (geometry::Part& part : mesh.parts) {
        if (part.material >= 0) part.material = numbers[static_cast<std::size_t>(part.material)];
    }
}

std::string write_mtl(const Mesh& mesh, std::span<const std::string> names,
                      std::span<const std::string> pictures) {
    std::string text = "# sinew\n";
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < mesh.materials.size(); ++i) {
        const Material& m = mesh.materials[i];
        const auto map = [&](std::string_view word, const Texture& texture) {
            if (!texture.used()) return;
            const bool clamp = texture.wrap_u == Wrap::clamp && texture.wrap_v == Wrap::clamp;
            fmt::format_to(out, "{} {}{}\n", word, clamp ? "-clamp on " : "",
                           pictures[static_cast<std::size_t>(texture.image)]);
        };
        fmt::format_to(out, "\nnewmtl {}\n", names[i]);
        fmt::format_to(out, "Kd {} {} {}\n", m.base_color[0], m.base_color[1], m.base_color[2]);
        fmt::format_to(out, "Ke {} {} {}\n", m.emissive[0], m.emissive[1], m.emissive[2]);
        fmt::format_to(out, "d {}\nPr {}\nPm {}\n", m.base_color[3], m.roughness, m.metallic);
        map("map_Kd", m.base_color_texture);
        map("map_Ke", m.emissive_texture);
        map("norm", m.normal_texture);
    }
    return text;
}

}  // namespace sinew::io
