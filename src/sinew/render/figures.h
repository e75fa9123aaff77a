// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Figures for papers and reports: captions, contact sheets, plots (PNG and SVG), what happens inside a
/// blend, contacts, and how a method came to its result, step by step. A target of its own (sinew_figures),
/// not a part of sinew::sinew.
/// \code
/// render::save_plot("speed.svg", {.title = "Speed", .series = {{"walk", points}}});
/// \endcode

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/render/film.h"
#include "sinew/render/renderer.h"

namespace sinew::collide {
class Body;
struct Contact;
}  // namespace sinew::collide
namespace sinew::articulated {
class GapCloser;
}  // namespace sinew::articulated
namespace sinew::geometry {
struct CutMesh;
struct PartTree;
}  // namespace sinew::geometry

namespace sinew::render {

/// The picture with a line of text above it, on white; the text shrinks to fit. Empty text adds the same
/// strip.
Picture with_caption(const Picture& picture, std::string_view text);

/// The picture with a bar of the colours of `scalar_colors` to its right, with round values beside it.
Picture with_color_bar(const Picture& picture, const ValueRange& range, std::string_view label);

// Several pictures in one.

struct ContactSheetOptions {
    int columns = 0;                     ///< 0 makes the sheet about as wide as it is high in pictures
    int gap = 4;                         ///< pixels between pictures and around them
    Pixel color = {255, 255, 255, 255};  ///< of the gaps
};

/// Tiles pictures row by row, each centred in a cell as large as the largest picture.
/// \throws Error when there are no pictures or the sheet would exceed Picture::max_side.
Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options = {});

// Letters as pen strokes: text in pictures without a font file, sharp at any size.

using Vec2d = math::Vec2<double>;

using Polyline = std::vector<Vec2d>;

/// Height of capitals as part of the font size.
inline constexpr double cap_height = 0.7;

/// Width of a line of text at font size 1, up to the edge of its last letter.
double text_width(std::string_view text);

/// Strokes of a line of text at font size 1: x to the right from 0, y up from the baseline. UTF-8; all of
/// printable ASCII, the degree sign and the multiplication sign have letters, other characters are an empty
/// box.
std::vector<Polyline> text_strokes(std::string_view text);

// Flat drawings of lines, boxes and text. One description becomes pixels or SVG.

/// A pen line with round ends.
struct LineShape {
    Polyline points;
    Pixel color = {0, 0, 0, 255};
    double width = 1;
    double dash = 0;  ///< length of dashes and of the gaps between them; 0 is solid
};

/// A filled rectangle; `low` is its upper left corner.
struct RectShape {
    Vec2d low = Vec2d::Zero();
    Vec2d high = Vec2d::Zero();
    Pixel color = {0, 0, 0, 255};
};

struct DiscShape {
    Vec2d center = Vec2d::Zero();
    double radius = 3;
    Pixel color = {0, 0, 0, 255};
};

enum class Align { start, middle, end };

/// A line of text; `position` is on its baseline.
struct TextShape {
    Vec2d position = Vec2d::Zero();
    std::string text;
    double size = 14;
    Pixel color = {40, 40, 40, 255};
    Align align = Align::start;
    bool upward = false;  ///< reads from below to above
    bool bold = false;
};

using Shape = std::variant<LineShape, RectShape, DiscShape, TextShape>;

/// Lengths are pixels, x to the right, y down, from the upper left corner. Later shapes lie over earlier.
struct Drawing {
    double width = 0;
    double height = 0;
    Pixel background = {255, 255, 255, 255};
    std::vector<Shape> shapes;
};

/// A colour written as in HTML: 0xRRGGBB.
Pixel pixel_from_hex(std::uint32_t rgb);

/// Draws the shapes over a picture. What leaves it is cut off; what is not finite is left out.
void draw_shapes(Picture& picture, const std::vector<Shape>& shapes);

/// \throws Error when a side is not within 1 .. Picture::max_side.
Picture to_picture(const Drawing& drawing);

/// The same as text that browsers and papers take, with real letters.
std::string to_svg(const Drawing& drawing);

// Curves on axes: one description becomes a picture or SVG.

enum class AxisScale { linear, logarithmic };

/// One side of a plot. Limits that are not given go around the data, to the next tick.
struct Axis {
    std::string label;
    AxisScale scale = AxisScale::linear;
    std::optional<double> low;
    std::optional<double> high;
};

enum class SeriesStyle { line, dashed, marks, marked_line };

/// One curve. It is broken where a number is not finite, or not above 0 on a logarithmic axis.
struct Series {
    std::string name;  ///< in the legend; without one it is left out of it
    std::vector<Vec2d> points;
    SeriesStyle style = SeriesStyle::line;
    std::optional<Pixel> color;  ///< otherwise the next of `series_color`
};

struct Plot {
    std::string title;
    Axis x;
    Axis y;
    std::vector<Series> series;
};

struct PlotSize {
    int width = 800;
    int height = 500;
};

/// Colours that stay apart for colour-blind readers too (Okabe and Ito 2008), from the start again after 7.
Pixel series_color(std::size_t index);

/// A value on an axis.
struct Tick {
    double value = 0;
    std::string label;  ///< empty for the small ticks between decades
};
/// Round values from low to high, about `wanted` of them: multiples of 1, 2 or 5 of a power of ten, or the
/// decades of a logarithmic axis. \throws Error when the range is empty, not finite, or not above 0 for
/// logarithms.
std::vector<Tick> axis_ticks(double low, double high, AxisScale scale, int wanted = 6);

/// \throws Error when a limit makes no sense or the picture is too small to hold a plot (160 x 120).
Drawing layout(const Plot& plot, const PlotSize& size = {});
Picture draw(const Plot& plot, const PlotSize& size = {});
std::string svg(const Plot& plot, const PlotSize& size = {});

/// Writes .png or .svg, by the suffix. \throws Error for another.
void save_plot(const std::filesystem::path& path, const Plot& plot, const PlotSize& size = {});

// What happens inside a blend, as shapes: influence sets, rotation centres, screw axes, paths of vertices.

/// A skin in a pose, for overlays.
struct BlendScene {
    const model::Skin& skin;
    const model::Skeleton& skeleton;
    const model::InfluenceSets& sets;
    std::span<const math::Mat4d> palette;
    std::span<const Vec3f> rest;  ///< positions
};

/// The rotation centre of every influence set of two or more joints, where the mean of its joints takes it,
/// in the colour of the set. Centres further away than the size of the mesh are left out: their joints rotate
/// almost alike.
Overlay center_overlay(const BlendScene& scene);

/// For every joint that turned by more than a degree against its parent, the axis of that screw.
Overlay screw_overlay(const BlendScene& scene);

/// The paths of about `count` vertices of two joints or more as their weight goes from their heaviest joint
/// to the next: segments under linear blending, arcs under rigid methods. Method::cor has none.
Overlay trajectory_overlay(const BlendScene& scene, deform::Method method, std::size_t count = 60);

// Where two skinning methods differ.

struct DifferencePicture {
    Picture picture;
    double max_percent =
        0;  ///< largest distance between the two, in percent of the diagonal of the rest pose
    double rms_percent = 0;
};

/// The pose under method `b`, each vertex in the colour of its distance from where `a` puts it, with a colour
/// bar. Size and camera are those of the options, whose colouring and method are not looked at.
/// \throws Error when there is no skin.
DifferencePicture render_difference(Renderer& renderer, const model::Character& character,
                                    const model::Clip* clip, double time, deform::Method a, deform::Method b,
                                    const RenderOptions& options = {}, Monitor& monitor = silent());

// Contacts as a picture: touching triangles on the bodies, and the spheres of one level beside them.

/// Bodies as a query left them, and the triangles of each (by their numbers in its mesh) that touch.
struct ContactScene {
    std::vector<collide::Body*> bodies;
    std::vector<std::vector<std::uint32_t>> touching;
};

/// What a query of two bodies found, or of one with itself when `b` is null.
ContactScene contact_scene(collide::Body& a, collide::Body* b, std::span<const collide::Contact> contacts);

/// Box around the bodies in their poses, for a camera that sees all of a film.
Box contact_bounds(const ContactScene& scene);

struct ContactPictureOptions {
    /// Level of the spheres (0 is the root); leaves are shown where a branch ends above it. Without one only
    /// the bodies are drawn.
    std::optional<int> level = 4;
    /// Size, camera, ground and background; surfaces are always flat and in the colours of contacts.
    RenderOptions render;
};

/// The bodies with the triangles that touch in red; beside them the spheres of one level as they are now,
/// blue where the query refitted them and red where it never came by.
Picture contact_picture(Renderer& renderer, const ContactScene& scene, const ContactPictureOptions& options);

/// Bodies whose spheres are shown together under one caption.
struct SpherePanel {
    std::string caption;
    std::vector<collide::Body*> bodies;
};

/// Spheres of one level of every panel, side by side, from the same view.
Picture sphere_sheet(Renderer& renderer, std::span<const SpherePanel> panels,
                     const ContactPictureOptions& options);

// How a result came about, step by step, as pictures: what the steps of skeletons and weights share.

struct StepPicture {
    std::string name;  ///< one word, fit for a file name
    std::string what;  ///< one line for a person
    Picture picture;
};

struct StepPictureOptions {
    int width = 640;
    int height = 640;
};

/// One picture of all, with captions.
Picture step_sheet(const std::vector<StepPicture>& steps, int columns = 3);

/// How a silhouette skeleton comes about: silhouette, triangulation, axis (coarse blue, refined red), depth
/// (the same from the side), parts, joints, in the colours of \cite Xie2009. All but `depth` look along the
/// view that was chosen.
/// \throws Error when the mesh has no silhouette skeleton.
std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                             const StepPictureOptions& options = {},
                                             Monitor& monitor = silent());

struct WeightStepOptions {
    StepPictureOptions size;
    int joint = -1;  ///< whose weights and distance profile are shown; below 0 takes the most telling one
};

/// How skin weights come about from regions (\cite Xie2009, chapter 4): rays, boundaries (true curves red,
/// polygons blue), regions, own and child (the distances d_B and d_c), distances (d_B of D = d_B + d_c),
/// shadows, weights, joint (the weights of one), profile (its distances over the rays). All but the last look
/// along the view in which the body hides itself least.
/// \throws Error when the joint does not exist or has no boundary.
std::vector<StepPicture> draw_weight_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                           const model::Skeleton& skeleton,
                                           const WeightStepOptions& options = {},
                                           Monitor& monitor = silent());

/// How a skeleton of parts comes about (\cite Vasilakis2008): parts (each in its colour), openings (loops
/// yellow, planes' normals red), boxes before and after refinement with their principal axes, and the
/// skeletons of the three methods and with all axes. All look along the view in which the body hides itself
/// least.
std::vector<StepPicture> draw_part_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                         const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                         const StepPictureOptions& size = {});

struct GapStepOptions {
    StepPictureOptions size;
    int gap = -1;  ///< below 0 takes the one that rotates most
};

/// How the gap at a joint is closed (\cite Vasilakis2008): rest (opening yellow, its plane red), moved (parts
/// green), removed (deleted facets grey; ends orange on the opening and red around the cut, their neighbours
/// purple), points (new ones blue, ends, extra ones green), closed (the patch pink). All look along the axis
/// about which the joint swings, at what is near it.
/// \throws Error when there is no gap, or none of this number.
std::vector<StepPicture> draw_gap_steps(Renderer& renderer, const articulated::GapCloser& closer,
                                        std::span<const math::Rigidd> world,
                                        const GapStepOptions& options = {});

}  // namespace sinew::render
