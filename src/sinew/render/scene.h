#pragma once
/// \file
/// What a picture shows: meshes that live on the graphics card, shapes laid over them, ground and background.

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"

namespace sinew::render {

using math::Vec3f;
using math::Vec4f;

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
    std::vector<SphereShape> balls;
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
    /// Lights turn with the camera, so that every view is lit well; otherwise they stay as for a view from
    /// the front.
    bool follow_camera = true;
    float azimuth = 0;    ///< radians by which all lights turn about the vertical, to the camera's right
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

}  // namespace sinew::render
