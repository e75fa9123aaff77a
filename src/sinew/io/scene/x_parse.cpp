// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/scene/x_file.h"
#include "sinew/io/text/scan.h"

namespace sinew::io::x {
namespace {

bool separates(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == ';' || c == ',';
}

bool ends_word(char c) {
    return separates(c) || c == '{' || c == '}' || c == '"' || c == '<';
}

std::string found(const Token& token) {
    return token.is(Token::Kind::end) ? "the end of the file"
                                      : fmt::format("\"{}\"", token.text.substr(0, 40));
}

}  // namespace

void Text::skip_space() {
    while (position_ < text_.size()) {
        const std::string_view rest = text_.substr(position_);
        if (separates(rest[0])) {
            ++position_;
        } else if (rest[0] == '#' || rest.starts_with("//")) {
            position_ += std::min(rest.find_first_of("\r\n"), rest.size());
        } else {
            return;
        }
    }
}

Token Text::scan() {
    skip_space();
    const std::size_t start = position_;
    if (start == text_.size()) return {Token::Kind::end, {}, start};
    const char c = text_[start];
    if (c == '{' || c == '}') {
        ++position_;
        return {c == '{' ? Token::Kind::open : Token::Kind::close, text_.substr(start, 1), start};
    }
    if (c == '"' || c == '<') {
        const std::size_t end = text_.find(c == '"' ? '"' : '>', start + 1);
        if (end == std::string_view::npos)
            fail(location(start), "{} is not closed", c == '"' ? "a string" : "\"<\"");
        position_ = end + 1;
        return {c == '"' ? Token::Kind::string : Token::Kind::guid, text_.substr(start + 1, end - start - 1),
                start};
    }
    while (position_ < text_.size() && !ends_word(text_[position_])) ++position_;
    return {Token::Kind::word, text_.substr(start, position_ - start), start};
}

const Token& Text::peek() {
    if (!has_ahead_) ahead_ = scan();
    has_ahead_ = true;
    return ahead_;
}

Token Text::next() {
    const Token token = peek();
    has_ahead_ = false;
    return token;
}

double Text::number(std::string_view what) {
    const Token token = next();
    double value = 0;
    if (token.is(Token::Kind::word)) {
        if (parse_exact(token.text, value)) return value;
        // Texts of old C libraries for NaN and infinity.
        if (token.text.find("#IND") != std::string_view::npos ||
            token.text.find("#QNAN") != std::string_view::npos ||
            token.text.find("#INF") != std::string_view::npos)
            return std::nan("");
    }
    fail(location(token.offset), "expected {}, found {}", what, found(token));
}

double Text::finite(std::string_view what) {
    const std::size_t offset = peek().offset;
    const double value = number(what);
    if (!std::isfinite(value)) fail(location(offset), "{} is not a finite number", what);
    return value;
}

std::uint32_t Text::index(std::string_view what) {
    const std::size_t offset = peek().offset;
    const double value = number(what);
    if (!(value >= 0 && value <= 2147483647.0) || value != std::floor(value)) {
        fail(location(offset), "{} must be a whole number from 0, not {}", what, value);
    }
    return static_cast<std::uint32_t>(value);
}

std::size_t Text::count(std::string_view what) {
    const std::size_t offset = peek().offset;
    const std::size_t value = index(what);
    if (value > (text_.size() - position_) / 2 + 1) {
        fail(location(offset), "{} is {}, but only {} bytes follow", what, value, text_.size() - position_);
    }
    return value;
}

std::string Text::string(std::string_view what) {
    const Token token = next();
    if (!token.is(Token::Kind::string) && !token.is(Token::Kind::word)) {
        fail(location(token.offset), "expected {}, found {}", what, found(token));
    }
    return std::string(token.text);
}

void Text::skip_object() {
    const std::size_t start = peek().offset;
    for (std::size_t depth = 1; depth > 0;) {
        const Token token = next();
        if (token.is(Token::Kind::end)) fail(location(start), "a closing brace is missing");
        if (token.is(Token::Kind::open)) ++depth;
        if (token.is(Token::Kind::close)) --depth;
    }
}

std::string Text::location(std::size_t offset) const {
    return location_at(text_, offset, name_);
}

namespace {

using math::Vec2f;
using math::Vec3f;
using math::Vec4f;

float single(double value) {
    return static_cast<float>(value);
}

std::vector<Vec3f> vectors(Text& text, std::string_view count_name, std::string_view what, bool finite) {
    std::vector<Vec3f> list;
    const std::size_t count = text.count(count_name);
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<float, 3> v{};
        for (float& x : v) x = single(finite ? text.finite(what) : text.number(what));
        list.emplace_back(v[0], v[1], v[2]);
    }
    return list;
}

Faces faces(Text& text, std::string_view count_name) {
    Faces list;
    const std::size_t count = text.count(count_name);
    for (std::size_t f = 0; f < count; ++f) {
        const std::size_t corners = text.count("the number of corners of a face");
        for (std::size_t c = 0; c < corners; ++c) list.corners.push_back(text.index("a corner of a face"));
        list.first.push_back(static_cast<std::uint32_t>(list.corners.size()));
    }
    return list;
}

void texture_coordinates(Text& text, MeshObject& mesh, WarningTally& oddities) {
    const std::size_t offset = text.peek().offset;
    const std::size_t count = text.count("the number of texture coordinates");
    for (std::size_t i = 0; i < count; ++i) {
        const double u = text.finite("a texture coordinate"), v = text.finite("a texture coordinate");
        mesh.uvs.emplace_back(single(u), single(v));
    }
    if (count == mesh.positions.size()) return;
    oddities.add("x-texture-coordinates", offset, [&] {
        return fmt::format("{} texture coordinates for {} vertices: left out", count, mesh.positions.size());
    });
    mesh.uvs.clear();
}

void vertex_colors(Text& text, MeshObject& mesh) {
    const std::size_t count = text.count("the number of vertex colours");
    mesh.colors.assign(mesh.positions.size(), Vec4f::Ones());
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t vertex = text.index("the vertex of a colour");
        Vec4f color;
        for (float& c : color) c = single(text.finite("a vertex colour"));
        for (int k = 0; k < 3; ++k) color[k] = linear_from_srgb(std::clamp(color[k], 0.0f, 1.0f));
        color[3] = std::clamp(color[3], 0.0f, 1.0f);
        if (vertex < mesh.colors.size()) mesh.colors[vertex] = color;
    }
}

/// `{ name }`, after the opening brace.
std::string reference(Text& text) {
    std::string name;
    while (!text.at(Token::Kind::close)) {
        const Token token = text.next();
        if (token.is(Token::Kind::end)) fail(text.location(token.offset), "a reference is not closed");
        if (token.is(Token::Kind::word) && name.empty()) name = token.text;
    }
    text.next();
    return name;
}

void material_list(Text& text, MeshObject& mesh, File& file, WarningTally& oddities) {
    text.count("the number of materials");
    const std::size_t count = text.count("the number of material indices");
    for (std::size_t i = 0; i < count; ++i)
        mesh.face_materials.push_back(text.index("the material of a face"));
    while (!text.at(Token::Kind::close)) {
        if (text.at(Token::Kind::open)) {
            const std::size_t offset = text.next().offset;
            const std::string name = reference(text);
            const auto found = file.material_names.find(name);
            if (found == file.material_names.end()) {
                oddities.add("x-reference", offset,
                             [&] { return fmt::format("there is no material \"{}\"", name); });
            }
            mesh.materials.push_back(found == file.material_names.end() ? -1 : found->second);
            continue;
        }
        Header header = parse_header(text);
        if (header.type == "Material") {
            mesh.materials.push_back(parse_material(text, file, std::move(header.name)));
        } else {
            text.skip_object();
        }
    }
    text.next();
}

void skin_weights(Text& text, MeshObject& mesh) {
    SkinWeights skin;
    skin.location = text.peek().offset;
    skin.bone = text.string("the name of a bone");
    const std::size_t count = text.count("the number of weights");
    skin.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) skin.vertices.push_back(text.index("the vertex of a weight"));
    for (std::size_t i = 0; i < count; ++i) skin.weights.push_back(single(text.number("a weight")));
    skin.offset = parse_matrix(text);
    mesh.skin.push_back(std::move(skin));
}

/// An object inside a mesh, after its opening brace.
void mesh_child(Text& text, const Header& header, MeshObject& mesh, File& file, WarningTally& oddities) {
    if (header.type == "MeshNormals") {
        mesh.normals = vectors(text, "the number of normals", "a normal", false);
        mesh.normal_faces = faces(text, "the number of faces with normals");
    } else if (header.type == "MeshTextureCoords") {
        texture_coordinates(text, mesh, oddities);
    } else if (header.type == "MeshVertexColors") {
        vertex_colors(text, mesh);
    } else if (header.type == "MeshMaterialList") {
        material_list(text, mesh, file, oddities);
        return;
    } else if (header.type == "SkinWeights") {
        skin_weights(text, mesh);
    }
    // XSkinMeshHeader and VertexDuplicationIndices are redundant; others are unknown.
    text.skip_object();
}

}  // namespace

Matrix parse_matrix(Text& text) {
    Matrix matrix{};
    for (double& x : matrix) x = text.finite("a number of a matrix");
    return matrix;
}

int parse_material(Text& text, File& file, std::string name) {
    Material material;
    material.name = std::move(name);
    for (double& c : material.color) c = text.finite("a colour");
    material.power = text.finite("the power of a material");
    for (int i = 0; i < 3; ++i) text.finite("a specular colour");
    for (double& c : material.emissive) c = text.finite("an emissive colour");
    while (!text.at(Token::Kind::close)) {
        if (text.at(Token::Kind::open)) {
            text.next();
            text.skip_object();
            continue;
        }
        const Header header = parse_header(text);
        if (equal_ignoring_case(header.type, "TextureFilename"))
            material.texture = text.string("a file name");
        text.skip_object();
    }
    text.next();
    const int number = static_cast<int>(file.materials.size());
    if (!material.name.empty()) file.material_names.emplace(material.name, number);
    file.materials.push_back(std::move(material));
    return number;
}

MeshObject parse_mesh(Text& text, File& file, WarningTally& oddities) {
    MeshObject mesh;
    mesh.location = text.peek().offset;
    mesh.positions = vectors(text, "the number of vertices", "a coordinate", true);
    mesh.faces = faces(text, "the number of faces");
    while (!text.at(Token::Kind::close)) {
        if (text.at(Token::Kind::open)) {
            text.next();
            text.skip_object();
            continue;
        }
        const Header header = parse_header(text);
        mesh_child(text, header, mesh, file, oddities);
    }
    text.next();
    return mesh;
}

namespace {

/// Count of numbers in a key of each type.
constexpr std::size_t widths[] = {4, 3, 3, 16, 16};

class Parser {
  public:
    Parser(Text& text, WarningTally& oddities) : text_(text), oddities_(oddities) {}

    File run() {
        while (!text_.at(Token::Kind::end)) {
            if (text_.at(Token::Kind::open) || text_.at(Token::Kind::close)) {
                fail(text_.location(), "expected an object, found \"{}\"", text_.peek().text);
            }
            if (text_.peek().text == "template") {
                parse_header(text_);
                text_.skip_object();
            } else {
                object(-1, 0);
            }
        }
        set_references();
        return std::move(file_);
    }

  private:
    /// A reference by name to a mesh, inside a frame.
    struct Reference {
        std::string name;
        int frame;
        std::size_t offset;
    };

    /// An object of a frame, or of the file if `frame` is -1.
    void object(int frame, int depth) {
        Header header = parse_header(text_);
        if (header.type == "Frame") {
            parse_frame(std::move(header), frame, depth);
        } else if (header.type == "FrameTransformMatrix" && frame >= 0) {
            file_.frames[static_cast<std::size_t>(frame)].matrix = parse_matrix(text_);
            text_.skip_object();
        } else if (header.type == "Mesh") {
            file_.meshes.push_back(parse_mesh(text_, file_, oddities_));
            file_.meshes.back().name = std::move(header.name);
            file_.meshes.back().frame = frame;
        } else if (header.type == "Material") {
            parse_material(text_, file_, std::move(header.name));
        } else if (header.type == "AnimTicksPerSecond") {
            const double ticks = text_.finite("the ticks per second");
            if (!(ticks > 0)) fail(text_.location(header.offset), "{} ticks per second is not a rate", ticks);
            file_.ticks_per_second = ticks;
            text_.skip_object();
        } else if (header.type == "AnimationSet") {
            parse_set(std::move(header.name));
        } else {
            text_.skip_object();
        }
    }

    void parse_frame(Header header, int parent, int depth) {
        if (depth > max_depth)
            fail(text_.location(header.offset), "frames are nested deeper than {}", max_depth);
        const int frame = static_cast<int>(file_.frames.size());
        if (!header.name.empty() && !file_.frame_numbers.emplace(header.name, frame).second) {
            oddities_.add("x-duplicate-frame", header.offset, [&] {
                return fmt::format("the frame \"{}\" is defined twice: its name means the first",
                                   header.name);
            });
        }
        file_.frames.emplace_back();
        file_.frames.back().name = std::move(header.name);
        file_.frames.back().parent = parent;
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                const std::size_t offset = text_.next().offset;
                references_.push_back({std::string(text_.peek().text), frame, offset});
                text_.skip_object();
            } else {
                object(frame, depth + 1);
            }
        }
        text_.next();
    }

    void parse_set(std::string name) {
        file_.sets.emplace_back();
        file_.sets.back().name = std::move(name);
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                text_.next();
                text_.skip_object();
                continue;
            }
            const Header header = parse_header(text_);
            if (header.type == "Animation") {
                parse_animation(header.offset);
            } else {
                text_.skip_object();
            }
        }
        text_.next();
    }

    void parse_animation(std::size_t location) {
        Animation animation;
        animation.location = location;
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                text_.next();
                if (text_.at(Token::Kind::word)) animation.frame = text_.peek().text;
                text_.skip_object();
                continue;
            }
            const Header header = parse_header(text_);
            if (header.type == "AnimationKey") parse_keys(animation);
            text_.skip_object();
        }
        text_.next();
        file_.sets.back().animations.push_back(std::move(animation));
    }

    void parse_keys(Animation& animation) {
        const std::size_t offset = text_.peek().offset;
        AnimationKeys keys;
        const std::uint32_t type = text_.index("the type of animation keys");
        if (type >= std::size(widths)) {
            oddities_.add("x-keys", offset, [&] {
                return fmt::format("animation keys of type {} are unknown: left out", type);
            });
            return;
        }
        keys.type = static_cast<int>(type);
        keys.width = widths[type];
        const std::size_t count = text_.count("the number of keys");
        std::size_t odd = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const double time = text_.finite("the time of a key");
            const std::size_t width = text_.count("the number of values of a key");
            if (width == keys.width) keys.times.push_back(time);
            for (std::size_t i = 0; i < width; ++i) {
                const double value = text_.finite("a value of a key");
                if (width == keys.width) keys.values.push_back(value);
            }
            odd += width != keys.width ? 1 : 0;
        }
        if (odd > 0) {
            oddities_.add("x-keys", offset, [&] {
                return fmt::format("{} keys of type {} have not {} values: left out", odd, type, keys.width);
            });
        }
        animation.keys.push_back(std::move(keys));
    }

    /// Meshes outside of frames that frames refer to.
    void set_references() {
        std::map<std::string, std::size_t> named;
        for (std::size_t m = 0; m < file_.meshes.size(); ++m) {
            if (!file_.meshes[m].name.empty() && file_.meshes[m].frame < 0)
                named.emplace(file_.meshes[m].name, m);
        }
        for (const Reference& reference : references_) {
            const auto found = named.find(reference.name);
            if (found == named.end() || file_.meshes[found->second].frame >= 0) {
                oddities_.add("x-reference", reference.offset, [&] {
                    return fmt::format(
                        "\"{}\" refers to a mesh that does not exist or is used already: left out",
                        reference.name);
                });
            } else {
                file_.meshes[found->second].frame = reference.frame;
            }
        }
    }

    Text& text_;
    WarningTally& oddities_;
    File file_;
    std::vector<Reference> references_;
};

}  // namespace

Header parse_header(Text& text) {
    const Token type = text.next();
    if (!type.is(Token::Kind::word)) {
        fail(text.location(type.offset), "expected an object, found {}",
             type.is(Token::Kind::end) ? "the end of the file"
                                       : fmt::format("\"{}\"", type.text.substr(0, 40)));
    }
    Header header{std::string(type.text), {}, type.offset};
    // Names with blanks consist of several words; a class number may be between name and brace.
    while (!text.at(Token::Kind::open)) {
        const Token token = text.next();
        if (token.is(Token::Kind::guid)) continue;
        if (!token.is(Token::Kind::word) && !token.is(Token::Kind::string)) {
            fail(text.location(token.offset), "expected \"{{\" after {}, found {}", header.type,
                 token.is(Token::Kind::end) ? "the end of the file"
                                            : fmt::format("\"{}\"", token.text.substr(0, 40)));
        }
        if (header.name.size() < 1000)
            header.name += (header.name.empty() ? "" : " ") + std::string(token.text);
    }
    text.next();
    return header;
}

File parse(Text& text, WarningTally& oddities) {
    return Parser(text, oddities).run();
}

}  // namespace sinew::io::x
