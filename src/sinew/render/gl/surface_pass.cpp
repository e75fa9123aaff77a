// SPDX-License-Identifier: MIT
#include "sinew/render/gl/passes.h"

namespace sinew::render::gl {
namespace {

void begin_surface(const Program& program, const FrameBlock& frame) {
    program.use();
    program.set("projection", frame.view_projection);
    program.set("base_color_map", unit_base_color);
    program.set("shadow_map", unit_shadow);
}

void set_look(const Program& program, const Drawable& drawable) {
    program.set("shading", static_cast<int>(drawable.shading));
    program.set("opacity", drawable.opacity);
}

math::Vec3f backward(const FrameBlock& frame) {
    return frame.backward.head<3>();
}

/// The drawable with fill `surface`, whatever its own fill is.
Drawable as_surface(const Drawable& drawable) {
    Drawable whole = drawable;
    whole.fill = Fill::surface;
    return whole;
}

/// Draws depth first, then colour at equal depth: only the nearest layer of a translucent mesh is drawn, and
/// objects inside it are blended once.
void draw_translucent(const Programs& programs, const FrameBlock& frame, const Draw& draw) {
    glDisable(GL_BLEND);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    programs.depth.use();
    programs.depth.set("projection", frame.view_projection);
    programs.depth.set("base_color_map", unit_base_color);
    draw.mesh->draw(programs.depth, *draw.drawable, Pick::all, backward(frame));
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_BLEND);
    glDepthFunc(GL_EQUAL);
    begin_surface(programs.surface, frame);
    set_look(programs.surface, *draw.drawable);
    draw.mesh->draw(programs.surface, *draw.drawable, Pick::all, backward(frame));
    glDepthFunc(GL_LEQUAL);
}

/// Draws far sides before near sides; blended parts do not hide each other.
void draw_blended_parts(const Programs& programs, const FrameBlock& frame, const Draw& draw) {
    begin_surface(programs.surface, frame);
    set_look(programs.surface, *draw.drawable);
    glDepthMask(GL_FALSE);
    glEnable(GL_CULL_FACE);
    for (const GLenum hidden : {GL_FRONT, GL_BACK}) {
        glCullFace(hidden);
        draw.mesh->draw(programs.surface, *draw.drawable, Pick::blended, backward(frame));
    }
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_TRUE);
}

}  // namespace

void draw_opaque(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws) {
    glDisable(GL_BLEND);
    begin_surface(programs.surface, frame);
    for (const Draw& draw : draws) {
        if (draw.drawable->opacity < 1 || draw.drawable->fill == Fill::wire) continue;
        set_look(programs.surface, *draw.drawable);
        draw.mesh->draw(programs.surface, *draw.drawable, Pick::opaque, backward(frame));
    }
}

void draw_blended(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws) {
    glEnable(GL_BLEND);
    for (const Draw& draw : draws) {
        if (draw.drawable->fill == Fill::wire) continue;
        if (draw.drawable->opacity < 1)
            draw_translucent(programs, frame, draw);
        else
            draw_blended_parts(programs, frame, draw);
    }
}

void draw_wires(const Programs& programs, const FrameBlock& frame, std::span<const Draw> draws) {
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-0.5f, -1.0f);
    programs.wire.use();
    programs.wire.set("projection", frame.view_projection);
    for (const Draw& draw : draws) {
        if (!draw.drawable->wireframe && draw.drawable->fill != Fill::wire) continue;
        programs.wire.set("wire_color", draw.drawable->wire_color);
        draw.mesh->draw(programs.wire, as_surface(*draw.drawable), Pick::all, backward(frame));
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
}

void draw_casters(const Programs& programs, const math::Mat4f& projection, std::span<const Draw> draws) {
    programs.depth.use();
    programs.depth.set("projection", projection);
    programs.depth.set("base_color_map", unit_base_color);
    for (const Draw& draw : draws)
        if (draw.drawable->casts_shadow)
            draw.mesh->draw(programs.depth, as_surface(*draw.drawable), Pick::all, math::Vec3f::UnitZ());
}

}  // namespace sinew::render::gl
