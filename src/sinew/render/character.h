#pragma once
/// \file
/// Pictures and films of characters.

#include <functional>
#include <optional>
#include <span>

#include "sinew/deform/method.h"
#include "sinew/model/channels.h"
#include "sinew/model/character.h"
#include "sinew/render/renderer.h"
#include "sinew/render/film.h"
#include "sinew/render/skeleton_overlay.h"

namespace sinew::render {

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
    CharacterRenderer(Renderer& renderer, const model::Character& character, const RenderOptions& options = {},
                   Monitor& monitor = silent());

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
    void place_ground(const Box& box);
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
    model::InfluenceSets sets_;
    std::vector<Vec3f> centers_;  ///< of rotation, for Method::cor
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
/// The whole clip at `rate` frames a second.
FilmRange film_range(const model::Clip& clip, double rate = 30);

/// A film of a clip; returns the number of frames.
std::size_t render_character_film(Renderer& renderer, const std::filesystem::path& path,
                                  const model::Character& character, const model::Clip& clip,
                                  const RenderOptions& options = {}, const FilmOptions& film = {},
                                  Monitor& monitor = silent());

}  // namespace sinew::render
