#pragma once
/// \file
/// Steps of the search that queries share. Inside the room only.

#include "sinew/collide/query.h"

namespace sinew::collide {

/// Touching for tolerance 0, exactly; otherwise no farther apart than it.
bool triangles_near(const Corners& a, const Corners& b, double tolerance);

/// Corners of all triangles of a leaf into room.triangles.
void load_triangles(Body& body, const Node& leaf, QueryRoom& room);

void push_if_overlapping(Body& a, std::uint32_t node_a, Body& b, std::uint32_t node_b, QueryRoom& room,
                         double tolerance);

/// Opens the node with the larger ball and pushes its children with the other.
void push_children(Body& a, Body& b, const NodePair& pair, QueryRoom& room, double tolerance);

/// An empty stack, then the roots if they overlap.
void push_roots(Body& a, Body& b, QueryRoom& room, double tolerance);

}  // namespace sinew::collide
