#include "sinew/io/gltf/scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/array.h"
#include "sinew/io/gltf/document.h"

namespace sinew::io::gltf {
namespace {

using math::Mat4d;

/// Palette under construction: equal entries are found again.
class Palette {
  public:
    std::uint32_t add(int joint, const Mat4d& inverse_bind) {
        for (const std::uint32_t index : of_joint_[joint]) {
            if (entries[index].inverse_bind == inverse_bind) return index;
        }
        const auto index = static_cast<std::uint32_t>(entries.size());
        entries.push_back({joint, inverse_bind});
        of_joint_[joint].push_back(index);
        return index;
    }
    const std::vector<std::uint32_t>& of(int joint) { return of_joint_[joint]; }

    std::vector<model::SkinJoint> entries;

  private:
    std::map<int, std::vector<std::uint32_t>> of_joint_;
};

std::vector<Mat4d> read_inverse_binds(const Document& document, const Cursor& skin, std::size_t joints) {
    std::vector<Mat4d> matrices(joints, Mat4d::Identity());
    const int index = document.reference(skin, "inverseBindMatrices", "accessors");
    if (index < 0) return matrices;
    const Accessor accessor = open_accessor(document, at(index), {"MAT4"});
    if (accessor.count < joints)
        accessor.where.fail("{} inverse bind matrices for {} joints", accessor.count, joints);
    const std::vector<float> values = read_floats(accessor);
    for (std::size_t j = 0; j < joints; ++j) {
        matrices[j] = Eigen::Map<const math::Mat4f>(values.data() + 16 * j).cast<double>();
        Eigen::RowVector4d last = matrices[j].row(3);
        last[3] -= 1;
        if (last.cwiseAbs().maxCoeff() > 1e-3) accessor.where.fail("matrix {} is not affine", j);
        matrices[j].row(3) = Eigen::RowVector4d(0, 0, 0, 1);
    }
    return matrices;
}

/// What moves a skinned mesh to where it is seen at rest: B = world inverse_bind of one joint, when all of it
/// can go into the vertices (a rotation, a translation, a positive scale) and is more than rounding.
Mat4d rest_placement(const Mat4d& world, const Mat4d& inverse_bind) {
    const Mat4d placement = world * inverse_bind;
    const std::optional<Similarity> similarity = as_similarity(placement);
    if (!similarity || similarity->scale <= 0) return Mat4d::Identity();
    const Mat4d difference = placement - Mat4d::Identity();
    const double turned = difference.topLeftCorner<3, 3>().cwiseAbs().maxCoeff();
    const double moved = difference.topRightCorner<3, 1>().norm();
    // Single precision leaves an error in proportion to the lengths that cancel each other in the product.
    const double reach = world.topLeftCorner<3, 3>().norm() * inverse_bind.topRightCorner<3, 1>().norm() +
                         world.topRightCorner<3, 1>().norm();
    const bool rounding = turned < 1e-5 && moved < 1e-5 * reach + 1e-9;
    return rounding ? Mat4d(Mat4d::Identity()) : placement;
}

std::shared_ptr<const Binding> bind_skin(const Document& document, const Rig& rig, std::size_t index,
                                         Palette& palette) {
    const Cursor skin = document.item("skins", index);
    std::vector<int> joints;
    for (const Cursor& entry : skin.list("joints"))
        joints.push_back(rig.joint_of[at(document.reference(entry, "nodes"))]);
    if (joints.empty()) skin.fail("a skin without joints");
    const std::vector<Mat4d> inverse_binds = read_inverse_binds(document, skin, joints.size());
    const auto first =
        static_cast<std::size_t>(std::min_element(joints.begin(), joints.end()) - joints.begin());
    Binding binding;
    binding.skinned = true;
    binding.matrix = rest_placement(rig.world[at(joints[first])], inverse_binds[first]);
    const bool moves = binding.moves();
    const Mat4d back = math::inverse_affine(binding.matrix);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        binding.palette.push_back(
            palette.add(joints[j], moves ? Mat4d(inverse_binds[j] * back) : inverse_binds[j]));
    }
    return std::make_shared<const Binding>(std::move(binding));
}

/// A mesh that hangs on a joint. It shares the palette entry of a skin whose bind pose is the rest pose: the
/// vertices then go to inverse_bind^-1 to_joint v, which moves with the joint exactly as before.
std::shared_ptr<const Binding> bind_rigidly(int joint, const Mat4d& to_joint, const Rig& rig,
                                            Palette& palette) {
    const Mat4d& world = rig.world[at(joint)];
    Binding binding;
    for (const std::uint32_t index : palette.of(joint)) {
        const Mat4d bind = math::inverse_affine(palette.entries[index].inverse_bind);
        if (!bind.allFinite() ||
            !((bind - world).cwiseAbs().maxCoeff() <= 1e-4 * world.cwiseAbs().maxCoeff()))
            continue;
        binding.matrix = bind * to_joint;
        binding.palette = {index};
        return std::make_shared<const Binding>(std::move(binding));
    }
    const Mat4d inverse = math::inverse_affine(world);
    // A joint that is scaled to nothing at rest has no inverse: its meshes stay in its own frame.
    const bool regular = inverse.allFinite();
    binding.matrix = regular ? Mat4d(world * to_joint) : to_joint;
    binding.palette = {palette.add(joint, regular ? inverse : Mat4d(Mat4d::Identity()))};
    return std::make_shared<const Binding>(std::move(binding));
}

}  // namespace

Bindings bind_meshes(const Document& document, const Scene& scene, const Rig& rig) {
    Bindings result;
    Palette palette;
    result.of_node.resize(scene.nodes.size());
    std::map<int, std::shared_ptr<const Binding>> skins;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.in_scene || node.mesh < 0 || node.skin < 0) continue;
        std::shared_ptr<const Binding>& binding = skins[node.skin];
        if (!binding) binding = bind_skin(document, rig, at(node.skin), palette);
        result.of_node[i] = binding;
    }
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.in_scene || node.mesh < 0 || node.skin >= 0) continue;
        if (rig.nearest[i] >= 0) {
            result.of_node[i] = bind_rigidly(rig.nearest[i], rig.to_nearest[i], rig, palette);
        } else {
            Binding binding;
            binding.matrix = node.world;
            result.of_node[i] = std::make_shared<const Binding>(std::move(binding));
        }
    }
    result.palette = std::move(palette.entries);
    return result;
}

}  // namespace sinew::io::gltf
