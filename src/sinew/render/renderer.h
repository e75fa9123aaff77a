// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Draws scenes into pictures: meshes on the graphics card, shapes over them, ground and background, seen by
/// a camera.
/// \code
/// render::Renderer renderer;
/// const render::MeshHold mesh(renderer, character.mesh);
/// render::Scene scene;
/// scene.drawables.push_back({.mesh = mesh.id()});
/// const render::Camera camera = render::fit(render::View::front,
/// geometry::bounds(character.mesh.positions), 16.0f / 9); render::save_png("front.png",
/// renderer.render(scene, camera));
/// \endcode

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/types.h"
#include "sinew/model/skin.h"

namespace sinew::render {

using Pixel = std::array<std::uint8_t, 4>;  ///< red, green, blue, alpha; sRGB, alpha not multiplied in

/// Rows from the top, no padding.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Pixel> pixels;

    Picture() = default;
    /// \throws Error when a side is not within 1 .. max_side.
    Picture(int width, int height, Pixel fill = {0, 0, 0, 0});

    static constexpr int max_side = 8192;
    bool empty() const { return pixels.empty(); }
    Pixel& at(int x, int y) { return pixels[index(x, y)]; }
    const Pixel& at(int x, int y) const { return pixels[index(x, y)]; }
    bool operator==(const Picture&) const = default;

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// \param width, height in pixels
/// \throws Error when a side is not within 1 .. Picture::max_side.
void check_size(int width, int height);

/// \return PNG bytes; the same picture gives the same bytes
/// \throws Error when the picture is empty.
std::string encode_png(const Picture& picture);
/// Writes a PNG whole or not at all.
/// \param path the file, whatever its suffix
/// \param picture what is written
/// \throws Error when the picture is empty or the file cannot be written.
void save_png(const std::filesystem::path& path, const Picture& picture);

/// Decodes PNG or JPEG.
/// \param bytes the whole file
/// \param location name of the picture in errors
/// \throws Error when it is neither, is broken, or has a side above Picture::max_side.
Picture decode_picture(Bytes bytes, std::string_view location);
/// Reads a PNG or JPEG file.
/// \throws Error when it cannot be read or is no such picture.
Picture load_picture(const std::filesystem::path& path);

/// \return the mean absolute difference of all channels, in steps of 1/255
/// \throws Error when the sizes differ.
double mean_difference(const Picture& a, const Picture& b);

// Colours for data: one per joint, weights, scalars. All are linear light unless the name says sRGB.

using math::Vec3f;
using math::Vec4f;

/// The transfer curve of sRGB (IEC 61966-2-1), one channel in 0 .. 1.
float srgb_from_linear(float linear);
/// The inverse of `srgb_from_linear`.
float linear_from_srgb(float encoded);

/// With alpha 1.
inline Vec4f opaque(const Vec3f& color) {
    return {color.x(), color.y(), color.z(), 1.0f};
}

/// Linear light from OKLab's cylinder (Ottosson 2020): lightness 0 .. 1, chroma, hue in parts of a full
/// circle; out-of-range channels are clamped.
Vec3f color_from_oklch(float lightness, float chroma, float hue);

/// A colour for joint i. Hues step by the golden ratio, so that neighbours in the list are 138 degrees apart,
/// and lightness alternates, so that hues that come close again still differ.
Vec3f joint_color(std::size_t joint);

/// `value` 0 .. 1 from cold to hot (blue, cyan, green, yellow, red), even in perceived steps.
Vec3f heat_color(float value);

/// Each vertex in the colours of its joints, blended by weight.
std::vector<Vec4f> weight_colors(const model::Skin& skin);
/// Weight of one palette entry as heat.
/// \throws Error when there is no such entry.
std::vector<Vec4f> joint_weight_colors(const model::Skin& skin, std::size_t palette_entry);

/// The colour of an influence set; sets of one joint have that of the joint, paler.
Vec3f set_color(const model::InfluenceSets& sets, std::size_t set);
/// Each vertex in the colour of its influence set.
std::vector<Vec4f> set_colors(const model::InfluenceSets& sets);

/// The mesh with a plain material for each named part instead of its own, called as the part is: what was cut
/// shows in every program. Parts with the same name have the same colour.
geometry::Mesh with_part_colors(geometry::Mesh mesh);

/// From the coldest to the hottest value.
struct ValueRange {
    float low = 0;
    float high = 1;
};
/// \return the range of the finite values; 0 .. 1 when there are none.
ValueRange value_range(std::span<const float> values);
/// Scalars as heat, `low` coldest; values outside are clamped, values that are not finite are grey.
std::vector<Vec4f> scalar_colors(std::span<const float> values, const ValueRange& range);

// Where a picture is taken from.

using geometry::Box;
using math::Mat4f;

/// Directions to look from, for a character that faces +Z with +Y up. `left` shows its left side (the camera
/// is at +X), `three_quarter` is from the front, rotated towards its left and slightly above.
enum class View { three_quarter, front, back, left, right, top };

/// \return such as "front" or "three-quarter"
std::string_view name_of(View view);

struct Camera {
    Vec3f eye = Vec3f(0, 0, 3);
    Vec3f target = Vec3f::Zero();
    Vec3f up = Vec3f::UnitY();
    float fov = static_cast<float>(math::radians(30));  ///< vertical, in radians
    bool orthographic = false;
    float height = 2;  ///< of what is seen, when orthographic

    Vec3f backward() const;  ///< unit, from the target to the eye
    Vec3f right() const;
    Vec3f upward() const;  ///< unit, upright in the picture
    float distance() const { return (eye - target).norm(); }
};

struct FitOptions {
    float margin = 0.08f;  ///< free border on each side, as part of the picture's side
    float fov = static_cast<float>(math::radians(30));
    bool orthographic = false;
};

/// Unit direction from the target to the eye, and what is up.
struct ViewAxes {
    Vec3f backward;
    Vec3f up;
};
/// \return the axes of a named view.
ViewAxes axes_of(View view);
/// \param azimuth from +Z towards +X, in radians
/// \param elevation above the horizon, in radians
ViewAxes axes_of(float azimuth, float elevation);

/// \param axes where to look from
/// \param points what must be seen
/// \param aspect width / height of the picture
/// \param options margin and field of view
/// \return the camera nearest to the points that sees all of them with the margin, centred.
Camera fit(const ViewAxes& axes, std::span<const Vec3f> points, float aspect, const FitOptions& options = {});
/// The same for the corners of a box.
Camera fit(const ViewAxes& axes, const Box& box, float aspect, const FitOptions& options = {});
/// The same from a named view.
Camera fit(View view, const Box& box, float aspect, const FitOptions& options = {});

/// \return world to camera, right-handed, looking along -Z.
Mat4f view_matrix(const Camera& camera);
/// \param camera its field of view and kind of projection
/// \param aspect width / height of the picture
/// \param near, far distances from the eye, above 0
/// \return camera to OpenGL's clip space: z from -w to w.
Mat4f projection_matrix(const Camera& camera, float aspect, float near, float far);

// What a picture shows: meshes that live on the graphics card, shapes laid over them, ground and background.

/// A mesh that a Renderer holds.
enum class MeshId : std::uint32_t {};

enum class Shading {
    smooth,  ///< lit, with the vertex normals
    flat,    ///< lit, one normal a triangle
    unlit,   ///< the colours as they are
};

enum class Surface {
    material,  ///< the mesh's materials, textures and vertex colours
    plain,     ///< Drawable::color
    colors,    ///< Drawable::colors
};

/// What is drawn of the triangles. Shadows are always those of the surface.
enum class Fill {
    surface,
    wire,    ///< edges only: what is inside shows
    points,  ///< vertices only, lit by their normals: what is inside shows
};

/// A mesh in the scene. Spans that are empty leave what the card holds from before, so that a frame uploads
/// only what moved; positions without normals get smooth normals computed from them.
struct Drawable {
    MeshId mesh{};
    std::span<const Vec3f> positions;
    std::span<const Vec3f> normals;
    std::span<const Vec4f> colors;  ///< linear RGBA per vertex, shown when surface is `colors`
    Surface surface = Surface::material;
    Shading shading = Shading::smooth;
    Vec4f color = Vec4f(0.36f, 0.375f, 0.40f, 1);
    Fill fill = Fill::surface;
    bool wireframe = false;  ///< edges over the surface
    Vec4f wire_color = Vec4f(0.02f, 0.025f, 0.035f, 0.55f);
    float point_size = 3;  ///< pixels
    float opacity = 1;     ///< below 1 the nearest layer is blended over what lies inside and behind
    bool casts_shadow = true;
};

class GpuSkinner;

/// One of many that share a mesh and a clip.
struct CrowdMember {
    math::Mat4f placement = math::Mat4f::Identity();  ///< affine, acts after the skin
    std::int32_t frame = 0;                           ///< of the skinner's palettes
};

/// Characters that the graphics card deforms, drawn in one call, opaque, in the colours of vertices and
/// materials without textures.
struct Crowd {
    GpuSkinner* skinner = nullptr;  ///< of the renderer that draws the scene
    std::span<const CrowdMember> members;
    bool casts_shadow = true;
};

/// Whether a shape obeys depth or lies over everything.
enum class Layer { scene, top };

/// A bone as an octahedron, thickest near its start.
struct BoneShape {
    Vec3f start = Vec3f::Zero();
    Vec3f end = Vec3f::UnitY();
    float radius = 0.1f;
    Vec3f color = Vec3f(0.8f, 0.5f, 0.15f);
};

struct SphereShape {
    Vec3f center = Vec3f::Zero();
    float radius = 0.05f;
    Vec3f color = Vec3f(0.9f, 0.9f, 0.9f);
};

struct SegmentShape {
    Vec3f start = Vec3f::Zero();
    Vec3f end = Vec3f::Zero();
    Vec4f color = Vec4f(0, 0, 0, 1);
    float width = 1.5f;  ///< pixels
};

struct PointShape {
    Vec3f center = Vec3f::Zero();
    Vec4f color = Vec4f(0, 0, 0, 1);
    float radius = 3;  ///< pixels
};

/// Shapes of one layer.
struct Overlay {
    Layer layer = Layer::scene;
    std::vector<BoneShape> bones;
    std::vector<SphereShape> spheres;
    std::vector<SegmentShape> segments;
    std::vector<PointShape> points;
};

/// A horizontal plane with a grid that fades into the distance and the shadows that fall on it. It is seen
/// from above only.
struct Ground {
    bool visible = true;
    bool grid = true;
    bool axes = true;  ///< x red, z blue
    bool shadow = true;
    float height = 0;
    float spacing = 0;  ///< between major lines, ten minor ones each; 0 chooses by the size of the scene
    float reach = 0;    ///< how far the grid is seen; 0 chooses by the size of the scene
};

struct Background {
    bool transparent = false;
    Vec3f center = Vec3f(0.90f, 0.91f, 0.92f);  ///< linear light, behind the middle
    Vec3f edge = Vec3f(0.60f, 0.63f, 0.67f);    ///< at the corners
};

struct Lighting {
    bool shadows = true;  ///< of meshes on themselves
    float exposure = 1;
    /// Lights rotate with the camera, so that every view is lit well; otherwise they stay as for a view from
    /// the front.
    bool follow_camera = true;
    float azimuth = 0;    ///< radians by which all lights rotate about the vertical, to the camera's right
    float elevation = 0;  ///< radians by which the key light rises
};

struct Scene {
    std::vector<Drawable> drawables;
    std::vector<Crowd> crowds{};
    std::vector<Overlay> overlays;
    Ground ground;
    Background background;
    Lighting lighting;
};

// Draws scenes into pictures.

class HeadlessContext;

struct PictureSize {
    int width = 1280;
    int height = 720;
    int samples = 4;  ///< a pixel, at most what the driver offers
};

/// Holds the OpenGL context, programs, targets and meshes, and keeps them from frame to frame. Use it from
/// one thread at a time. The same calls give the same pixels on the same driver.
class Renderer {
  public:
    /// Which OpenGL context to draw with.
    enum class Context {
        headless,  ///< its own, without a display
        current,   ///< the one that is current now and whenever the renderer is used (3.3 core or later)
    };
    /// \throws Error that says what to install when there is no OpenGL.
    explicit Renderer(Context context = Context::headless);
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    ~Renderer();

    /// \return the name of the driver, for reports.
    std::string driver() const;

    /// Puts a mesh on the card. Pictures that cannot be read are left out with the warning
    /// `texture-unreadable`.
    /// \return its name in drawables
    /// \throws Error when an index is out of range.
    MeshId add_mesh(const geometry::Mesh& mesh, Monitor& monitor = silent());
    /// Forgets a mesh; unknown ones are ignored.
    void remove_mesh(MeshId mesh);

    /// \throws Error when the size is out of range, a drawable names an unknown mesh or brings a wrong count.
    Picture render(const Scene& scene, const Camera& camera, const PictureSize& size = {});
    /// Draws into a framebuffer of the current context (0 is the window), for programs that have one.
    void draw(const Scene& scene, const Camera& camera, const PictureSize& size, unsigned framebuffer);

  private:
    friend class GpuSkinner;
    /// The renderer's own context, or null when it draws on the current one.
    HeadlessContext* context() const;

    struct State;
    std::unique_ptr<State> state_;
};

/// A mesh on the card for as long as this lives.
class MeshHold {
  public:
    MeshHold(Renderer& renderer, const geometry::Mesh& mesh, Monitor& monitor = silent())
        : renderer_(renderer), id_(renderer.add_mesh(mesh, monitor)) {}
    MeshHold(const MeshHold&) = delete;
    MeshHold& operator=(const MeshHold&) = delete;
    ~MeshHold() { renderer_.remove_mesh(id_); }
    MeshId id() const { return id_; }

  private:
    Renderer& renderer_;
    MeshId id_;
};

// An OpenGL context without window or display (EGL, surfaceless).

/// Owns an OpenGL 3.3 core context that needs no X server. It becomes current only inside a Scope, so that it
/// leaves other contexts of the thread alone and may be used from one thread after another.
class HeadlessContext {
  public:
    /// \throws Error that names the packages to install when EGL or the software renderer is missing.
    HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;
    ~HeadlessContext();

    /// Makes the context current, and puts back what was current before.
    class Scope {
      public:
        explicit Scope(HeadlessContext* context);
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

      private:
        struct Previous;
        std::unique_ptr<Previous> previous_;
    };

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sinew::render
