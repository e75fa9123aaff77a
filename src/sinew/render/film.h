// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Pictures and films of characters. Films are encoded by the program ffmpeg.
///
/// \code
/// render::Renderer renderer;
/// render::save_png("pose.png", render::render_character(renderer, man, model::find_clip(man, "walk"), 0.5));
/// render::render_character_film(renderer, "walk.mp4", man, man.clips[0]);
/// \endcode

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "sinew/base/monitor.h"
#include "sinew/deform/method.h"
#include "sinew/model/channels.h"
#include "sinew/model/character.h"
#include "sinew/render/renderer.h"
#include "sinew/render/view.h"

namespace sinew::deform {
class Deformer;
}

namespace sinew::render {

struct FilmOptions {
    double rate = 30;  ///< frames per second
    int quality = 18;  ///< constant rate factor of the encoder, 0 to 51: lower is better and larger
};

/// Writes a film frame by frame. The suffix selects the format: mp4, mov, mkv (H.264), webm (VP9), gif. The
/// file appears when `finish` succeeds; before that, and after a failure, it does not exist.
class FilmWriter {
  public:
    /// \throws Error when ffmpeg is not installed (with instructions), or the suffix, size or rate is invalid
    FilmWriter(std::filesystem::path path, int width, int height, const FilmOptions& options = {});
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;
    ~FilmWriter();

    /// \throws Error when the size differs from the film's or ffmpeg has failed
    void add(const Picture& frame);
    /// \throws Error with the message of ffmpeg when it failed
    void finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// True when ffmpeg is available.
bool has_ffmpeg();

/// Writes `count` frames, produced by `frame(i)`. All must have the size of the first.
void render_film(const std::filesystem::path& path, std::size_t count, const FilmOptions& options,
                 const std::function<Picture(std::size_t)>& frame, Monitor& monitor = silent());

// Pictures and films of characters.

/// Colouring of the surface.
enum class Coloring {
    material,       ///< materials, textures and vertex colours
    plain,          ///< one clay colour
    weights,        ///< one colour per joint, blended by weight
    joint_weights,  ///< weights of one joint as a heat map
    sets,           ///< one colour per influence set
    parts,          ///< one colour per named part of the mesh
    values,         ///< one value per vertex as a heat map
};

enum class SkeletonView {
    none,
    over,  ///< drawn over the mesh
    xray,  ///< inside a translucent mesh, which shows weights or values but no materials
};

/// Movement of the camera of a film.
enum class FilmCamera {
    whole,   ///< fixed; shows the whole motion
    follow,  ///< follows the character
};

struct RenderOptions {
    int width = 1280;
    int height = 720;
    int samples = 4;

    View view = View::three_quarter;
    std::optional<Camera> camera;  ///< used instead of `view`
    FitOptions fit;
    FilmCamera film_camera = FilmCamera::whole;

    Coloring coloring = Coloring::material;
    int joint = 0;                    ///< index of the joint whose weights are shown
    std::vector<float> values;        ///< one per vertex
    std::optional<ValueRange> range;  ///< range of the values; if not set, that of the data
    Shading shading = Shading::smooth;
    bool wireframe = false;
    SkeletonView skeleton = SkeletonView::none;
    SkeletonStyle skeleton_style;
    float xray_opacity = 0.3f;  ///< opacity of the mesh where it faces the camera, 0 to 1

    bool ground = true;
    std::optional<float>
        ground_height;  ///< if not set, 0 when the lowest point is near it, otherwise the lowest point
    Background background;
    Lighting lighting;
    deform::Method method = deform::Method::lbs;
    /// Channels that drive camera, lights and colours, in the time of the clip; see direction.h.
    model::ChannelSet direction;
    /// Additional shapes to draw at a time of the clip; may be empty.
    std::function<Overlay(double time)> beside;
};

/// Draws one character repeatedly: its mesh stays on the graphics card, and each pose uploads only what
/// changed.
class CharacterRenderer {
  public:
    /// Renderer and character must outlive this object.
    /// \throws Error when there is neither mesh nor skeleton, or an option does not match the character
    CharacterRenderer(Renderer& renderer, const model::Character& character,
                      const RenderOptions& options = {}, Monitor& monitor = silent());

    /// Deforms the character; a null `clip` gives the rest pose.
    void pose(const model::Clip* clip, double time);
    /// Sets vertex positions from a frame of a mesh sequence; normals are computed.
    void pose(std::span<const Vec3f> positions);
    /// Bounding box of the pose, including the skeleton if it is drawn.
    Box bounds() const;
    /// A camera that frames the pose, by the options.
    Camera camera() const;
    /// The scene that is drawn; its elements may be changed and overlays added.
    Scene& scene() { return scene_; }
    void set_ground(const Box& box);
    /// Sets the time for channels that drive the picture; `pose` with a clip sets it too.
    void set_time(double time) { time_ = time; }

    Picture picture(const Camera& camera);

  private:
    void show_vertices();
    std::vector<Vec3f> points() const;

    Renderer& renderer_;
    const model::Character& character_;
    RenderOptions options_;
    std::optional<MeshHold> mesh_;
    std::shared_ptr<deform::Deformer>
        deformer_;  ///< exclusively owned; a shared_ptr only to keep its type incomplete here
    std::vector<Vec3f> positions_;
    std::vector<Vec3f> normals_;
    std::vector<Vec4f> colors_;
    Scene scene_;
    model::StagePlayer direction_;
    double time_ = 0;
};

/// Renders one picture; a null `clip` gives the rest pose.
Picture render_character(Renderer& renderer, const model::Character& character, const model::Clip* clip,
                         double time, const RenderOptions& options = {}, Monitor& monitor = silent());

/// Frames of a clip that a film shows.
struct FilmRange {
    double start = 0;
    double rate = 30;
    std::size_t frames = 1;
    double time(std::size_t frame) const { return start + static_cast<double>(frame) / rate; }
};
/// The whole clip at `rate` frames per second.
FilmRange film_range(const model::Clip& clip, double rate = 30);

/// Renders copies of a character in rows, each at a different time of the clip, skinned on the graphics card.
/// \param renderer draws the picture
/// \param character with a skin
/// \param clip clip that all copies play
/// \param count number of copies
/// \param options size, camera, ground, background, lighting and method (lbs, dqs, sbs or qlb)
/// \throws Error when the character has no skin, or its method has no shader
Picture render_crowd(Renderer& renderer, const model::Character& character, const model::Clip& clip,
                     std::size_t count, const RenderOptions& options = {});

/// Renders a film of a clip; returns the number of frames.
std::size_t render_character_film(Renderer& renderer, const std::filesystem::path& path,
                                  const model::Character& character, const model::Clip& clip,
                                  const RenderOptions& options = {}, const FilmOptions& film = {},
                                  Monitor& monitor = silent());

}  // namespace sinew::render
