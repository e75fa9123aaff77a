#include <algorithm>
#include <cmath>

#include "sinew/io/mesh/mesh_file.h"
#include "sinew/io/x_convert.h"

namespace sinew::io::x {
namespace {

using geometry::Triangle;
using math::Vec3f;

/// Sign of entry i of a matrix between S and S.
double mirror_sign(int i) {
    return (i / 4 == 2) != (i % 4 == 2) ? -1 : 1;
}

Vec3f mirrored(const Vec3f& v) {
    return {v.x(), v.y(), -v.z()};
}

/// Normals are usable when their faces have the corners of the mesh's faces.
bool normals_fit(const MeshObject& object) {
    return object.normal_faces.first == object.faces.first &&
           std::all_of(object.normal_faces.corners.begin(), object.normal_faces.corners.end(),
                       [&](std::uint32_t n) { return n < object.normals.size(); });
}

/// The material of each face, as a number of the file, or -1.
std::vector<int> face_materials(const MeshObject& object, Oddities& oddities) {
    std::vector<int> result(object.faces.size(), -1);
    const std::vector<std::uint32_t>& given = object.face_materials;
    if (given.empty() && object.materials.empty()) return result;
    bool odd = given.size() != 1 && given.size() != result.size();
    for (std::size_t f = 0; f < result.size(); ++f) {
        // One index is for all faces; a list that is too short goes on with its last.
        const std::uint32_t index = given.empty() ? 0 : given[std::min(f, given.size() - 1)];
        odd = odd || index >= object.materials.size();
        if (index < object.materials.size()) result[f] = object.materials[index];
    }
    if (odd && !result.empty()) {
        oddities.add("x-materials", object.place, [&] {
            return fmt::format("mesh \"{}\": {} material indices into {} materials for {} faces", object.name,
                               given.size(), object.materials.size(), result.size());
        });
    }
    return result;
}

class MeshConverter {
  public:
    MeshConverter(const MeshObject& object, Oddities& oddities)
        : object_(object), oddities_(oddities), corners_(object.positions.size(), {}) {}

    geometry::Mesh run() {
        has_normals_ = !object_.normals.empty() && normals_fit(object_);
        if (!object_.normals.empty() && !has_normals_) {
            oddities_.add("x-normals", object_.place, [&] {
                return fmt::format("mesh \"{}\": the faces of the normals do not fit: computed anew",
                                   object_.name);
            });
        }
        for (const Vec3f& p : object_.positions) mesh_.positions.push_back(mirrored(p));
        add_faces();
        fill_vertices();
        return std::move(mesh_);
    }

    std::vector<std::uint32_t> take_sources() { return corners_.take_sources(); }

  private:
    /// Faces grouped by material, each in the order of the file.
    void add_faces() {
        const std::vector<int> materials = face_materials(object_, oddities_);
        std::vector<std::size_t> order(object_.faces.size());
        for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return materials[a] < materials[b]; });
        std::size_t bad = 0;
        for (const std::size_t face : order) {
            const std::size_t before = mesh_.triangles.size();
            if (!add_face(face)) ++bad;
            const auto added = static_cast<std::uint32_t>(mesh_.triangles.size() - before);
            if (added == 0) continue;
            if (mesh_.parts.empty() || mesh_.parts.back().material != materials[face]) {
                mesh_.parts.push_back({object_.name, static_cast<std::uint32_t>(before), 0, materials[face]});
            }
            mesh_.parts.back().count += added;
        }
        if (bad > 0) {
            oddities_.add("x-bad-faces", object_.place, [&] {
                return fmt::format(
                    "mesh \"{}\": {} faces have fewer than three corners or corners out of range: "
                    "dropped",
                    object_.name, bad);
            });
        }
    }

    bool add_face(std::size_t face) {
        const std::size_t first = object_.faces.first[face], count = object_.faces.corner_count(face);
        const std::uint32_t* const ids = object_.faces.corners.data() + first;
        if (count < 3 ||
            std::any_of(ids, ids + count, [&](std::uint32_t c) { return c >= mesh_.positions.size(); }))
            return false;
        polygon_.clear();
        cut_.clear();
        // Mirroring turns a face round: its corners are taken backwards, from the same first one.
        for (std::size_t c = 0; c < count; ++c) polygon_.push_back(mesh_.positions[ids[(count - c) % count]]);
        triangulate(polygon_, cut_);
        for (const Triangle& t : cut_) {
            Triangle triangle{};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t corner = (count - t[i]) % count;
                const std::int32_t normal =
                    has_normals_ ? static_cast<std::int32_t>(object_.normal_faces.corners[first + corner])
                                 : CornerTable::none;
                triangle[i] = corners_.vertex(ids[corner], CornerTable::none, normal);
            }
            mesh_.triangles.push_back(triangle);
        }
        return true;
    }

    void fill_vertices() {
        const auto extended = [&](auto values) {
            for (const std::uint32_t source : corners_.sources()) values.push_back(values[source]);
            return values;
        };
        mesh_.positions = extended(std::move(mesh_.positions));
        if (!object_.uvs.empty()) mesh_.uvs[0] = extended(object_.uvs);
        if (!object_.colors.empty()) mesh_.colors = extended(object_.colors);
        if (!has_normals_) return;
        std::vector<Vec3f> computed;
        for (std::size_t v = 0; v < corners_.vertex_count(); ++v) {
            const std::int32_t n = corners_.normal(v);
            const Vec3f given =
                n < 0 ? Vec3f(Vec3f::Zero()) : mirrored(object_.normals[static_cast<std::size_t>(n)]);
            const double length = given.cast<double>().norm();
            if (length > 0 && std::isfinite(length)) {
                mesh_.normals.push_back((given.cast<double>() / length).cast<float>());
                continue;
            }
            // A vertex that no face uses has none, and broken programs write zeros.
            if (computed.empty()) computed = geometry::vertex_normals(mesh_.positions, mesh_.triangles);
            mesh_.normals.push_back(computed[v]);
        }
    }

    const MeshObject& object_;
    Oddities& oddities_;
    CornerTable corners_;
    geometry::Mesh mesh_;
    bool has_normals_ = false;
    std::vector<Vec3f> polygon_;
    std::vector<Triangle> cut_;
};

void convert_skin(const MeshObject& object, const std::vector<std::uint32_t>& sources, const File& file,
                  SceneMesh& mesh, Oddities& oddities) {
    const std::size_t positions = object.positions.size();
    std::vector<std::vector<std::uint32_t>> copies(sources.empty() ? 0 : positions);
    for (std::size_t i = 0; i < sources.size(); ++i)
        copies[sources[i]].push_back(static_cast<std::uint32_t>(positions + i));
    for (const SkinWeights& weights : object.skin) {
        SceneBone bone;
        bone.node = file.frame_numbers.at(weights.bone);
        bone.inverse_bind = to_matrix(weights.offset);
        std::size_t bad = 0;
        for (std::size_t i = 0; i < weights.vertices.size(); ++i) {
            const std::uint32_t v = weights.vertices[i];
            bad += v >= positions ? 1 : 0;
            if (v >= positions) continue;
            bone.weights.push_back({v, weights.weights[i]});
            if (copies.empty()) continue;
            for (const std::uint32_t copy : copies[v]) bone.weights.push_back({copy, weights.weights[i]});
        }
        if (bad > 0) {
            oddities.add("x-weights", weights.place, [&] {
                return fmt::format("bone \"{}\" has {} weights for vertices that are not there", weights.bone,
                                   bad);
            });
        }
        mesh.bones.push_back(std::move(bone));
    }
}

}  // namespace

math::Mat4d to_matrix(const Matrix& matrix) {
    math::Mat4d m;
    for (int i = 0; i < 16; ++i) m(i % 4, i / 4) = mirror_sign(i) * matrix[static_cast<std::size_t>(i)];
    m.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
    return m;
}

Matrix from_matrix(const math::Mat4d& matrix) {
    Matrix m{};
    for (int i = 0; i < 16; ++i) m[static_cast<std::size_t>(i)] = mirror_sign(i) * matrix(i % 4, i / 4);
    return m;
}

SceneMesh convert_mesh(const MeshObject& object, const File& file, Oddities& oddities) {
    SceneMesh mesh;
    mesh.node = object.frame;
    MeshConverter converter(object, oddities);
    mesh.mesh = converter.run();
    convert_skin(object, converter.take_sources(), file, mesh, oddities);
    return mesh;
}

}  // namespace sinew::io::x
