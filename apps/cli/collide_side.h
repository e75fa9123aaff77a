// SPDX-License-Identifier: MIT
#pragma once
// Bodies of a collision query, read from files; shared by collide and render.

#include "common.h"

#include "sinew/collide/query.h"

namespace sinew::cli {

/// One side of a query.
struct CollideSide {
    model::Character character;
    const model::Clip* clip = nullptr;
    collide::SphereTree tree;
    collide::MorphBounds morphs;  ///< of the mesh; none without morphs
    math::Vec3d offset = math::Vec3d::Zero();

    /// Palette at a time; outside its clip a body does not move, and a body without a skin is rigid.
    std::vector<deform::Mat34f> palette(double time) const;
};

/// The body of a side, with its morphs and its palette at a time. The side must outlive it.
class PlayedSide {
  public:
    PlayedSide(const CollideSide& side, deform::Method method);
    PlayedSide(const PlayedSide&) = delete;
    PlayedSide& operator=(const PlayedSide&) = delete;

    void pose(double time);
    collide::Body& body() { return body_; }

  private:
    const CollideSide& side_;
    collide::Body body_;
};

/// Reads a body and builds its tree. \throws Error when it has no triangles.
CollideSide load_side(Run& run, const std::filesystem::path& path, const io::ReadOptions& read,
                      const std::string& clip);

/// All contacts of two bodies, or of `a` with itself when `b` is null.
std::vector<collide::Contact> contacts_of(collide::Body& a, collide::Body* b, collide::QueryScratch& scratch,
                                          double tolerance = 0);

/// --move x,y,z of the second body.
void add_move_option(CLI::App& verb, std::vector<double>& move);

}  // namespace sinew::cli
