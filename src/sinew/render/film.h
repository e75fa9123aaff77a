// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Characters as pictures and films. Films are piped to the program ffmpeg.
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
    int quality = 18;  ///< constant rate factor of the encoder: lower is better and larger, 0 .. 51
};

/// Writes a film frame by frame. The suffix chooses the kind: mp4, mov, mkv (H.264), webm (VP9), gif. The
/// file appears when `finish` succeeds; before that, and after a failure, there is none.
class FilmWriter {
  public:
    /// \throws Error when ffmpeg is not installed (and what to install), or the suffix, size or rate is no
    /// good.
    FilmWriter(std::filesystem::path path, int width, int height, const FilmOptions& options = {});
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;
    ~FilmWriter();

    /// \throws Error when the size differs from the film's or ffmpeg has given up.
    void add(const Picture& frame);
    /// \throws Error with ffmpeg's own words when it failed.
    void finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// True when films can be written here.
bool has_ffmpeg();

/// Writes `count` frames; `frame(i)` gives each. All must have the size of the first.
void render_film(const std::filesystem::path& path, std::size_t count, const FilmOptions& options,
                 const std::function<Picture(std::size_t)>& frame, Monitor& monitor = silent());

// Pictures and films of characters.

/// What the surface shows.
enum class Coloring {
    material,       ///< materials, textures and vertex colours
    plain,          ///< one colour, clay
    weights,        ///< a colour for each joint, blended by weight
    joint_weights,  ///< weights of one joint as heat
    sets,           ///< a colour for each influence set
    parts,          ///< a colour for each named part of the mesh
    values,         ///< a number for each vertex as heat
};

enum class SkeletonView {
    none,
    over,  ///< drawn over the mesh
    xray,  ///< inside a translucent mesh, which shows weights or values but no materials
};

/// How the camera of a film moves.
enum class FilmCamera {
    whole,   ///< stands still and sees the whole motion
    follow,  ///< goes along with the character
};

struct RenderOptions {
    int width = 1280;
    int height = 720;
    int samples = 4;

    View view = View::three_quarter;
    std::optional<Camera> camera;  ///< instead of a view
    FitOptions fit;
    FilmCamera film_camera = FilmCamera::whole;

    Coloring coloring = Coloring::material;
    int joint = 0;                    ///< of the skeleton, whose weights are shown
    std::vector<float> values;        ///< one a vertex
    std::optional<ValueRange> range;  ///< of the values; what they span when not given
    Shading shading = Shading::smooth;
    bool wireframe = false;
    SkeletonView skeleton = SkeletonView::none;
    SkeletonStyle skeleton_style;
    float xray_opacity = 0.3f;  ///< of the mesh where it faces the camera

    bool ground = true;
    std::optional<float> ground_height;  ///< 0 when the lowest point is near it, otherwise the lowest point
    Background background;
    Lighting lighting;
    deform::Method method = deform::Method::lbs;
    /// Channels that drive camera, lights and colours, on the clock of the clip; see direction.h.
    model::ChannelSet direction;
    /// What is drawn with the character at a time of its clip; may be empty.
    std::function<Overlay(double time)> beside;
};

/// A character ready to be drawn again and again: its mesh is on the card, each pose uploads only what moved.
class CharacterRenderer {
  public:
    /// The renderer and the character must outlive this.
    /// \throws Error when there is neither mesh nor skeleton, or an option does not fit the character.
    CharacterRenderer(Renderer& renderer, const model::Character& character,
                      const RenderOptions& options = {}, Monitor& monitor = silent());

    /// Deforms the character; `clip` null is the rest pose.
    void pose(const model::Clip* clip, double time);
    /// Puts the vertices where a frame of a mesh sequence has them; normals are computed.
    void pose(std::span<const Vec3f> positions);
    /// Box of the pose, skeleton included when it is drawn.
    Box bounds() const;
    /// A camera that fits the pose, by the options.
    Camera camera() const;
    /// Things to be drawn with the character; what is in here already may be changed, and overlays added.
    Scene& scene() { return scene_; }
    void set_ground(const Box& box);
    /// When it is, for channels that drive the picture; `pose` of a clip sets it too.
    void set_time(double time) { time_ = time; }

    Picture picture(const Camera& camera);

  private:
    void show_vertices();
    std::vector<Vec3f> points() const;

    Renderer& renderer_;
    const model::Character& character_;
    RenderOptions options_;
    std::optional<MeshHold> mesh_;
    std::shared_ptr<deform::Deformer> deformer_;  ///< owned alone; shared only so that its type stays inside
    std::vector<Vec3f> positions_;
    std::vector<Vec3f> normals_;
    std::vector<Vec4f> colors_;
    Scene scene_;
    model::StagePlayer direction_;
    double time_ = 0;
};

/// One picture; `clip` null shows the rest pose.
Picture render_character(Renderer& renderer, const model::Character& character, const model::Clip* clip,
                         double time, const RenderOptions& options = {}, Monitor& monitor = silent());

/// What a film shows of a clip.
struct FilmRange {
    double start = 0;
    double rate = 30;
    std::size_t frames = 1;
    double time(std::size_t frame) const { return start + static_cast<double>(frame) / rate; }
};
/// The whole clip at `rate` frames per second.
FilmRange film_range(const model::Clip& clip, double rate = 30);

/// A crowd of copies in rows, each at another moment of the clip, skinned on the graphics card.
/// \param renderer draws it
/// \param character with a skin
/// \param clip that all play
/// \param count number of copies
/// \param options size, camera, ground, background, lighting and method (lbs, dqs, sbs or qlb)
/// \throws Error when the character has no skin, or its method has no shader.
Picture render_crowd(Renderer& renderer, const model::Character& character, const model::Clip& clip,
                     std::size_t count, const RenderOptions& options = {});

/// A film of a clip; returns the number of frames.
std::size_t render_character_film(Renderer& renderer, const std::filesystem::path& path,
                                  const model::Character& character, const model::Clip& clip,
                                  const RenderOptions& options = {}, const FilmOptions& film = {},
                                  Monitor& monitor = silent());

}  // namespace sinew::render
