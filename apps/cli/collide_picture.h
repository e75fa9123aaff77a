#pragma once
// Contacts as a picture: touching triangles on the bodies, and the balls of one level beside them.

#include "sinew/collide/query.h"
#include "sinew/render/camera.h"
#include "sinew/render/picture.h"

namespace sinew::cli {

struct ContactPictureOptions {
    int level = 4;  ///< of the balls; deeper leaves are shown where a branch ends above it
    render::View view = render::View::three_quarter;
};

/// Left the bodies with the triangles that touch in red; right the balls of one level as they are now, blue
/// where the query refitted them and red where it never came by.
render::Picture contact_picture(std::span<collide::Body* const> bodies,
                                std::span<const std::vector<std::uint32_t>> touching,
                                const ContactPictureOptions& options);

/// Bodies that are shown together under one caption.
struct BallPanel {
    std::string caption;
    std::vector<collide::Body*> bodies;
};

/// Balls of one level of every panel, side by side, seen alike.
render::Picture ball_sheet(std::span<const BallPanel> panels, const ContactPictureOptions& options);

}  // namespace sinew::cli
