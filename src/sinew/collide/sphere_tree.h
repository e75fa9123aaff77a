// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// A tree of spheres over the triangles of a skinned mesh at rest, built once and shared by all its
/// instances. A node knows, for every influence set among its vertices, a sphere and the range of weights:
/// enough to bound them in any pose without looking at a vertex. \cite kavan2007
///
/// \code
/// const collide::SphereTree tree = collide::build_tree(character);
/// collide::Body body(tree, deform::Method::dqs);
/// \endcode

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::collide {

using math::Vec3d;
using math::Vec3f;

/// A closed sphere: a rigid motion moves the centre and keeps the radius.
struct Sphere {
    Vec3d center = Vec3d::Zero();
    double radius = 0;  ///< infinity: bounds nothing

    /// \return false for a sphere that bounds nothing.
    bool bounded() const { return radius < std::numeric_limits<double>::infinity(); }
};

struct BuildOptions {
    /// A leaf is deformed as a whole and searched by boxes of its triangles. 0 stands for 256, or 8 for every
    /// influence set of the leaf where that is more: then its vertices cost less than refits of what would be
    /// below.
    int max_leaf_triangles = 0;
};

/// How a tree came out.
struct BuildStatistics {
    std::size_t binary_nodes =
        0;  ///< before children that are nearly as large as their parents were dissolved
    std::size_t binary_depth = 0;
    std::size_t nodes = 0;
    std::size_t leaves = 0;
    std::size_t depth = 0;
    std::size_t max_children = 0;
    std::size_t set_bounds = 0;                  ///< of all nodes
    std::vector<double> radius_by_level;         ///< average
    std::vector<double> binary_radius_by_level;  ///< the same of the binary tree
};

struct TreeData;
struct MorphData;

/// A handle of an immutable tree; copies share it.
class SphereTree {
  public:
    /// A tree without triangles.
    SphereTree();

    /// Takes a tree that a part of the module built.
    explicit SphereTree(std::shared_ptr<const TreeData> data);

    /// \return spheres in the tree.
    std::size_t node_count() const { return statistics().nodes; }
    /// \return how it came out.
    const BuildStatistics& statistics() const;
    /// \return bytes held.
    std::size_t memory() const;
    /// \return the tree as queries see it.
    const TreeData& data() const { return *data_; }

  private:
    std::shared_ptr<const TreeData> data_;
};

/// Builds the tree of a skinned mesh.
/// \param mesh the rest shape.
/// \param skin weights of its vertices; an empty skin makes a rigid body with one joint.
/// \param skeleton settles quaternion signs, as in model::group_by_influences; may be null.
/// \param options how it is built.
/// \return the tree.
/// \throws Error when mesh and skin do not fit each other or a position is not finite.
SphereTree build_tree(const geometry::Mesh& mesh, const model::Skin& skin, const model::Skeleton* skeleton,
                      const BuildOptions& options = {});

/// The same for mesh, skin and skeleton of a character.
/// \param character what is built.
/// \param options how it is built.
/// \return the tree.
/// \throws Error as above.
SphereTree build_tree(const model::Character& character, const BuildOptions& options = {});

/// What the morphs of a mesh do to its tree: every sphere knows a sphere around the offsets of its vertices
/// for each morph, so that it moves and grows with the weights without looking at a vertex. A handle of
/// immutable data, shared by all instances. \cite james2004
class MorphBounds {
  public:
    /// Of a mesh without morphs.
    MorphBounds();
    /// \param tree built on `mesh`.
    /// \param mesh whose morphs are looked at.
    /// \throws Error when a morph leaves the mesh, is not finite, or the tree is of another mesh.
    MorphBounds(const SphereTree& tree, const geometry::Mesh& mesh);

    /// \return true when there is no morph.
    bool empty() const;
    /// \return the bounds as bodies see them.
    const MorphData& data() const { return *data_; }

  private:
    std::shared_ptr<const MorphData> data_;
};

}  // namespace sinew::collide
