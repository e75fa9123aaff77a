#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/reference.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Vec3;

namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> result;
    result.reserve(values.size());
    for (const From& value : values) result.push_back(value.template cast<typename To::Scalar>());
    return result;
}

template <class T>
void add_deltas(std::vector<Vec3<T>>& values, const std::vector<math::Vec3f>& deltas, std::size_t first,
                T weight) {
    for (std::size_t i = 0; i < deltas.size(); ++i) values[first + i] += weight * deltas[i].cast<T>();
}

}  // namespace

template <class T>
RestShape<T> rest_shape(const Mesh& mesh) {
    return {converted<Vec3<T>>(mesh.positions), converted<Vec3<T>>(mesh.normals),
            converted<math::Vec4<T>>(mesh.tangents)};
}

template <class T>
RestShape<T> morphed(const Mesh& mesh, std::span<const float> weights) {
    if (weights.size() != mesh.morphs.size()) {
        fail("deform", "{} morph weights for {} morphs", weights.size(), mesh.morphs.size());
    }
    RestShape<T> shape = rest_shape<T>(mesh);
    bool turned = false;
    for (std::size_t m = 0; m < weights.size(); ++m) {
        const geometry::Morph& morph = mesh.morphs[m];
        const std::size_t end = morph.first + std::max(morph.positions.size(), morph.normals.size());
        if (end > mesh.vertex_count()) fail("deform", "morph \"{}\" goes beyond the mesh", morph.name);
        if (weights[m] == 0) continue;
        add_deltas(shape.positions, morph.positions, morph.first, static_cast<T>(weights[m]));
        if (shape.normals.empty() || morph.normals.empty()) continue;
        add_deltas(shape.normals, morph.normals, morph.first, static_cast<T>(weights[m]));
        turned = true;
    }
    for (std::size_t v = 0; turned && v < shape.normals.size(); ++v) shape.normals[v].stableNormalize();
    return shape;
}

template RestShape<float> rest_shape<float>(const Mesh&);
template RestShape<double> rest_shape<double>(const Mesh&);
template RestShape<float> morphed<float>(const Mesh&, std::span<const float>);
template RestShape<double> morphed<double>(const Mesh&, std::span<const float>);

}  // namespace sinew::deform
