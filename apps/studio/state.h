// SPDX-License-Identifier: MIT
#pragma once
// Everything that the studio knows. Panels and tests change it; the viewport shows it.

#include <functional>
#include <optional>
#include <set>

#include "browser.h"
#include "document.h"
#include "job.h"
#include "messages.h"
#include "pose_layer.h"
#include "preferences.h"
#include "recent.h"
#include "shared/rig_choice.h"
#include "timeline.h"

#include "sinew/deform/method.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/view.h"
#include "sinew/rig/edit.h"

namespace sinew::studio {

class Painter;
struct ContactTrack;

/// A project that a program which is gone left behind.
struct Leftover {
    std::filesystem::path project;
    std::filesystem::path source;  ///< what was open; empty for what was in no file
    std::string when;              ///< for a person
};

enum class SelectionKind { none, joint, bone, part };

/// A joint, a bone of `model::bones` or a part, by its number.
struct Selection {
    SelectionKind kind = SelectionKind::none;
    int index = -1;
    bool operator==(const Selection&) const = default;
    explicit operator bool() const { return kind != SelectionKind::none; }
};

enum class RenderMode { points, wire, solid, solid_wire };
enum class SkeletonMode {
    hidden,
    over,    ///< solids over the mesh
    inside,  ///< solids where they are, in a mesh that lets them through: x-ray
};
enum class Coloring { material, clay, parts, weights, joint_weights };
enum class PickTarget { anything, skeleton, surface };

struct ViewSettings {
    RenderMode mode = RenderMode::solid;
    SkeletonMode skeleton = SkeletonMode::hidden;
    Coloring coloring = Coloring::material;
    PickTarget pick = PickTarget::anything;
    bool transparent = false;
    float opacity = 0.4f;  ///< when transparent
    bool floor = true;
    bool axes = true;
    bool shadows = true;
    bool all_boxes = false;
    bool names = false;      ///< of the joints
    bool forces = true;      ///< of a trial's platforms
    int samples = 4;         ///< a pixel
    bool adaptive = true;    ///< simpler while it moves, where the full picture is too slow
    bool confidence = true;  ///< joints in the colour of how sure their position is, where that is known
    int onion = 0;           ///< skeletons of so many frames before and after
    int onion_step = 5;      ///< frames between them
    bool light = false;      ///< a light background
    bool operator==(const ViewSettings&) const = default;
};

struct SkinSettings {
    deform::Method method = deform::Method::dqs;
    bool close_gaps = false;  ///< rigid parts with their joints closed
    bool operator==(const SkinSettings&) const = default;
};

/// A second skinning method beside the first.
struct CompareSettings {
    bool on = false;
    deform::Method method = deform::Method::lbs;
    bool heat = true;     ///< how far both are apart, as colour
    float border = 0.5f;  ///< of the picture's width: the second method is shown beyond it
    bool operator==(const CompareSettings&) const = default;
};

/// How the camera is moved, beside the mouse.
struct CameraMode {
    bool fly = false;     ///< arrows turn on the spot, W and S change the speed
    float velocity = 0;   ///< forward, parts of the scene's size a second; of flying
    bool follow = false;  ///< goes along with the pelvis
};

struct EditSettings {
    Space space = Space::global;
    int axis = 1;     ///< of keys
    double step = 5;  ///< degrees a key
    bool gizmo = true;
};

/// What the panel on the left is about, and with it what the mouse does in the picture.
enum class Page { body, joints, weights, motion, measure };

/// Joints placed by hand.
struct JointTool {
    bool symmetry = true;  ///< the twin on the other side moves along
    bool center = true;    ///< to the middle of the volume under the mouse
    bool carry = false;    ///< children move along
    double part = 0.5;     ///< of a bone, where it is cut or gets a joint
    std::string name;      ///< as typed
};

enum class BrushAction { add, erase, replace, smooth, paste };

/// Weights painted by hand.
struct WeightTool {
    BrushAction action = BrushAction::add;
    float radius = 0.05f;  ///< in parts of the scene's size
    float strength = 0.4f;
    float value = 1;
    bool symmetry = false;                       ///< the other side gets the same, when the stroke ends
    std::set<std::string> locked;                ///< joints that keep their weights
    std::vector<std::pair<int, double>> copied;  ///< of a vertex
    bool picking = false;                        ///< the next click copies
    int passes = 2;                              ///< of smoothing all
    float prune = 0.02f;
    int influences = 4;
};

/// Keys and curves.
struct MotionTool {
    bool curves = false;  ///< the editor is open
    int property = 1;     ///< 0 position, 1 rotation
    int key = -1;         ///< that is selected, of the selected joint
    double trim_start = 0, trim_end = 0;
    double tolerance = 0.002;  ///< of fewer keys
    bool drag_ends = true;     ///< a drag of a hand or foot bends the limb
    std::set<int> pins;        ///< joints that stay while others are dragged
};

enum class Dialog {
    none,
    open,
    write,
    keys,
    joint_map,
    unsaved,
    overwrite,
    recover,
    preferences,
    first_steps
};

/// A step back.
struct Snapshot {
    std::string what;
    Document document;
    PoseLayer pose;
    int clip = -1;
};

/// What would be lost.
struct Work {
    std::shared_ptr<const model::Character> character;
    std::shared_ptr<const GaitWork> gait;
    PoseLayer pose;
    bool operator==(const Work& other) const = default;
};

/// Where the picture is in the window, in pixels from its upper left corner.
struct ViewArea {
    float left = 0, top = 0, width = 1, height = 1;
};

struct FrameTimes {
    double skin = 0;  ///< seconds, smoothed
    double draw = 0;
    double frame = 0;  ///< from one to the next
};

struct State {
    Document document;
    int clip = -1;  ///< that plays; -1 is the rest pose
    PoseLayer pose;
    Selection selection;
    Timeline timeline;
    /// From the front, turned towards its left and slightly above.
    render::OrbitCamera camera{.heading = static_cast<float>(math::radians(32)),
                               .pitch = static_cast<float>(math::radians(-14))};
    CameraMode camera_mode;
    bool frame_wanted = true;  ///< the camera is to look at all of it, once its size is known
    ViewSettings view;
    SkinSettings skin;
    EditSettings edit;
    app::SkeletonChoice skeleton_choice;
    rig::BindOptions bind;
    bool bind_after = true;  ///< a new skeleton is bound at once
    std::string rig_reason;  ///< what the last run took and why
    io::ReadOptions read;
    std::vector<Snapshot> undo, redo;
    Messages messages;
    Recent recent;
    Job job;
    FrameTimes times;
    ViewArea area;
    Page page = Page::body;
    JointTool joint_tool;
    WeightTool weight_tool;
    MotionTool motion_tool;
    CompareSettings compare;
    double compared = 0;                                   ///< largest distance between both methods now
    std::shared_ptr<Painter> painter;                      ///< of the stroke that is being painted; or null
    std::shared_ptr<const ContactTrack> contacts;          ///< of the clip, as last counted; or null
    int selected_event = -1;                               ///< of the walk
    int gait_curve = 6;                                    ///< that is shown: knee flexion
    int fit_bones = 20;                                    ///< that are asked for
    std::shared_ptr<const std::vector<double>> fit_error;  ///< of the last fit, by frame; or null
    Preferences preferences;
    std::filesystem::path preferences_path;  ///< where they are kept; empty for nowhere
    Browser browser;
    Preview preview;
    Work saved;                                         ///< as it was opened or saved last
    std::function<void(State&)> pending;                ///< waits for an answer about unsaved work or a file
    std::string question;                               ///< that the answer is to
    std::vector<Leftover> leftovers;                    ///< to be offered
    std::shared_ptr<const model::Character> described;  ///< what the description is of
    std::vector<std::string> description;
    Dialog dialog = Dialog::none;
    std::string export_path;    ///< as typed
    motion::JointMap map_edit;  ///< as chosen in the dialog
    std::string picture_path;   ///< the next picture of the scene goes there; empty for none
    bool quit = false;

    const model::Character& character() const { return *document.character; }
    const model::Clip* playing_clip() const {
        return clip >= 0 && static_cast<std::size_t>(clip) < character().clips.size()
                   ? &character().clips[static_cast<std::size_t>(clip)]
                   : nullptr;
    }
};

Work work_of(const State& state);
/// Something would be lost if this ended now.
bool is_unsaved(const State& state);

/// Local transforms of now without what a person changed.
std::vector<Transform> pose_below(const State& state);
/// And with it.
std::vector<Transform> pose_now(const State& state);

/// The size by which steps and speeds are measured: the diagonal of the mesh or skeleton, at least a little;
/// 2 when nothing is open.
float scene_size(const Document& document);

}  // namespace sinew::studio
