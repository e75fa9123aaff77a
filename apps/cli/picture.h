// SPDX-License-Identifier: MIT
#pragma once
// Pictures and films, shared by render, animate and demo.

#include "common.h"

#include "sinew/render/film.h"

namespace sinew::cli {

/// Command-line options of a picture.
struct PictureOptions {
    render::RenderOptions render;
    std::string size = "1280x720";
    std::string joint;                  ///< the joint whose weights are shown
    bool local = false;                 ///< only the vertices that this joint moves, in its own frame
    double fps = 30;                    ///< of a film
    std::vector<std::string> overlays;  ///< intermediate results of blending, drawn over a picture
    std::filesystem::path direction;    ///< .clip file with channels of camera, lights and colours
    bool no_ground = false;
    bool transparent = false;
};
void add_picture_options(CLI::App& verb, PictureOptions& options);
/// --camera alone.
void add_camera_option(CLI::App& verb, render::View& view);

/// The options for the renderer, for a character. \throws Error for an invalid size or an unknown joint.
render::RenderOptions picture_settings(const PictureOptions& options, const model::Character& character,
                                       deform::Method method);

/// True when the suffix is that of a picture or film rather than a model.
bool is_picture(const std::filesystem::path& path);

/// Writes a picture at one instant, or a film of the whole clip or sequence; returns its height.
int write_picture(Run& run, const io::Asset& asset, const Instant& instant, deform::Method method,
                  const PictureOptions& options, const std::filesystem::path& output);

/// Writes a heat map of the distance between two methods at one instant.
void write_difference(Run& run, const model::Character& character, const Instant& instant, deform::Method a,
                      deform::Method b, const PictureOptions& options, const std::filesystem::path& output);

}  // namespace sinew::cli
