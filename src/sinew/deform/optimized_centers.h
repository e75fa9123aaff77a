#pragma once
/// \file
/// Optimised centres of rotation (Le and Hodgins 2016): computed once from the rest mesh and its weights,
/// then every vertex turns about its own (Method::cor).

#include <vector>

#include "sinew/deform/method.h"
#include "sinew/geometry/mesh.h"
#include "sinew/model/skin.h"

namespace sinew::deform {

struct CenterOptions {
    double width = 0.1;  ///< how fast the likeness of two weight lists falls off
};

/// c_k = sum over triangles of s(w_k, w_t) area_t centroid_t, divided by the sum of s area, with
/// s(p, v) = sum over pairs of joints of p_j p_l v_j v_l exp(-(p_j v_l - p_l v_j)^2 / width^2) and w_t the
/// mean weights of the corners. Only triangles that share a pair of joints with the vertex are visited. A
/// vertex like no triangle keeps its own place, about which every joint turns it alike.
/// \throws Error when mesh and skin do not fit.
std::vector<math::Vec3f> optimized_centers(const geometry::Mesh& mesh, const model::Skin& skin,
                                           const CenterOptions& options = {});

/// What DeformOptions::centers has to hold for a method: optimised centres for Method::cor, else nothing.
std::vector<math::Vec3f> centers_for(Method method, const geometry::Mesh& mesh, const model::Skin& skin);

}  // namespace sinew::deform
