// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Figures for papers and reports: captions, contact sheets, plots (PNG and SVG), overlays of blending,
/// contacts, and intermediate results of methods. A separate target (sinew_figures), not a part of
/// sinew::sinew.
///
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

/// Adds a line of text above a picture, on white; the text is scaled down to fit. Empty text adds the same
/// strip without text.
Picture with_caption(const Picture& picture, std::string_view text);

/// Adds a bar with the colours of `scalar_colors` to the right of a picture, with round values beside it.
Picture with_color_bar(const Picture& picture, const ValueRange& range, std::string_view label);

// Options of a contact sheet: several pictures in one.

struct ContactSheetOptions {
    int columns = 0;                     ///< 0 chooses a sheet with about as many columns as rows
    int gap = 4;                         ///< pixels between pictures and around them
    Pixel color = {255, 255, 255, 255};  ///< colour of the gaps
};

/// Arranges pictures row by row, each centred in a cell of the size of the largest picture.
/// \throws Error when there are no pictures or the sheet would exceed Picture::max_side
Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options = {});

// Letters as pen strokes: text in pictures without a font file, sharp at any size.

using Vec2d = math::Vec2<double>;

using Polyline = std::vector<Vec2d>;

/// Height of capitals, relative to the font size.
inline constexpr double cap_height = 0.7;

/// Width of a line of text at font size 1, up to the edge of its last letter.
double text_width(std::string_view text);

/// Strokes of a line of UTF-8 text at font size 1: x to the right from 0, y up from the baseline. Printable
/// ASCII, the degree sign and the multiplication sign are supported; other characters are drawn as an empty
/// box.
std::vector<Polyline> text_strokes(std::string_view text);

// Drawings of lines, boxes and text, rendered to pixels or SVG.

/// A line with round ends.
struct LineShape {
    Polyline points;
    Pixel color = {0, 0, 0, 255};
    double width = 1;
    double dash = 0;  ///< length of dashes and gaps; 0 draws a solid line
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
    bool upward = false;  ///< text runs from bottom to top
    bool bold = false;
};

using Shape = std::variant<LineShape, RectShape, DiscShape, TextShape>;

/// A drawing in pixels: x to the right, y down, from the upper left corner. Later shapes cover earlier ones.
struct Drawing {
    double width = 0;
    double height = 0;
    Pixel background = {255, 255, 255, 255};
    std::vector<Shape> shapes;
};

/// Colour from 0xRRGGBB, as in HTML.
Pixel pixel_from_hex(std::uint32_t rgb);

/// Draws shapes on a picture. Parts outside are clipped; shapes with coordinates that are not finite are
/// skipped.
void draw_shapes(Picture& picture, const std::vector<Shape>& shapes);

/// \throws Error when a side is not within 1 .. Picture::max_side
Picture to_picture(const Drawing& drawing);

/// The drawing as SVG, with real text.
std::string to_svg(const Drawing& drawing);

// Plots of curves, rendered to a picture or SVG.

enum class AxisScale { linear, logarithmic };

/// One axis of a plot. Limits that are not set extend to the next tick beyond the data.
struct Axis {
    std::string label;
    AxisScale scale = AxisScale::linear;
    std::optional<double> low;
    std::optional<double> high;
};

enum class SeriesStyle { line, dashed, marks, marked_line };

/// One curve. It is interrupted where a number is not finite, or not above 0 on a logarithmic axis.
struct Series {
    std::string name;  ///< name in the legend; empty omits it there
    std::vector<Vec2d> points;
    SeriesStyle style = SeriesStyle::line;
    std::optional<Pixel> color;  ///< if not set, the next of `series_color`
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

/// Palette that colour-blind readers can distinguish (Okabe and Ito 2008); repeats after 7 colours.
Pixel series_color(std::size_t index);

/// A tick of an axis.
struct Tick {
    double value = 0;
    std::string label;  ///< empty for minor ticks between decades
};
/// About `wanted` round values from low to high: multiples of 1, 2 or 5 times a power of ten, or the decades
/// of a logarithmic axis. \throws Error when the range is empty, not finite, or not above 0 on a logarithmic
/// axis
std::vector<Tick> axis_ticks(double low, double high, AxisScale scale, int wanted = 6);

/// \throws Error when a limit is invalid or the picture is smaller than 160 x 120
Drawing layout(const Plot& plot, const PlotSize& size = {});
Picture draw(const Plot& plot, const PlotSize& size = {});
std::string svg(const Plot& plot, const PlotSize& size = {});

/// Writes .png or .svg, by the suffix. \throws Error for another suffix
void save_plot(const std::filesystem::path& path, const Plot& plot, const PlotSize& size = {});

// Overlays that visualise blending: influence sets, rotation centres, screw axes, paths of vertices.

/// A skin in a pose, for overlays.
struct BlendScene {
    const model::Skin& skin;
    const model::Skeleton& skeleton;
    const model::InfluenceSets& sets;
    std::span<const math::Mat4d> palette;
    std::span<const Vec3f> rest;  ///< rest positions
};

/// Rotation centres of all influence sets with two or more joints, moved by the mean of their joints, in the
/// colour of the set. Centres farther away than the size of the mesh are omitted: their joints have almost
/// the same rotation.
Overlay center_overlay(const BlendScene& scene);

/// Screw axes of all joints that rotate by more than a degree relative to their parent.
Overlay screw_overlay(const BlendScene& scene);

/// Paths of about `count` vertices with two or more joints while their weight moves from the heaviest joint
/// to the next: line segments under linear blending, arcs under rigid methods. Method::cor gives none.
Overlay trajectory_overlay(const BlendScene& scene, deform::Method method, std::size_t count = 60);

// The difference between two skinning methods.

struct DifferencePicture {
    Picture picture;
    double max_percent =
        0;  ///< largest distance between the two, in percent of the diagonal of the rest pose
    double rms_percent = 0;
};

/// Renders the pose under method `b`, with each vertex coloured by its distance from its position under `a`,
/// and a colour bar. Size and camera are taken from the options; their colouring and method are ignored.
/// \throws Error when there is no skin
DifferencePicture render_difference(Renderer& renderer, const model::Character& character,
                                    const model::Clip* clip, double time, deform::Method a, deform::Method b,
                                    const RenderOptions& options = {}, Monitor& monitor = silent());

// Contacts as a picture: touching triangles on the bodies, and the spheres of one level beside them.

/// Bodies after a query, and for each the triangles (indices in its mesh) that touch.
struct ContactScene {
    std::vector<collide::Body*> bodies;
    std::vector<std::vector<std::uint32_t>> touching;
};

/// Result of a query of two bodies, or of one with itself when `b` is null.
ContactScene contact_scene(collide::Body& a, collide::Body* b, std::span<const collide::Contact> contacts);

/// Bounding box of the bodies in their poses, for a camera that shows a whole film.
Box contact_bounds(const ContactScene& scene);

struct ContactPictureOptions {
    /// Level of the spheres (0 is the root); for branches that end above it their leaves are shown. If empty,
    /// only the bodies are drawn.
    std::optional<int> level = 4;
    /// Size, camera, ground and background; surfaces are always flat, in the colours of contacts.
    RenderOptions render;
};

/// The bodies with touching triangles in red; beside them the spheres of one level in their current state:
/// blue where the query refitted them, red where it did not.
Picture contact_picture(Renderer& renderer, const ContactScene& scene, const ContactPictureOptions& options);

/// Bodies whose spheres are shown together under one caption.
struct SpherePanel {
    std::string caption;
    std::vector<collide::Body*> bodies;
};

/// Spheres of one level of every panel, side by side, from the same view.
Picture sphere_sheet(Renderer& renderer, std::span<const SpherePanel> panels,
                     const ContactPictureOptions& options);

// Intermediate results of a method as pictures.

struct StepPicture {
    std::string name;  ///< one word, suitable as a file name
    std::string what;  ///< description in one line
    Picture picture;
};

struct StepPictureOptions {
    int width = 640;
    int height = 640;
};

/// One picture of all steps, with captions.
Picture step_sheet(const std::vector<StepPicture>& steps, int columns = 3);

/// Steps of a silhouette skeleton: silhouette, triangulation, axis (coarse blue, refined red), depth (the
/// same from the side), parts, joints, in the colours of \cite Xie2009. All except `depth` use the selected
/// view.
/// \throws Error when the mesh has no silhouette skeleton
std::vector<StepPicture> draw_skeleton_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                             const StepPictureOptions& options = {},
                                             Monitor& monitor = silent());

struct WeightStepOptions {
    StepPictureOptions size;
    int joint = -1;  ///< joint whose weights and distance profile are shown; negative selects the most
                     ///< instructive one
};

/// Steps of skin weights from regions (\cite Xie2009, chapter 4): rays, boundaries (exact curves red,
/// polygons blue), regions, own and child (the distances d_B and d_c), distances (d_B of D = d_B + d_c),
/// shadows, weights, joint (weights of one joint), profile (its distances per ray). All except the last use
/// the view with the least self-occlusion.
/// \throws Error when the joint does not exist or has no boundary
std::vector<StepPicture> draw_weight_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                           const model::Skeleton& skeleton,
                                           const WeightStepOptions& options = {},
                                           Monitor& monitor = silent());

/// Steps of a skeleton from parts (\cite Vasilakis2008): parts (each in its colour), openings (loops yellow,
/// normals of planes red), boxes before and after refinement with their principal axes, and the skeletons of
/// the three methods and with all axes. All use the view with the least self-occlusion.
std::vector<StepPicture> draw_part_steps(Renderer& renderer, const geometry::Mesh& mesh,
                                         const geometry::CutMesh& cut, const geometry::PartTree& tree,
                                         const StepPictureOptions& size = {});

struct GapStepOptions {
    StepPictureOptions size;
    int gap = -1;  ///< negative selects the one that rotates most
};

/// Steps of closing the gap at a joint (\cite Vasilakis2008): rest (opening yellow, its plane red), moved
/// (parts green), removed (removed facets grey; ends orange on the opening and red around the cut, their
/// neighbours purple), points (new ones blue, ends, extra ones green), closed (the patch pink). The view is
/// along the axis of the swing, on the surroundings of the joint.
/// \throws Error when there is no gap, or none with this index
std::vector<StepPicture> draw_gap_steps(Renderer& renderer, const articulated::GapCloser& closer,
                                        std::span<const math::Rigidd> world,
                                        const GapStepOptions& options = {});

}  // namespace sinew::render
