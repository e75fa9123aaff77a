#include "sinew/deform/normals.h"

#include <limits>

namespace sinew::deform {

using math::Mat3;
using math::Mat4d;
using math::Vec3;
using math::Vec4;

template <class T>
Vec3<T> move_normal(const Blend<T>& blend, const Vec3<T>& normal, const Mat4d& heaviest, NormalMode mode,
                    DeformCounts& counts) {
    constexpr T tiny = 64 * std::numeric_limits<T>::epsilon();
    if (normal.squaredNorm() == 0) return normal;
    const Mat3<T> own = heaviest.topLeftCorner<3, 3>().template cast<T>();
    const T size = own.norm() * normal.norm();
    Vec3<T> moved;
    if (mode != NormalMode::rotated) {
        moved = blend.normals * normal;
        if (moved.norm() > tiny * own.norm() * size) return moved.normalized();
        ++counts.degenerate_normals;
    }
    moved = blend.linear * normal;
    if (moved.norm() > tiny * size) return moved.normalized();
    if (mode == NormalMode::rotated) ++counts.degenerate_normals;
    moved = own * normal;
    return moved.norm() > 0 ? Vec3<T>(moved.normalized()) : normal;
}

template <class T>
std::vector<Vec3<T>> recomputed_normals(std::span<const Vec3<T>> positions,
                                        std::span<const geometry::Triangle> triangles,
                                        std::span<const std::uint32_t> weld,
                                        std::span<const Vec3<T>> fallback) {
    std::vector<Vec3<T>> sums(positions.size(), Vec3<T>::Zero());
    for (const geometry::Triangle& t : triangles) {
        const Vec3<T> area = (positions[t[1]] - positions[t[0]]).cross(positions[t[2]] - positions[t[0]]);
        for (const std::uint32_t corner : t) sums[weld[corner]] += area;
    }
    std::vector<Vec3<T>> normals(positions.size(), Vec3<T>::Zero());
    for (std::size_t v = 0; v < positions.size(); ++v) {
        normals[v] = sums[weld[v]].stableNormalized();
        if (!(normals[v].squaredNorm() > T(0.5)))
            normals[v] = fallback.empty() ? Vec3<T>::Zero() : fallback[v];
    }
    return normals;
}

template <class T>
Vec4<T> move_tangent(const Blend<T>& blend, const Vec4<T>& tangent) {
    const Vec3<T> moved = blend.linear * tangent.template head<3>();
    Vec4<T> result = tangent;
    if (moved.norm() > std::numeric_limits<T>::min()) result.template head<3>() = moved;
    if (blend.linear.determinant() < 0) result[3] = -result[3];
    return result;
}

template <class T>
void orthogonalize_tangents(std::span<Vec4<T>> tangents, std::span<const Vec3<T>> normals) {
    for (std::size_t v = 0; v < tangents.size(); ++v) {
        Vec3<T> tangent = tangents[v].template head<3>().stableNormalized();
        if (!normals.empty() && tangent.squaredNorm() > 0) {
            const Vec3<T>& n = normals[v];
            const Vec3<T> across = tangent - n.dot(tangent) * n;
            // A tangent along the normal says nothing: any direction across will do.
            tangent = across.norm() > T(1e-4) ? Vec3<T>(across.normalized()) : Vec3<T>(n.unitOrthogonal());
        }
        tangents[v].template head<3>() = tangent;
    }
}

#define SINEW_INSTANTIATE(T)                                                                                \
    template Vec3<T> move_normal(const Blend<T>&, const Vec3<T>&, const Mat4d&, NormalMode, DeformCounts&); \
    template std::vector<Vec3<T>> recomputed_normals(                                                       \
        std::span<const Vec3<T>>, std::span<const geometry::Triangle>, std::span<const std::uint32_t>,      \
        std::span<const Vec3<T>>);                                                                          \
    template Vec4<T> move_tangent(const Blend<T>&, const Vec4<T>&);                                         \
    template void orthogonalize_tangents(std::span<Vec4<T>>, std::span<const Vec3<T>>);
SINEW_INSTANTIATE(float)
SINEW_INSTANTIATE(double)
#undef SINEW_INSTANTIATE

}  // namespace sinew::deform
