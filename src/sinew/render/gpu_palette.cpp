#include "sinew/render/gl/skin.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/blend.h"
#include "sinew/math/transform.h"

namespace sinew::render {
namespace {

using deform::FrameData;
using deform::JointMotion;
using deform::LayoutSet;
using deform::Mat34f;
using deform::Method;
using deform::SkinLayout;
using math::Vec3d;
using math::Vec4f;

Vec4f texel(const math::Quatd& q) {
    return q.coeffs().cast<float>();
}

Vec4f texel(const Vec3d& v) {
    return Vec4f(static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()), 0);
}

bool needs_stretch(std::span<const Mat34f> palettes) {
    return std::ranges::any_of(palettes, [](const Mat34f& matrix) {
        return !math::is_rigid(deform::to_mat4(matrix), deform::rigid_tolerance);
    });
}

/// Writes the texels of one frame after the other.
class Writer {
  public:
    Writer(GpuPalettes& out, const SkinLayout& layout, const FrameData& frame)
        : out_(out), layout_(layout), frame_(frame) {}

    void matrices(std::span<const Mat34f> palette) {
        for (const Mat34f& matrix : palette)
            for (const auto& row : matrix.rows) put(Vec4f(row[0], row[1], row[2], row[3]));
    }

    void sets() {
        for (const LayoutSet& set : layout_.sets)
            for (std::uint32_t place = 0; place < set.joint_count; ++place) {
                if (set.joint_count == 1)
                    put_motion(motion(set, 0));
                else
                    put_coefficients(set, place);
                if (out_.stretch) put_stretch(set, place);
            }
        for (std::size_t i = 0; i < out_.centers; ++i)
            put(Vec4f(center(i, 0), center(i, 1), center(i, 2), 0));
    }

  private:
    void put(const Vec4f& values) { out_.texels.push_back(values); }
    float center(std::size_t set, std::size_t axis) const { return frame_.constants[set * 3 + axis]; }
    std::uint32_t joint(const LayoutSet& set, std::uint32_t place) const {
        return layout_.joints[set.first_joint + place];
    }
    const JointMotion& motion(const LayoutSet& set, std::uint32_t place) const {
        return frame_.motions[joint(set, place)];
    }

    /// One joint alone: its sign does not matter, and the centre of its set is the origin.
    void put_motion(const JointMotion& motion) {
        put(texel(motion.dual.real));
        put(out_.entry == GpuEntry::dual ? texel(motion.dual.dual) : texel(motion.rigid.translation));
    }

    /// What the kernels of the CPU blend: those of the first joint, then differences to it.
    void put_coefficients(const LayoutSet& set, std::uint32_t place) {
        const std::size_t stride = deform::coefficient_stride(frame_);
        const float* const first = frame_.coefficients.data() + set.first_joint * stride;
        const auto value = [&](std::uint32_t coefficient) {
            return place == 0 ? first[coefficient] : first[coefficient] + first[place * stride + coefficient];
        };
        put(Vec4f(value(0), value(1), value(2), value(3)));
        put(Vec4f(value(4), value(5), value(6), out_.entry == GpuEntry::dual ? value(7) : 0));
    }

    /// About the rest place b of the joint: b + P (v - b).
    void put_stretch(const LayoutSet& set, std::uint32_t place) {
        const math::Mat3d& stretch = motion(set, place).stretch;
        const Vec3d& b = frame_.centers[joint(set, place)];
        const Vec3d move = b - stretch * b;
        for (int r = 0; r < 3; ++r) {
            Vec4f row = texel(Vec3d(stretch.row(r).transpose()));
            row.w() = static_cast<float>(move[r]);
            put(row);
        }
    }

    GpuPalettes& out_;
    const SkinLayout& layout_;
    const FrameData& frame_;
};

void set_sizes(GpuPalettes& out, const SkinLayout& layout, std::span<const Mat34f> palettes) {
    const bool linear = out.entry == GpuEntry::matrix;
    out.stretch = !linear && needs_stretch(palettes);
    out.frames = palettes.size() / layout.palette_size;
    out.entries = linear ? layout.palette_size : layout.joints.size();
    out.centers = out.entry == GpuEntry::centered ? layout.sets.size() : 0;
    out.texels.reserve(out.frames * out.frame_texels());
}

}  // namespace

GpuEntry gpu_entry(Method method) {
    switch (method) {
        case Method::lbs:
            return GpuEntry::matrix;
        case Method::dqs:
            return GpuEntry::dual;
        case Method::sbs:
        case Method::qlb:
            return GpuEntry::centered;
        default:
            fail("GPU skinning", "the method {} has no shader: lbs, dqs, sbs and qlb have",
                 deform::name(method));
    }
}

GpuPalettes make_gpu_palettes(const SkinLayout& layout, FrameData& frame, std::span<const Mat34f> palettes,
                              Method method) {
    GpuPalettes out;
    out.entry = gpu_entry(method);
    const std::size_t joints = layout.palette_size;
    if (palettes.empty() || palettes.size() % joints != 0)
        fail("GPU skinning", "{} matrices are not whole palettes of {} joints", palettes.size(), joints);
    set_sizes(out, layout, palettes);
    Writer writer(out, layout, frame);
    for (std::size_t k = 0; k < out.frames; ++k) {
        const std::span<const Mat34f> palette = palettes.subspan(k * joints, joints);
        deform::fill(frame, layout, palette, method, true);  // also checks the numbers
        if (out.entry == GpuEntry::matrix)
            writer.matrices(palette);
        else
            writer.sets();
    }
    return out;
}

}  // namespace sinew::render
