// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Rendering of scenes to pictures: meshes, overlaid shapes, ground and background, seen by a camera.
/// \code
/// render::Renderer renderer;
/// const render::MeshHold mesh(renderer, character.mesh);
/// render::Scene scene;
/// scene.drawables.push_back({.mesh = mesh.id()});
/// const geometry::Box box = geometry::bounds(character.mesh.positions);
/// const render::Camera camera = render::fit(render::View::front, box, 16.0f / 9);
/// render::save_png("front.png", renderer.render(scene, camera));
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

using Pixel =
    std::array<std::uint8_t, 4>;  ///< red, green, blue, alpha; sRGB with straight (not premultiplied) alpha

/// Rows from top to bottom, without padding.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Pixel> pixels;

    Picture() = default;
    /// \throws Error when a side is not within 1 .. max_side
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
/// \throws Error when a side is not within 1 .. Picture::max_side
void check_size(int width, int height);

/// \return PNG bytes; equal pictures give equal bytes
/// \throws Error when the picture is empty
std::string encode_png(const Picture& picture);
/// Writes a PNG file, completely or not at all.
/// \param path the file; its suffix is ignored
/// \param picture the picture
/// \throws Error when the picture is empty or the file cannot be written
void save_png(const std::filesystem::path& path, const Picture& picture);

/// Decodes PNG or JPEG.
/// \param bytes content of the file
/// \param location name of the picture in errors
/// \throws Error when it has another format, is corrupt, or has a side above Picture::max_side
Picture decode_picture(Bytes bytes, std::string_view location);
/// Reads a PNG or JPEG file.
/// \throws Error when it cannot be read or has another format
Picture load_picture(const std::filesystem::path& path);

/// \return the mean absolute difference of all channels, in steps of 1/255
/// \throws Error when the sizes differ
double mean_difference(const Picture& a, const Picture& b);

// Colours for data: joints, weights, scalars. All are linear unless the name contains srgb.

using math::Vec3f;
using math::Vec4f;

/// Transfer function of sRGB (IEC 61966-2-1) for one channel, 0 to 1.
float srgb_from_linear(float linear);
/// The inverse of `srgb_from_linear`.
float linear_from_srgb(float encoded);

/// The colour with alpha 1.
inline Vec4f opaque(const Vec3f& color) {
    return {color.x(), color.y(), color.z(), 1.0f};
}

/// Linear colour from OKLCH (Ottosson 2020): lightness 0 to 1, chroma, hue as a fraction of a full circle;
/// channels out of range are clamped.
Vec3f color_from_oklch(float lightness, float chroma, float hue);

/// Colour of a joint. Hues advance by the golden ratio, so that consecutive joints differ by 138 degrees;
/// lightness alternates, so that similar hues still differ.
Vec3f joint_color(std::size_t joint);

/// Heat map colour of `value` 0 to 1, from cold to hot (blue, cyan, green, yellow, red), perceptually
/// uniform.
Vec3f heat_color(float value);

/// Vertex colours: colours of the joints, blended by weight.
std::vector<Vec4f> weight_colors(const model::Skin& skin);
/// Vertex colours: weight of one palette entry as a heat map.
/// \throws Error when there is no such entry
std::vector<Vec4f> joint_weight_colors(const model::Skin& skin, std::size_t palette_entry);

/// Colour of an influence set; a set with one joint has the colour of the joint, paler.
Vec3f set_color(const model::InfluenceSets& sets, std::size_t set);
/// Vertex colours: colour of the vertex's influence set.
std::vector<Vec4f> set_colors(const model::InfluenceSets& sets);

/// The mesh with a plain material per named part instead of its own, named after the part, so that
/// segmentations are visible in every program. Parts with the same name have the same colour.
geometry::Mesh with_part_colors(geometry::Mesh mesh);

/// Values of the coldest and the hottest colour.
struct ValueRange {
    float low = 0;
    float high = 1;
};
/// \return the range of the finite values; 0 to 1 when there are none
ValueRange value_range(std::span<const float> values);
/// Scalars as heat map colours, `low` coldest. Values outside the range are clamped; values that are not
/// finite are grey.
std::vector<Vec4f> scalar_colors(std::span<const float> values, const ValueRange& range);

// Camera.

using geometry::Box;
using math::Mat4f;

/// Named viewing directions, for a character that faces +Z with +Y up. `left` shows its left side (camera at
/// +X); `three_quarter` is from the front, rotated towards its left and slightly from above.
enum class View { three_quarter, front, back, left, right, top };

/// \return the name, such as "front" or "three-quarter"
std::string_view name_of(View view);

struct Camera {
    Vec3f eye = Vec3f(0, 0, 3);
    Vec3f target = Vec3f::Zero();
    Vec3f up = Vec3f::UnitY();
    float fov = static_cast<float>(math::radians(30));  ///< vertical, in radians
    bool orthographic = false;
    float height = 2;  ///< visible height, for orthographic cameras

    Vec3f backward() const;  ///< unit vector from the target to the eye
    Vec3f right() const;
    Vec3f upward() const;  ///< unit vector that is vertical in the picture
    float distance() const { return (eye - target).norm(); }
};

struct FitOptions {
    float margin = 0.08f;  ///< free border on each side, as a fraction of the picture's side
    float fov = static_cast<float>(math::radians(30));
    bool orthographic = false;
};

/// Unit vector from the target to the eye, and the up direction.
struct ViewAxes {
    Vec3f backward;
    Vec3f up;
};
/// \return the axes of a named view
ViewAxes axes_of(View view);
/// \param azimuth radians from +Z towards +X
/// \param elevation radians above the horizon
ViewAxes axes_of(float azimuth, float elevation);

/// \param axes viewing direction
/// \param points points that must be visible
/// \param aspect width / height of the picture
/// \param options margin and field of view
/// \return the nearest camera that shows all points within the margin, centred
Camera fit(const ViewAxes& axes, std::span<const Vec3f> points, float aspect, const FitOptions& options = {});
/// The same for the corners of a box.
Camera fit(const ViewAxes& axes, const Box& box, float aspect, const FitOptions& options = {});
/// The same from a named view.
Camera fit(View view, const Box& box, float aspect, const FitOptions& options = {});

/// \return transform from world to camera space: right-handed, looking along -Z
Mat4f view_matrix(const Camera& camera);
/// \param camera field of view and kind of projection
/// \param aspect width / height of the picture
/// \param near, far distances from the eye, above 0
/// \return transform from camera to OpenGL clip space: z from -w to w
Mat4f projection_matrix(const Camera& camera, float aspect, float near, float far);

// Content of a picture: meshes on the graphics card, overlaid shapes, ground and background.

/// Identifies a mesh held by a Renderer.
enum class MeshId : std::uint32_t {};

enum class Shading {
    smooth,  ///< lit, with vertex normals
    flat,    ///< lit, with one normal per triangle
    unlit,   ///< colours without lighting
};

enum class Surface {
    material,  ///< materials, textures and vertex colours of the mesh
    plain,     ///< Drawable::color
    colors,    ///< Drawable::colors
};

/// How triangles are drawn. Shadows are always those of the surface.
enum class Fill {
    surface,
    wire,    ///< edges only; the inside is visible
    points,  ///< vertices only, lit by their normals; the inside is visible
};

/// A mesh in the scene. Empty spans keep the data that is already on the graphics card, so that a frame
/// uploads only what changed. Positions without normals get computed smooth normals.
struct Drawable {
    MeshId mesh{};
    std::span<const Vec3f> positions;
    std::span<const Vec3f> normals;
    std::span<const Vec4f> colors;  ///< linear RGBA per vertex; used when surface is `colors`
    Surface surface = Surface::material;
    Shading shading = Shading::smooth;
    Vec4f color = Vec4f(0.36f, 0.375f, 0.40f, 1);
    Fill fill = Fill::surface;
    bool wireframe = false;  ///< edges drawn over the surface
    Vec4f wire_color = Vec4f(0.02f, 0.025f, 0.035f, 0.55f);
    float point_size = 3;  ///< pixels
    float opacity = 1;     ///< below 1 the nearest layer is blended over what is behind it
    bool casts_shadow = true;
};

class GpuSkinner;

/// One instance of a crowd.
struct CrowdMember {
    math::Mat4f placement = math::Mat4f::Identity();  ///< affine, applied after skinning
    std::int32_t frame = 0;                           ///< index into the skinner's palettes
};

/// Characters that are skinned on the graphics card and drawn in one call; opaque, with vertex and material
/// colours but no textures.
struct Crowd {
    GpuSkinner* skinner = nullptr;  ///< belongs to the renderer that draws the scene
    std::span<const CrowdMember> members;
    bool casts_shadow = true;
};

/// Whether shapes are tested against depth or drawn on top.
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

/// A horizontal plane with a grid that fades with distance, and shadows. Visible only from above.
struct Ground {
    bool visible = true;
    bool grid = true;
    bool axes = true;  ///< x red, z blue
    bool shadow = true;
    float height = 0;
    float spacing = 0;  ///< distance between major lines, each with ten minor ones; 0 derives it from the
                        ///< size of the scene
    float reach = 0;    ///< visible radius of the grid; 0 derives it from the size of the scene
};

struct Background {
    bool transparent = false;
    Vec3f center = Vec3f(0.90f, 0.91f, 0.92f);  ///< linear colour at the centre
    Vec3f edge = Vec3f(0.60f, 0.63f, 0.67f);    ///< linear colour at the corners
};

struct Lighting {
    bool shadows = true;  ///< shadows of meshes on themselves and each other
    float exposure = 1;
    /// Rotate the lights with the camera, so that every view is well lit; otherwise they stay as for a front
    /// view.
    bool follow_camera = true;
    float azimuth = 0;  ///< rotation of all lights about the vertical in radians, to the right of the camera
    float elevation = 0;  ///< rise of the key light in radians
};

struct Scene {
    std::vector<Drawable> drawables;
    std::vector<Crowd> crowds{};
    std::vector<Overlay> overlays;
    Ground ground;
    Background background;
    Lighting lighting;
};

// Renders scenes to pictures.

class HeadlessContext;

struct PictureSize {
    int width = 1280;
    int height = 720;
    int samples = 4;  ///< per pixel; limited by the driver
};

/// Holds the OpenGL context, programs, render targets and meshes across frames. Not thread-safe. The same
/// calls give the same pixels on the same driver.
class Renderer {
  public:
    /// OpenGL context to use.
    enum class Context {
        headless,  ///< its own, without a display
        current,   ///< the context that is current now and at each use of the renderer (OpenGL 3.3 core or
                   ///< later)
    };
    /// \throws Error that states what to install when OpenGL is not available
    explicit Renderer(Context context = Context::headless);
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    ~Renderer();

    /// \return the name of the driver, for reports
    std::string driver() const;

    /// Uploads a mesh. Images that cannot be decoded are skipped with the warning `texture-unreadable`.
    /// \param mesh the mesh
    /// \param monitor receives warnings
    /// \return the identifier for drawables
    /// \throws Error when an index is out of range
    MeshId add_mesh(const geometry::Mesh& mesh, Monitor& monitor = silent());
    /// Removes a mesh; unknown identifiers are ignored.
    void remove_mesh(MeshId mesh);

    /// \throws Error when the size is out of range, or a drawable refers to an unknown mesh or has arrays of
    /// wrong length
    Picture render(const Scene& scene, const Camera& camera, const PictureSize& size = {});
    /// Draws to a framebuffer of the current context (0 is the window), for programs with their own window.
    void draw(const Scene& scene, const Camera& camera, const PictureSize& size, unsigned framebuffer);

  private:
    friend class GpuSkinner;
    /// The renderer's own context; null when it uses the current one.
    HeadlessContext* context() const;

    struct State;
    std::unique_ptr<State> state_;
};

/// Keeps a mesh on the graphics card during its lifetime.
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

/// Owns an OpenGL 3.3 core context that needs no display. It is current only inside a Scope, so that other
/// contexts of the thread are not affected, and it can be used from different threads one after another.
class HeadlessContext {
  public:
    /// \throws Error naming the packages to install when EGL or the software renderer is missing
    HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;
    ~HeadlessContext();

    /// Makes the context current and restores the previous one at its end.
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
