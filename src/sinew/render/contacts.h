#pragma once
/// \file
/// Contacts as a picture: touching triangles on the bodies, and the spheres of one level beside them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/collide/query.h"
#include "sinew/render/character.h"

namespace sinew::render {

/// Bodies as a query left them, and the triangles of each (by their numbers in its mesh) that touch.
struct ContactScene {
    std::vector<collide::Body*> bodies;
    std::vector<std::vector<std::uint32_t>> touching;
};

/// What a query of two bodies found, or of one with itself when `b` is null.
ContactScene contact_scene(collide::Body& a, collide::Body* b, std::span<const collide::Contact> contacts);

/// Box around the bodies in their poses, for a camera that sees all of a film.
Box contact_bounds(const ContactScene& scene);

struct ContactPictureOptions {
    /// Level of the spheres (0 is the root); leaves are shown where a branch ends above it. Without one only
    /// the bodies are drawn.
    std::optional<int> level = 4;
    /// Size, camera, ground and background; surfaces are always flat and in the colours of contacts.
    RenderOptions render;
};

/// The bodies with the triangles that touch in red; beside them the spheres of one level as they are now, blue
/// where the query refitted them and red where it never came by.
Picture contact_picture(Renderer& renderer, const ContactScene& scene, const ContactPictureOptions& options);

/// Bodies whose spheres are shown together under one caption.
struct SpherePanel {
    std::string caption;
    std::vector<collide::Body*> bodies;
};

/// Spheres of one level of every panel, side by side, seen alike.
Picture sphere_sheet(Renderer& renderer, std::span<const SpherePanel> panels,
                   const ContactPictureOptions& options);

}  // namespace sinew::render
