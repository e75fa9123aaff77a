// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Collision queries: whether two bodies touch, all contacts, self-contacts, the nearest pair, contacts
/// within a budget, contacts among many bodies, and the first contact between two poses. Spheres are refitted
/// only where the search needs them.
///
/// \code
/// collide::Body a(tree), b(other_tree);
/// a.set_pose(palette_a);
/// b.set_pose(palette_b);
/// collide::QueryScratch scratch;
/// std::vector<collide::Contact> contacts;
/// collide::find_contacts(a, b, contacts, scratch);
/// \endcode

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/collide/body.h"

namespace sinew::collide {

/// Two triangles that touch, by their indices in the meshes.
struct Contact {
    std::uint32_t a = 0, b = 0;
    auto operator<=>(const Contact&) const = default;
};

/// Tests whether two bodies touch. The search starts where spheres overlap most and stops at the first
/// contact. The spheres that it computes are faster to compute, and up to a third larger, than those of other
/// queries; they are kept for this pose.
/// \param a, b two bodies
/// \param scratch memory of this thread
/// \param tolerance distance that counts as touching; 0 tests exact contact
/// \return true when a triangle of one body is within `tolerance` of a triangle of the other
bool touching(Body& a, Body& b, QueryScratch& scratch, double tolerance = 0);

/// Remembers where two bodies touched in the last query, as a hint for the next. It may be out of date: the
/// result of a query never depends on it, only its speed does.
struct TouchMemory {
    const TreeData* trees[2] = {nullptr, nullptr};  ///< trees of the bodies; null when they did not touch
    std::uint32_t leaves[2] = {0, 0};
};

/// The same for consecutive frames: the search starts where these bodies touched in the last query.
/// \param a, b two bodies
/// \param scratch memory of this thread
/// \param memory hint for this pair of bodies; updated by the query
/// \param tolerance distance that counts as touching; 0 tests exact contact
/// \return true when a triangle of one body is within `tolerance` of a triangle of the other
bool touching(Body& a, Body& b, QueryScratch& scratch, TouchMemory& memory, double tolerance = 0);

/// Finds all pairs of triangles that touch.
/// \param a, b two bodies
/// \param out replaced by the pairs, in increasing order
/// \param scratch memory of this thread
/// \param tolerance distance that counts as touching; 0 tests exact contact
void find_contacts(Body& a, Body& b, std::vector<Contact>& out, QueryScratch& scratch, double tolerance = 0);

/// The two nearest triangles of two bodies.
struct Nearest {
    double distance = 0;  ///< 0 when the bodies touch; infinity when one has no triangles
    Contact pair;
};
/// \param a, b two bodies
/// \param scratch memory of this thread
/// \return the pair with the smallest distance; the first in order among equals
Nearest find_nearest(Body& a, Body& b, QueryScratch& scratch);

/// Finds all pairs of triangles of one body that touch without sharing a corner. Corners split at a seam
/// count as shared.
/// \param body a body
/// \param out replaced by the pairs a < b, in increasing order
/// \param scratch memory of this thread
void find_self_contacts(Body& body, std::vector<Contact>& out, QueryScratch& scratch);

/// Two nodes whose spheres overlap.
struct NodePair {
    std::uint32_t a = 0, b = 0;
    double overlap = 0;  ///< penetration depth, in searches that need it
};

/// Limits on the work of a query; 0 means no limit. A query may exceed them slightly, because pairs of nodes
/// and leaves are always completed.
struct QueryBudget {
    std::size_t sphere_tests = 0;
    std::size_t refits = 0;
    std::size_t triangle_tests = 0;
};

/// What a query found before its budget was used up.
struct BudgetedContacts {
    std::vector<Contact> contacts;  ///< confirmed contacts, in increasing order
    std::vector<NodePair> open;     ///< pairs of nodes not yet searched; all other contacts are inside them
    /// \return true when the search is complete: the contacts are those of find_contacts()
    bool complete() const { return open.empty(); }
    /// \return true when the bodies certainly do not touch
    bool apart() const { return contacts.empty() && open.empty(); }

    /// Lower and upper bound of the distance between the bodies; infinite when one has no triangles.
    double nearest_min = 0, nearest_max = 0;
    /// Upper bound of the penetration of unsearched nodes: moving one body this far from the other separates
    /// them.
    double deepest = 0;
    /// Radius of the largest unsearched sphere: the spatial resolution of the result.
    double precision = 0;
    std::uint32_t levels = 0;  ///< completed levels of the search
};

/// Finds contacts level by level until a budget is used up. The contacts found are exact, and the result
/// states how precise it is. \cite hubbard1996
/// \param a, b two bodies
/// \param budget limits on the work
/// \param out replaced by the result
/// \param scratch memory of this thread
void find_contacts_budgeted(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out,
                            QueryScratch& scratch);

/// A contact between two bodies of a list, body_a < body_b.
struct BodyContact {
    std::uint32_t body_a = 0, body_b = 0;
    Contact pair;
    auto operator<=>(const BodyContact&) const = default;
};

struct CrowdOptions {
    bool first_only = false;  ///< report only one entry per pair of touching bodies, without its triangles
    double tolerance = 0;
    bool threads = true;
};

struct CrowdBuffers;

/// Working memory of queries over many bodies, kept between queries.
class CrowdScratch {
  public:
    CrowdScratch();
    ~CrowdScratch();

    /// \return counts summed over all queries so far
    QueryCounts counts() const;
    /// \return internal buffers, for queries
    CrowdBuffers& buffers() { return *buffers_; }

  private:
    std::unique_ptr<CrowdBuffers> buffers_;
};

/// Finds all contacts between different bodies. Root spheres sorted along an axis give the candidate pairs,
/// which are divided among threads.
/// \param bodies all bodies
/// \param out replaced by the contacts, in increasing order, independent of the thread count
/// \param scratch working memory, kept between queries
/// \param options kind of query
void find_crowd_contacts(std::span<Body> bodies, std::vector<BodyContact>& out, CrowdScratch& scratch,
                         const CrowdOptions& options = {});

/// A body at the start and at the end of a time step; both have the same tree.
struct Motion {
    Body* start = nullptr;
    Body* end = nullptr;
};

struct FirstTouch {
    bool touching = false;
    double time =
        1;  ///< 0 to 1, never later than the first contact; the pair is within the tolerance at this time
    Contact pair;  ///< one of the pairs that touch first
};

/// Finds the first contact of two bodies when every vertex moves along a straight line from the start to the
/// end pose.
/// \param a, b two bodies with their steps
/// \param scratch memory of this thread
/// \param tolerance distance that counts as touching; positive
/// \return the first contact; time runs from 0 to 1
/// \throws Error when start and end of a body have different trees, or the tolerance is not positive
FirstTouch find_first_touch(const Motion& a, const Motion& b, QueryScratch& scratch, double tolerance = 1e-4);

class ScrewStep;

/// A body with linear blending that moves between two poses, each joint along a screw motion. Its memory is
/// kept between steps; after it has grown, nothing is allocated.
class ScrewBody {
  public:
    /// \param tree shared by all bodies of the mesh
    explicit ScrewBody(const SphereTree& tree);
    ~ScrewBody();
    ScrewBody(ScrewBody&&) noexcept;
    ScrewBody& operator=(ScrewBody&&) noexcept;

    /// Sets a new step.
    /// \param start, end palettes of the two poses
    /// \throws Error when a palette is too short or not finite
    void set_step(std::span<const deform::Mat34f> start, std::span<const deform::Mat34f> end);

    /// \return internal data, for queries
    ScrewStep& step() { return *step_; }

  private:
    SphereTree tree_;
    std::unique_ptr<ScrewStep> step_;
};

/// As find_first_touch for straight lines, but for screw motions of the joints: the time is never later than
/// the first contact of the skinned vertices, and the pair is within the tolerance (and rounding) at this
/// time.
/// \param a, b two bodies with their steps
/// \param scratch memory of this thread
/// \param tolerance distance that counts as touching; positive
/// \return the first contact; time runs from 0 to 1
/// \throws Error when the tolerance is not positive
FirstTouch find_first_touch(ScrewBody& a, ScrewBody& b, QueryScratch& scratch, double tolerance = 1e-4);

}  // namespace sinew::collide
