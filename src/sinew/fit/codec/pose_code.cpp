// SPDX-License-Identifier: MIT
#include "sinew/fit/codec/pose_code.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/math/transform.h"

namespace sinew::fit {

using math::DualQuatd;
using math::Mat3d;
using math::Quatd;

namespace {

using Numbers = std::array<double, 12>;

DualQuatd shift(const Vec3d& t) {
    DualQuatd q;
    q.dual = Quatd(0, t.x() / 2, t.y() / 2, t.z() / 2);
    return q;
}

void put(const Quatd& q, double* to) {
    for (int i = 0; i < 4; ++i) to[i] = q.coeffs()(i);
}

Quatd quaternion(const double* from) {
    return {from[3], from[0], from[1], from[2]};
}

Numbers packed(const BonePose& pose, std::size_t bone, const Vec3d& center, PoseKind kind) {
    Numbers n{};
    if (kind == PoseKind::dual || kind == PoseKind::rotation) {
        const DualQuatd q = pose.duals[bone] * shift(center);
        put(q.real, n.data());
        if (kind == PoseKind::dual) put(q.dual, n.data() + 4);
    } else if (kind == PoseKind::dual_rigid) {
        put(pose.duals[bone].real, n.data());
        Eigen::Map<Vec3d>(n.data() + 4) = move(pose.duals[bone], center);
    } else {
        const Mat34d& m = pose.matrices[bone];
        const std::size_t position_at = kind == PoseKind::rigid ? 4 : 9;
        if (kind == PoseKind::rigid) {
            put(Quatd(math::nearest_rotation(m.leftCols<3>())), n.data());
        } else {
            Eigen::Map<Mat3d>(n.data()) = m.leftCols<3>();
        }
        if (kind != PoseKind::linear) Eigen::Map<Vec3d>(n.data() + position_at) = m * center.homogeneous();
    }
    return n;
}

void unpack(const Numbers& n, std::size_t bone, const Vec3d& center, PoseKind kind, BonePose& pose) {
    if (kind == PoseKind::dual || kind == PoseKind::rotation) {
        DualQuatd q{quaternion(n.data()), quaternion(n.data() + 4)};
        if (kind == PoseKind::rotation) q.dual.coeffs().setZero();
        pose.duals[bone] = kind == PoseKind::rotation ? q : q * shift(-center);
    } else if (kind == PoseKind::dual_rigid) {
        const Quatd rotation = quaternion(n.data()).normalized();
        const Vec3d position(n[4], n[5], n[6]);
        pose.duals[bone] = math::to_dual_quaternion(math::Rigidd{rotation, position - rotation * center});
    } else {
        Mat34d& m = pose.matrices[bone];
        m.setZero();
        if (kind == PoseKind::rigid) {
            m.leftCols<3>() = quaternion(n.data()).normalized().toRotationMatrix();
        } else {
            m.leftCols<3>() = Eigen::Map<const Mat3d>(n.data());
        }
        const std::size_t position_at = kind == PoseKind::rigid ? 4 : 9;
        if (kind != PoseKind::linear)
            m.col(3) = Eigen::Map<const Vec3d>(n.data() + position_at) - m.leftCols<3>() * center;
    }
}

bool has_duals(PoseKind kind) {
    return kind == PoseKind::dual || kind == PoseKind::dual_rigid || kind == PoseKind::rotation;
}

/// Signs for which the numbers change little from frame to frame. A quaternion may change its sign alone;
/// dual quaternions only all together, because their relative signs determine the blend.
void smooth_signs(std::vector<std::vector<Numbers>>& values, PoseKind kind) {
    if (kind == PoseKind::matrix || kind == PoseKind::linear) return;
    const bool together = kind != PoseKind::rigid;
    const std::size_t sign_count = kind == PoseKind::dual ? 8 : 4;
    const auto flip = [&](Numbers& n) {
        for (std::size_t i = 0; i < sign_count; ++i) n[i] = -n[i];
    };
    for (std::size_t f = 1; f < values.size(); ++f) {
        double sum = 0;
        for (std::size_t j = 0; j < values[f].size(); ++j) {
            double dot = 0;
            for (std::size_t i = 0; i < 4; ++i) dot += values[f][j][i] * values[f - 1][j][i];
            if (!together && dot < 0) flip(values[f][j]);
            sum += dot;
        }
        if (together && sum < 0) {
            for (Numbers& n : values[f]) flip(n);
        }
    }
}

/// Range of one number over time, in the precision in which it is written.
struct Range {
    float low = 0;
    float step = 0;
};

void write_quantised(const std::vector<std::vector<Numbers>>& values, std::size_t count, int bits,
                     ByteWriter& out) {
    const double largest = std::ldexp(1.0, bits) - 1;
    for (std::size_t j = 0; j < values[0].size(); ++j) {
        for (std::size_t i = 0; i < count; ++i) {
            double low = values[0][j][i], high = low;
            for (const auto& frame : values) {
                low = std::min(low, frame[j][i]);
                high = std::max(high, frame[j][i]);
            }
            const Range range{static_cast<float>(low), static_cast<float>((high - low) / largest)};
            out.put(range.low);
            out.put(range.step);
            std::int64_t before = 0;
            for (const auto& frame : values) {
                const auto step = static_cast<double>(range.step);
                const double position = step > 0 ? (frame[j][i] - static_cast<double>(range.low)) / step : 0;
                const auto now = static_cast<std::int64_t>(std::llround(position));
                out.put_small(now - before);
                before = now;
            }
        }
    }
}

void read_quantised(std::vector<std::vector<Numbers>>& values, std::size_t count, ByteReader& in) {
    for (std::size_t j = 0; j < values[0].size(); ++j) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto low = static_cast<double>(in.get<float>()),
                       step = static_cast<double>(in.get<float>());
            double position = 0;  // sums of whole numbers: exact, and never out of range
            for (auto& frame : values) {
                position += static_cast<double>(in.get_small());
                frame[j][i] = low + step * position;
            }
        }
    }
}

void check_finite(const std::vector<std::vector<Numbers>>& values, const ByteReader& in) {
    for (const auto& frame : values) {
        for (const Numbers& n : frame) {
            for (const double x : n) {
                if (!std::isfinite(x)) in.broken("a transformation is not finite");
            }
        }
    }
}

}  // namespace

int numbers_of(PoseKind kind) {
    constexpr int numbers[] = {12, 7, 8, 7, 4, 9};
    return numbers[static_cast<int>(kind)];
}

PoseKind pose_kind(const FitResult& fit, const std::vector<BonePose>& poses, bool normals) {
    if (normals) return poses.empty() || poses[0].matrices.empty() ? PoseKind::rotation : PoseKind::linear;
    if (fit.blend == Blend::linear) return fit.rigid ? PoseKind::rigid : PoseKind::matrix;
    for (const BonePose& pose : poses) {
        for (const DualQuatd& q : pose.duals) {
            if (std::abs(q.real.norm() - 1) > 1e-9 ||
                std::abs(q.real.dot(q.dual)) > 1e-9 * (1 + q.dual.norm()))
                return PoseKind::dual;
        }
    }
    return PoseKind::dual_rigid;
}

void write_poses(const std::vector<BonePose>& poses, const std::vector<Vec3d>& centers, PoseKind kind,
                 const PoseCode& code, ByteWriter& out) {
    if (code.precision == FitPrecision::exact) {
        for (const BonePose& pose : poses) {
            for (std::size_t j = 0; j < centers.size(); ++j) {
                if (has_duals(kind)) {
                    for (int i = 0; i < 4; ++i) out.put(pose.duals[j].real.coeffs()(i));
                    for (int i = 0; i < 4; ++i) out.put(pose.duals[j].dual.coeffs()(i));
                } else {
                    for (int i = 0; i < 12; ++i) out.put(pose.matrices[j].data()[i]);
                }
            }
        }
        return;
    }
    const auto count = static_cast<std::size_t>(numbers_of(kind));
    std::vector<std::vector<Numbers>> values(poses.size());
    for (std::size_t f = 0; f < poses.size(); ++f) {
        for (std::size_t j = 0; j < centers.size(); ++j)
            values[f].push_back(packed(poses[f], j, centers[j], kind));
    }
    smooth_signs(values, kind);
    if (code.precision == FitPrecision::quantised) return write_quantised(values, count, code.bits, out);
    for (const auto& frame : values) {
        for (const Numbers& n : frame) {
            for (std::size_t i = 0; i < count; ++i) out.put(static_cast<float>(n[i]));
        }
    }
}

std::vector<BonePose> read_poses(std::size_t frames, const std::vector<Vec3d>& centers, PoseKind kind,
                                 const PoseCode& code, ByteReader& in) {
    const auto count = static_cast<std::size_t>(numbers_of(kind));
    const std::size_t stored = code.precision == FitPrecision::exact ? (has_duals(kind) ? 8 : 12) : count;
    constexpr std::size_t each[] = {8, 4, 1};  // a small number takes at least one byte
    in.need(frames, each[static_cast<int>(code.precision)] * stored * centers.size());
    std::vector<std::vector<Numbers>> values(frames, std::vector<Numbers>(centers.size(), Numbers{}));
    if (code.precision == FitPrecision::quantised) {
        read_quantised(values, count, in);
    } else {
        for (auto& frame : values) {
            for (Numbers& n : frame) {
                for (std::size_t i = 0; i < stored; ++i)
                    n[i] = code.precision == FitPrecision::exact ? in.get<double>()
                                                                 : static_cast<double>(in.get<float>());
            }
        }
    }
    check_finite(values, in);
    std::vector<BonePose> poses(frames);
    for (std::size_t f = 0; f < frames; ++f) {
        if (has_duals(kind)) poses[f].duals.resize(centers.size());
        if (!has_duals(kind)) poses[f].matrices.assign(centers.size(), Mat34d::Zero());
        for (std::size_t j = 0; j < centers.size(); ++j) {
            const Numbers& n = values[f][j];
            if (code.precision != FitPrecision::exact) {
                unpack(n, j, centers[j], kind, poses[f]);
            } else if (has_duals(kind)) {
                poses[f].duals[j] = {quaternion(n.data()), quaternion(n.data() + 4)};
            } else {
                poses[f].matrices[j] = Eigen::Map<const Mat34d>(n.data());
            }
        }
    }
    return poses;
}

}  // namespace sinew::fit
