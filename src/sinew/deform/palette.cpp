#include "sinew/deform/blend.h"

namespace sinew::deform {

Mat34f to_mat34(const math::Mat4d& matrix) {
    Mat34f result;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) result.rows[r][c] = static_cast<float>(matrix(r, c));
    }
    return result;
}

math::Mat4d to_mat4(const Mat34f& matrix) {
    math::Mat4d result = math::Mat4d::Identity();
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) result(r, c) = matrix.rows[r][c];
    }
    return result;
}

std::vector<Mat34f> to_mat34(std::span<const math::Mat4d> palette) {
    std::vector<Mat34f> result;
    result.reserve(palette.size());
    for (const math::Mat4d& matrix : palette) result.push_back(to_mat34(matrix));
    return result;
}

}  // namespace sinew::deform
