// SPDX-License-Identifier: MIT
#pragma once
// The complete state of the studio. Panels and tests change it; the viewport shows it.

#include <functional>
#include <optional>
#include <set>

#include "browser.h"
#include "document.h"
#include "job.h"
#include "messages.h"
#include "pace.h"
#include "pose_layer.h"
#include "preferences.h"
#include "recent.h"
#include "shared/rig_choice.h"
#include "timeline.h"

#include "sinew/deform/corrective.h"
#include "sinew/deform/method.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/view.h"
#include "sinew/rig/edit.h"

namespace sinew::studio {

class Painter;
struct SkinSurface;
struct ContactTrack;

/// A project that a program which no longer runs has left behind.
struct Leftover {
    std::filesystem::path project;
    std::filesystem::path source;  ///< the open document; empty for one without a file
    std::string when;              ///< for the user
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
    inside,  ///< solids inside a transparent mesh: x-ray
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
    bool sticks = true;      ///< between markers of a trial
    int samples = 4;         ///< per pixel
    bool adaptive = true;    ///< simpler during movement, if the full picture is too slow
    bool confidence = true;  ///< joints in the colour of their confidence, where it is known
    int onion = 0;           ///< number of skeletons before and after
    int onion_step = 5;      ///< frames between them
    bool light = false;      ///< a light background
    float lamp = 0;          ///< degrees by which the lights turn to the camera's right
    bool operator==(const ViewSettings&) const = default;
};

struct SkinSettings {
    deform::Method method = deform::Method::dqs;
    bool close_gaps = false;  ///< rigid parts with their joints closed
    deform::Corrective correction = deform::Corrective::none;
    bool operator==(const SkinSettings&) const = default;
};

/// Comparison with a second skinning method, or with other weights.
struct CompareSettings {
    bool on = false;
    deform::Method method = deform::Method::lbs;
    std::shared_ptr<const model::Character> weights;  ///< bound in another way; null: the same weights
    std::string bound_by;                             ///< of `weights`
    bool heat = true;                                 ///< show the distance between both as colour
    float border = 0.5f;  ///< fraction of the picture's width: the second method is shown beyond it
    bool operator==(const CompareSettings&) const = default;
};

/// Camera motion other than by the mouse.
struct CameraMode {
    bool fly = false;     ///< arrows rotate the camera in place, W and S change the speed
    float velocity = 0;   ///< forward, in sizes of the scene per second; when flying
    bool follow = false;  ///< follows the pelvis
};

struct EditSettings {
    Space space = Space::global;
    int axis = 1;     ///< of keys
    double step = 5;  ///< degrees per key
    bool gizmo = true;
};

/// The subject of the panel on the left, which also determines the effect of the mouse in the picture.
enum class Page { body, joints, weights, motion, measure };

/// Manual positions of joints.
struct JointTool {
    bool symmetry = true;  ///< moves the twin on the other side, too
    bool center = true;    ///< moves to the middle of the volume under the mouse
    bool carry = false;    ///< moves the children, too
    double part = 0.5;     ///< fraction of a bone at which it is split or gets a joint
    std::string name;      ///< as typed
    int mark = -1;         ///< that the next click sets; -1 for none
};

enum class BrushAction { add, erase, replace, smooth, paste };

/// Manual painting of weights.
struct WeightTool {
    BrushAction action = BrushAction::add;
    float radius = 0.05f;  ///< as a fraction of the scene's size
    float strength = 0.4f;
    float value = 1;
    bool symmetry = false;                       ///< paints the other side, too, when the stroke ends
    std::set<std::string> locked;                ///< joints that keep their weights
    std::vector<std::pair<int, double>> copied;  ///< of a vertex
    bool picking = false;                        ///< the next click copies weights
    int passes = 2;                              ///< of smoothing all
    float prune = 0.02f;
    int influences = 4;
    int other_binding = 0;  ///< of rig::bind_methods(), whose weights are compared
};

/// Extension of a curve before its first and after its last key.
enum class Beyond {
    constant,
    linear,  ///< continues with its slope
    repeat,
    repeat_offset,  ///< repeats from its end value
    mirror,         ///< forwards and backwards
};

/// Keys and curves.
struct MotionTool {
    bool curves = false;  ///< the editor is open
    int property = 1;     ///< 0 position, 1 rotation
    int key = -1;         ///< that is selected, of the selected joint
    double trim_start = 0, trim_end = 0;
    double tolerance = 0.002;   ///< of fewer keys
    bool drag_ends = true;      ///< dragging a hand or foot bends the limb
    std::set<int> pins;         ///< joints that do not move while others are dragged
    int other = 0;              ///< clip that is combined with the one that plays
    double weight = 0.5;        ///< of it
    double fade = 0.3;          ///< seconds of the transition
    bool in_step = true;        ///< aligns the steps of both
    bool layer = false;         ///< keys are added to a layer over the clip
    double ease = 0.3;          ///< seconds in which a key of a layer fades in and out
    double arm_space = 10;      ///< degrees by which arms are rotated away from the body
    int before = 0, after = 0;  ///< Beyond, of the keys that are extended
    double from = 0, to = 0;    ///< seconds; the range of the extension
    bool extend_all = false;    ///< all joints
    bool extend_shown = false;  ///< the curve editor shows the keys that would be baked
};

/// The steps from a mesh to a file, one after the other.
struct Guide {
    bool on = false;
    int step = 0;
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

/// One of several characters, with its state while another one is current.
struct Actor {
    Document document;
    int clip = -1;
    PoseLayer pose;
    bool hidden = false;
    Vec3d shift = Vec3d::Zero();  ///< its position in the scene
};

/// Several characters. The current one is in the state itself, and its slot here is null; it is drawn at the
/// position in its file, and the others relative to it.
struct Cast {
    std::vector<std::shared_ptr<const Actor>> actors;  ///< empty while there is only one
    int active = 0;
    bool hidden = false;          ///< the current one
    Vec3d shift = Vec3d::Zero();  ///< of it
    bool operator==(const Cast&) const = default;
};

/// A stored view.
struct SavedView {
    std::string name;
    render::OrbitCamera camera;
};

/// A state for undo.
struct Snapshot {
    std::string what;
    Document document;
    PoseLayer pose;
    int clip = -1;
    Cast cast;
    std::vector<SavedView> views;
};

/// Data that would be lost.
struct Work {
    std::shared_ptr<const model::Character> character;
    std::shared_ptr<const GaitWork> gait;
    std::shared_ptr<const gait::Checklist> checklist;
    PoseLayer pose;
    Cast cast;
    bool operator==(const Work& other) const = default;
};

/// Position of the picture in the window, in pixels from its upper left corner.
struct ViewArea {
    float left = 0, top = 0, width = 1, height = 1;
};

/// Vertices that a joint moves, counted once.
struct MovedVertices {
    std::shared_ptr<const model::Character> character;
    int joint = -1;
    std::size_t count = 0;
};

struct FrameTimes {
    double skin = 0;  ///< seconds, smoothed
    double draw = 0;
    double frame = 0;      ///< from one frame to the next
    double interface = 0;  ///< processor time of panels, keys and mouse
    double answer = 0;     ///< from an event to the picture that shows it
};

struct State {
    Document document;
    int clip = -1;  ///< that plays; -1 is the rest pose
    PoseLayer pose;
    Selection selection;
    Timeline timeline;
    /// From the front, rotated towards its left and slightly above.
    render::OrbitCamera camera{.heading = static_cast<float>(math::radians(32)),
                               .pitch = static_cast<float>(math::radians(-14))};
    CameraMode camera_mode;
    std::vector<SavedView> views;
    Cast cast;
    bool adding = false;       ///< the chosen file is added to the scene beside the open one
    bool frame_wanted = true;  ///< the camera will show everything, once its size is known
    ViewSettings view;
    SkinSettings skin;
    EditSettings edit;
    app::SkeletonChoice skeleton_choice;
    rig::BindOptions bind;
    bool bind_after = true;  ///< binds a new skeleton immediately
    std::string rig_reason;  ///< method of the last run and the reason
    io::ReadOptions read;
    std::vector<Snapshot> undo, redo;
    Messages messages;
    Recent recent;
    Job job;
    FrameTimes times;
    Pace pace;               ///< of a measurement
    bool show_times = true;  ///< in the status bar; off for a script, so that its pictures are repeatable
    ViewArea area;
    Page page = Page::body;
    JointTool joint_tool;
    WeightTool weight_tool;
    MotionTool motion_tool;
    CompareSettings compare;
    Guide guide;
    double compared = 0;                                   ///< largest distance between both methods now
    std::shared_ptr<Painter> painter;                      ///< of the present stroke; or null
    std::shared_ptr<const SkinSurface> skin_surface;       ///< of the last request; or null
    std::shared_ptr<const ContactTrack> contacts;          ///< of the clip, from the last test; or null
    int selected_event = -1;                               ///< of the walk
    int gait_curve = 6;                                    ///< the curve that is shown: knee flexion
    int fit_bones = 20;                                    ///< requested number
    std::shared_ptr<const std::vector<double>> fit_error;  ///< of the last fit, by frame; or null
    Preferences preferences;
    std::string wanted_key;                  ///< action that waits for a key, by its default key; or empty
    std::string key_answer;                  ///< why a key was rejected
    std::filesystem::path preferences_path;  ///< path of their file; empty for none
    Browser browser;
    Preview preview;
    Work saved;                                         ///< state when it was opened or saved last
    std::function<void(State&)> pending;                ///< waits for an answer about unsaved work or a file
    std::string question;                               ///< that the answer is for
    std::vector<Leftover> leftovers;                    ///< to be offered
    std::shared_ptr<const model::Character> described;  ///< what the description is of
    std::vector<std::string> description;
    MovedVertices moved;  ///< of the joint that is shown
    Dialog dialog = Dialog::none;
    std::string export_path;    ///< as typed
    motion::JointMap map_edit;  ///< as edited in the dialog
    std::string picture_path;   ///< the next picture of the scene is written to it; empty for none
    bool quit = false;

    const model::Character& character() const { return *document.character; }
    const model::Clip* playing_clip() const {
        return clip >= 0 && static_cast<std::size_t>(clip) < character().clips.size()
                   ? &character().clips[static_cast<std::size_t>(clip)]
                   : nullptr;
    }
};

Work work_of(const State& state);
/// True if the end of the program would lose work.
bool is_unsaved(const State& state);
/// The name of the open file, with a star when it has unsaved changes.
std::string title_of(const State& state);

/// Present local transforms without the user's changes.
std::vector<Transform> pose_below(const State& state);
/// Present local transforms with them.
std::vector<Transform> pose_now(const State& state);

/// The reference size for steps and speeds: the diagonal of the mesh or skeleton, with a small minimum; 2
/// when nothing is open.
float scene_size(const Document& document);

}  // namespace sinew::studio
