// SPDX-License-Identifier: MIT
#include "sinew/deform/skinner.h"

#include <atomic>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/skinning/kernels/block_kernels.h"
#include "sinew/deform/skinning/vertex_buffer.h"

namespace sinew::deform {
namespace {

using kernels::block;

/// Slots that one thread takes at a time: as many as are staged for a vertex buffer.
constexpr std::uint32_t item_slots = Staging::capacity;
/// Jobs per call of a kernel.
constexpr std::size_t batch = 32;

void check_skin(const geometry::Mesh& mesh, const model::Skin& skin) {
    if (mesh.empty()) fail("skinner", "the mesh is empty");
    if (skin.vertex_count() != mesh.vertex_count()) {
        fail("skinner", "the skin has {} vertices, the mesh {}", skin.vertex_count(), mesh.vertex_count());
    }
    for (std::size_t v = 0; v < skin.vertex_count(); ++v) {
        if (skin.of(v).empty()) fail("skinner", "vertex {} has no influence: clean the skin first", v);
        for (const model::Influence& influence : skin.of(v)) {
            if (influence.joint >= skin.joints.size()) {
                fail("skinner", "vertex {} names skin joint {} of {}", v, influence.joint,
                     skin.joints.size());
            }
        }
    }
}

void check_arrays(const std::span<float> (&arrays)[3], std::size_t slots, std::string_view what) {
    for (const std::span<float>& array : arrays) {
        if (!array.empty() && array.size() < slots) {
            fail("skinner", "{} floats are given for the {} of {} slots", array.size(), what, slots);
        }
    }
}

void check_buffer(const VertexBuffer& out, std::size_t count, int vectors) {
    const std::ptrdiff_t ends[3] = {out.position < 0 ? 0 : out.position + 12,
                                    vectors < 1 || out.normal < 0 ? 0 : out.normal + 12,
                                    vectors < 2 || out.tangent < 0 ? 0 : out.tangent + 16};
    const auto end = static_cast<std::size_t>(std::max({ends[0], ends[1], ends[2]}));
    if (end > out.stride) fail("skinner", "a vertex needs {} bytes, the stride is {}", end, out.stride);
    if (count > 0 && out.bytes.size() < (count - 1) * out.stride + end) {
        fail("skinner", "{} bytes are too few for {} vertices of {} bytes", out.bytes.size(), count,
             out.stride);
    }
}

/// A set of one joint moves by its matrix under every rule. Normals use its cofactors, which are the matrix
/// itself if it is rigid.
kernels::Rule one_joint_rule(const FrameData& frame) {
    using kernels::Rule;
    const bool stretched = frame.rule == Rule::affine_exact || frame.rule == Rule::heaviest || frame.stretch;
    return stretched ? Rule::affine_exact : Rule::affine;
}

}  // namespace

Skinner::Pose::Pose(const Skinner& skinner)
    : frame_(make_frame_data(skinner.layout_, skinner.joint_centers_, skinner.size_)) {}

Skinner::Skinner(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                 const SkinnerOptions& options)
    : exact_normals_(options.exact_normals) {
    check_skin(mesh, skin);
    if (!options.centers.empty() && options.centers.size() != mesh.vertex_count()) {
        fail("skinner", "{} centres of rotation for {} vertices", options.centers.size(),
             mesh.vertex_count());
    }
    layout_ = make_layout(mesh, skin, model::group_by_influences(skin, skeleton),
                          {options.normals, options.tangents, options.centers});
    for (std::uint32_t s = 0; s < layout_.sets.size(); ++s) {
        const LayoutSet& set = layout_.sets[s];
        const auto slots = static_cast<std::uint32_t>(set.blocks * block);
        // Padding repeats the last vertex.
        std::uint32_t vertices = slots;
        const std::uint32_t* const list = layout_.vertices.data() + set.first_slot;
        while (vertices > 1 && list[vertices - 1] == list[vertices - 2]) --vertices;
        for (std::uint32_t first = 0; first < slots; first += item_slots) {
            items_.push_back({set.data + first / block * set.stride, s, set.first_slot + first,
                              std::min(item_slots, vertices - first)});
        }
    }
    for (const model::SkinJoint& joint : skin.joints)
        joint_centers_.push_back(rest_center(joint.inverse_bind));
    size_ = std::max(1e-30, static_cast<double>(geometry::bounds(mesh.positions).diagonal()));
}

std::size_t Skinner::memory() const {
    return sizeof(*this) + layout_.memory() + items_.size() * sizeof(Item) +
           joint_centers_.size() * sizeof(math::Vec3d);
}

void Skinner::set_rest(std::span<const math::Vec3f> positions, std::span<const math::Vec3f> normals) {
    if (positions.size() != vertex_count() || (!normals.empty() && normals.size() != vertex_count())) {
        fail("skinner", "a rest shape of {} positions and {} normals for {} vertices", positions.size(),
             normals.size(), vertex_count());
    }
    layout_.set_rest(positions, normals);
}

void Skinner::prepare(std::span<const Mat34f> palette, Method method, Pose& pose) const {
    if (method == Method::cor && !layout_.centers)
        fail("skinner", "centres of rotation were not given at set-up");
    fill(pose.frame_, layout_, palette, method, exact_normals_);
}

/// Calls `work(call, jobs, slots)` for runs of items with the same call: their jobs, which cover `slots`
/// slots from jobs[0].first on. It returns the number of degenerate vertices.
template <class Work>
DeformCounts Skinner::run(const Pose& pose, Threads threads, const Work& work) const {
    const FrameData& frame = pose.frame_;
    const std::size_t stride = coefficient_stride(frame);
    std::atomic<std::size_t> degenerate = 0;
    const auto range = [&](std::size_t begin, std::size_t end) {
        kernels::Job jobs[batch];
        std::size_t lost = 0;
        for (std::size_t i = begin; i < end;) {
            const LayoutSet& alike = layout_.sets[items_[i].set];
            kernels::Call call{.rule = frame.rule,
                               .stretch = frame.stretch,
                               .vectors = layout_.vectors,
                               .block_vectors = layout_.vectors,
                               .centers = layout_.centers,
                               .joints = alike.joint_count,
                               .stride = alike.stride};
            if (call.joints == 1) {
                call.rule = one_joint_rule(frame);
                call.stretch = false;
            }
            std::size_t count = 0, slots = 0;
            for (; i < end && count < batch; ++i) {
                const Item& item = items_[i];
                const LayoutSet& set = layout_.sets[item.set];
                const std::size_t more = (item.vertices + block - 1) / block * block;
                if (set.joint_count != call.joints || slots + more > item_slots) break;
                jobs[count++] = {
                    layout_.data.data() + item.data, frame.coefficients.data() + set.first_joint * stride,
                    frame.constants.data() + std::size_t{item.set} * 3, item.first_slot, item.vertices};
                slots += more;
            }
            lost += work(call, std::span(jobs, count), slots);
        }
        degenerate += lost;
    };
    if (threads == Threads::one) {
        range(0, items_.size());
    } else {
        parallel_blocks(items_.size(), 16, range);
    }
    DeformCounts counts;
    counts.degenerate_blends = degenerate;
    counts.nonrigid_joints = frame.nonrigid_joints;
    return counts;
}

DeformCounts Skinner::deform(std::span<const Mat34f> palette, Method method, Pose& pose,
                             const ComponentArrays& out, Threads threads) const {
    check_arrays(out.position, slot_count(), "positions");
    check_arrays(out.normal, slot_count(), "normals");
    check_arrays(out.tangent, slot_count(), "tangents");
    prepare(palette, method, pose);
    float* arrays[9];
    for (int i = 0; i < 3; ++i) {
        arrays[i] = out.position[i].data();
        arrays[3 + i] = out.normal[i].data();
        arrays[6 + i] = out.tangent[i].data();
    }
    return run(pose, threads, [&](kernels::Call& call, std::span<kernels::Job> jobs, std::size_t) {
        while (call.vectors > 0 && arrays[3 * call.vectors] == nullptr) --call.vectors;
        call.out = arrays;
        return kernels::run(call, jobs);
    });
}

DeformCounts Skinner::deform(std::span<const Mat34f> palette, Method method, Pose& pose,
                             const VertexBuffer& out, Threads threads) const {
    check_buffer(out, out.slot_order ? slot_count() : vertex_count(), layout_.vectors);
    prepare(palette, method, pose);
    return run(pose, threads, [&](kernels::Call& call, std::span<kernels::Job> jobs, std::size_t slots) {
        Staging staging;
        float* arrays[9];
        for (int i = 0; i < 9; ++i) arrays[i] = staging.rows[i];
        call.out = arrays;
        const std::size_t first = jobs[0].first;
        for (kernels::Job& job : jobs) job.first -= first;
        prefetch(slots, {out, layout_.vertices.data() + first, first});
        const std::size_t lost = kernels::run(call, jobs);
        scatter(staging, slots, layout_.vertices.data() + first, first, out, layout_.vectors,
                layout_.handedness);
        return lost;
    });
}

}  // namespace sinew::deform
