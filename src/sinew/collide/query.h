// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Which triangles of bodies touch? Yes or no, all pairs, with itself, the nearest pair, within a budget of
/// work, among many, and the first touch between two poses. Spheres are refitted only where the search comes
/// by.
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

/// Two triangles that touch, by their numbers in the meshes.
struct Contact {
    std::uint32_t a = 0, b = 0;
    auto operator<=>(const Contact&) const = default;
};

/// Stops at the first touch, and looks where the spheres overlap most. Spheres that it makes are quicker to
/// make, and up to a third larger, than those of other queries; they are kept for the pose.
/// \param a, b two bodies.
/// \param scratch of this thread.
/// \param tolerance 0 asks for touching, exactly.
/// \return true when some triangle of one lies within `tolerance` of one of the other.
bool touching(Body& a, Body& b, QueryScratch& scratch, double tolerance = 0);

/// Where two bodies touched last. It need not fit the poses at hand: the answer is the same whatever it
/// holds, only found sooner when little has changed.
struct TouchMemory {
    const TreeData* trees[2] = {nullptr, nullptr};  ///< that it is about; null when they did not touch
    std::uint32_t leaves[2] = {0, 0};
};

/// The same, frame after frame: looks first where these bodies touched when it was last asked.
/// \param a, b two bodies.
/// \param scratch of this thread.
/// \param memory of these bodies; brought up to date.
/// \param tolerance 0 asks for touching, exactly.
/// \return true when some triangle of one lies within `tolerance` of one of the other.
bool touching(Body& a, Body& b, QueryScratch& scratch, TouchMemory& memory, double tolerance = 0);

/// All pairs that touch.
/// \param a, b two bodies.
/// \param out is replaced by the pairs, in rising order.
/// \param scratch of this thread.
/// \param tolerance pairs no farther apart than this count too; 0 asks for touching, exactly.
void find_contacts(Body& a, Body& b, std::vector<Contact>& out, QueryScratch& scratch, double tolerance = 0);

/// The nearest two triangles.
struct Nearest {
    double distance = 0;  ///< 0 when the bodies touch, infinity when one has no triangles
    Contact pair;
};
/// \param a, b two bodies.
/// \param scratch of this thread.
/// \return the nearest two triangles; of several the first in order.
Nearest find_nearest(Body& a, Body& b, QueryScratch& scratch);

/// All pairs of triangles of one body that touch without sharing a corner; corners split by a seam count as
/// shared.
/// \param body a body.
/// \param out is replaced by the pairs a < b, in rising order.
/// \param scratch of this thread.
void find_self_contacts(Body& body, std::vector<Contact>& out, QueryScratch& scratch);

/// Two nodes whose spheres overlap.
struct NodePair {
    std::uint32_t a = 0, b = 0;
    double overlap = 0;  ///< how deep, where the search wants to know
};

/// Work that a query may do; 0 leaves it open. It may end a little later: pairs are opened whole, and leaves
/// are tested whole.
struct QueryBudget {
    std::size_t sphere_tests = 0;
    std::size_t refits = 0;
    std::size_t triangle_tests = 0;
};

/// What a query knew when its budget was spent.
struct BudgetedContacts {
    std::vector<Contact> contacts;  ///< that are sure, in rising order
    std::vector<NodePair> open;     ///< pairs of nodes that were not searched: all other contacts are in them
    /// \return true when all was done: the contacts are those of find_contacts().
    bool complete() const { return open.empty(); }
    /// \return true when the bodies surely do not touch.
    bool apart() const { return contacts.empty() && open.empty(); }

    /// The distance of the bodies lies between these two; infinite when one has no triangles.
    double nearest_min = 0, nearest_max = 0;
    /// Two nodes left open come apart when one moves by this from the other: how deep they can be in each
    /// other at most.
    double deepest = 0;
    /// Radius of the largest sphere left open: what the bodies are known by.
    double precision = 0;
    std::uint32_t levels = 0;  ///< of the search that were done
};

/// All contacts that can be found within a budget, level by level. What is known then is sure, and how well
/// it is known is part of the answer. \cite hubbard1996
/// \param a, b two bodies.
/// \param budget work that may be done.
/// \param out is replaced.
/// \param scratch of this thread.
void find_contacts_budgeted(Body& a, Body& b, const QueryBudget& budget, BudgetedContacts& out,
                            QueryScratch& scratch);

/// A contact between two bodies of a list, body_a < body_b.
struct BodyContact {
    std::uint32_t body_a = 0, body_b = 0;
    Contact pair;
    auto operator<=>(const BodyContact&) const = default;
};

struct CrowdOptions {
    bool first_only = false;  ///< one line for every pair of bodies that touches, its triangles not named
    double tolerance = 0;
    bool threads = true;
};

struct CrowdBuffers;

/// Memory of queries over many bodies, kept between them.
class CrowdScratch {
  public:
    CrowdScratch();
    ~CrowdScratch();

    /// \return what queries did, summed over everything so far.
    QueryCounts counts() const;
    /// \return the buffers as queries see them.
    CrowdBuffers& buffers() { return *buffers_; }

  private:
    std::unique_ptr<CrowdBuffers> buffers_;
};

/// All contacts between different bodies: root spheres sorted along an axis find the pairs that may meet,
/// threads share the pairs.
/// \param bodies all bodies.
/// \param out is replaced by the contacts, in rising order, the same whatever the thread count.
/// \param scratch kept between queries.
/// \param options the kind of query.
void find_crowd_contacts(std::span<Body> bodies, std::vector<BodyContact>& out, CrowdScratch& scratch,
                         const CrowdOptions& options = {});

/// A body at the start and at the end of a step; both of one tree.
struct Motion {
    Body* start = nullptr;
    Body* end = nullptr;
};

struct FirstTouch {
    bool touching = false;
    double time = 1;  ///< never later than the first contact; the pair is within the tolerance then
    Contact pair;     ///< one of those that touch first
};

/// When do two bodies first touch, while every vertex moves along a straight line from one pose to the next?
/// \param a, b two bodies and their steps.
/// \param scratch of this thread.
/// \param tolerance how near counts as touching; positive.
/// \return the first touch; times run from 0 to 1.
/// \throws Error when start and end of a body are not of one tree, or the tolerance is not positive.
FirstTouch find_first_touch(const Motion& a, const Motion& b, QueryScratch& scratch, double tolerance = 1e-4);

class ScrewStep;

/// A linearly blended body between two poses, every joint on a screw; kept between steps, nothing is
/// allocated once it has grown.
class ScrewBody {
  public:
    /// \param tree shared by the body.
    explicit ScrewBody(const SphereTree& tree);
    ~ScrewBody();
    ScrewBody(ScrewBody&&) noexcept;
    ScrewBody& operator=(ScrewBody&&) noexcept;

    /// A new step.
    /// \param start, end palettes of both poses.
    /// \throws Error when a palette is too short or not finite.
    void set_step(std::span<const deform::Mat34f> start, std::span<const deform::Mat34f> end);

    /// \return the step as queries see it.
    ScrewStep& step() { return *step_; }

  private:
    SphereTree tree_;
    std::unique_ptr<ScrewStep> step_;
};

/// As the first touch along straight lines, for true in-between motions: the time is never later than the
/// first contact of vertices as skinning computes them, and the pair is within the tolerance (and rounding)
/// then.
/// \param a, b two bodies and their steps.
/// \param scratch of this thread.
/// \param tolerance how near counts as touching; positive.
/// \return the first touch; times run from 0 to 1.
/// \throws Error when the tolerance is not positive.
FirstTouch find_first_touch(ScrewBody& a, ScrewBody& b, QueryScratch& scratch, double tolerance = 1e-4);

}  // namespace sinew::collide
