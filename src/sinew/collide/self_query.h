#pragma once
/// \file
/// A body that touches itself: all pairs of triangles that share no corner.

#include "sinew/collide/query.h"

namespace sinew::collide {

/// What stays as it is at rest: node pairs that follow one joint keep their contacts in every pose.
struct RestContacts {
    std::vector<std::int32_t> node_joints;  ///< the one joint that moves all of a node, or -1
    std::vector<Contact> pairs;             ///< contacts at rest between triangles that follow one joint
};
RestContacts find_rest_contacts(const SphereTree& tree);

/// All pairs a < b of the mesh's triangles that touch without sharing a corner (corners split by a seam count
/// as shared), in rising order. With `rest` nodes that follow one joint are not searched. `out` is replaced.
void find_self_contacts(Body& body, std::vector<Contact>& out, QueryScratch& room,
                        const RestContacts* rest = nullptr);

/// Every pair of triangles, by the reference test: the oracle.
std::vector<Contact> brute_force_self_contacts(Body& body);

}  // namespace sinew::collide
