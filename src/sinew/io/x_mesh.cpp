#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/scene/x_file.h"

namespace sinew::io::x {
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

void texture_coordinates(Text& text, MeshObject& mesh, Oddities& oddities) {
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

/// `{ name }`: the brace was passed.
std::string reference(Text& text) {
    std::string name;
    while (!text.at(Token::Kind::close)) {
        const Token token = text.next();
        if (token.is(Token::Kind::end)) fail(text.place(token.offset), "a reference is not closed");
        if (token.is(Token::Kind::word) && name.empty()) name = token.text;
    }
    text.next();
    return name;
}

void material_list(Text& text, MeshObject& mesh, File& file, Oddities& oddities) {
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
    skin.place = text.peek().offset;
    skin.bone = text.string("the name of a bone");
    const std::size_t count = text.count("the number of weights");
    skin.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) skin.vertices.push_back(text.index("the vertex of a weight"));
    for (std::size_t i = 0; i < count; ++i) skin.weights.push_back(single(text.number("a weight")));
    skin.offset = parse_matrix(text);
    mesh.skin.push_back(std::move(skin));
}

/// An object inside a mesh; its brace was passed.
void mesh_child(Text& text, const Header& header, MeshObject& mesh, File& file, Oddities& oddities) {
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
    // XSkinMeshHeader and VertexDuplicationIndices say nothing that the rest does not; others are unknown.
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

MeshObject parse_mesh(Text& text, File& file, Oddities& oddities) {
    MeshObject mesh;
    mesh.place = text.peek().offset;
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

}  // namespace sinew::io::x
