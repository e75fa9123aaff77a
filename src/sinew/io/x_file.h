#pragma once
/// \file
/// What a text .x file says, in its own axes: row vectors, left-handed.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sinew/io/text/warning_tally.h"
#include "sinew/io/scene/x_file.h"
#include "sinew/math/types.h"

namespace sinew::io::x {

using Matrix = std::array<double, 16>;  ///< as the file lists it

struct Material {
    std::string name;
    std::array<double, 4> color{1, 1, 1, 1};
    double power = 0;
    std::array<double, 3> emissive{};
    std::string texture;
};

/// Polygons: the corners of face f are corners[first[f] .. first[f + 1]).
struct Faces {
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> first{0};
    std::size_t size() const { return first.size() - 1; }
    std::size_t corner_count(std::size_t face) const { return first[face + 1] - first[face]; }
};

struct SkinWeights {
    std::string bone;
    std::vector<std::uint32_t> vertices;
    std::vector<float> weights;
    Matrix offset{};
    std::size_t place = 0;  ///< offset in the file, for messages
};

struct MeshObject {
    std::string name;
    int frame = -1;
    std::size_t place = 0;
    std::vector<math::Vec3f> positions;
    Faces faces;
    std::vector<math::Vec3f> normals;
    Faces normal_faces;
    std::vector<math::Vec2f> uvs;
    std::vector<math::Vec4f> colors;  ///< of vertices; as many as positions, or none
    std::vector<std::uint32_t> face_materials;
    std::vector<int> materials;  ///< into File::materials
    std::vector<SkinWeights> skin;
};

struct Frame {
    std::string name;
    int parent = -1;
    Matrix matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

/// Keys of one type: `width` numbers each.
struct AnimationKeys {
    int type = 0;  ///< 0 rotation, 1 scale, 2 position, 3 or 4 matrix
    std::size_t width = 0;
    std::vector<double> times;  ///< ticks
    std::vector<double> values;
};

struct Animation {
    std::string frame;
    std::vector<AnimationKeys> keys;
    std::size_t place = 0;
};

struct AnimationSet {
    std::string name;
    std::vector<Animation> animations;
};

struct File {
    std::vector<Frame> frames;
    std::vector<MeshObject> meshes;
    std::vector<Material> materials;
    std::vector<AnimationSet> sets;
    std::map<std::string, int> material_names;
    std::map<std::string, int> frame_numbers;  ///< the first of each name
    double ticks_per_second = 4800;
};

/// Parses everything behind the header. \throws Error with the line.
File parse(Text& text, Oddities& oddities);

/// One mesh behind `Mesh name {`.
MeshObject parse_mesh(Text& text, File& file, Oddities& oddities);
/// One material behind `Material name {`; its number.
int parse_material(Text& text, File& file, std::string name);
/// An object's header: `Type name {`; the brace is passed.
struct Header {
    std::string type;
    std::string name;
    std::size_t offset = 0;
};
Header parse_header(Text& text);
Matrix parse_matrix(Text& text);

/// Frames may not be nested deeper than this.
inline constexpr int max_depth = 500;

}  // namespace sinew::io::x
