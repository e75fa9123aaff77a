// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// The programs of the renderer.

#include <string>

#include "sinew/render/gl/objects.h"

namespace sinew::render::gl {

/// Texture units, the same in all programs.
enum Unit : int {
    unit_base_color = 0,
    unit_shadow = 1,
    unit_ground_shadow = 2,
    unit_contact = 3,
    unit_palette = 4
};

/// Data of the frame for all programs: the uniform block `Frame`, in std140 layout.
struct FrameBlock {
    math::Mat4f view_projection;
    math::Mat4f shadow_matrix;   ///< world to the unit cube of the shadow map
    math::Mat4f contact_matrix;  ///< world to the unit cube of the map of heights above the ground
    math::Vec4f eye;             ///< w: 1 in perspective, 0 when orthographic
    math::Vec4f backward;        ///< unit, from the scene to the eye
    math::Vec4f key_direction;   ///< unit, to the light; w: exposure
    math::Vec4f fill_direction;
    math::Vec4f rim_direction;
    math::Vec4f viewport;  ///< width and height of this tile, and its left and bottom in the picture
    math::Vec4f shadow;  ///< texel in uv, texel in the world, depth range in the world, 1 when shadows are on
    math::Vec4f ground;  ///< height, major spacing, reach, depth range of the heights
    math::Vec4f ground_center;  ///< xyz; w: side length of the shadow maps in the world
    math::Vec4f ground_parts;   ///< 1 each: grid, axes, shadow; w: 1 on a transparent background
    math::Vec4f dark_box;       ///< low x, low z, high x, high z of the ground area that shadows can reach
    math::Vec4f background_center;  ///< w: width of the picture
    math::Vec4f background_edge;    ///< w: height of the picture
};

struct Programs {
    Program surface;     ///< lit or unlit triangles
    Program depth;       ///< depth only, with the alpha test
    Program wire;        ///< edges of triangles
    Program background;  ///< a triangle over the whole picture
    Program ground;
    Program ground_dark;  ///< shadows on the ground
    Program composite;    ///< one picture over another
    Program
        ground_shadow;  ///< the shadow map seen from the ground: coverage and distance of the casting objects
    Program contact;    ///< heights above the ground as occlusion
    Program shape;      ///< bones and spheres
    Program segment;
    Program point;
};

Programs make_programs();

std::string_view frame_source();  ///< version and the block Frame
/// A source after the block Frame and, if given, the functions that it calls.
std::string with_frame(std::string_view source, std::string_view before = {});
std::string_view lighting_source();  ///< functions for the lighting of a point
std::string surface_fragment();      ///< the whole fragment shader of lit or unlit triangles
std::string depth_fragment();        ///< likewise for depth alone

Program make_surface_program();
Program make_depth_program();
Program make_wire_program();
Program make_background_program();
Program make_ground_program();
Program make_ground_dark_program();
Program make_composite_program();
Program make_ground_shadow_program();
Program make_contact_program();
Program make_shape_program();
Program make_segment_program();
Program make_point_program();

}  // namespace sinew::render::gl
