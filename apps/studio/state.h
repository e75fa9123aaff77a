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
    bool sticks = true;      ///< between markers of a trial
    int samples = 4;         ///< a pixel
    bool adaptive = true;    ///< simpler while it moves, where the full picture is too slow
    bool confidence = true;  ///< joints in the colour of how sure their position is, where that is known
    int onion = 0;           ///< skeletons of so many frames before and after
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

/// A second skinning method, or other weights, beside the first.
struct CompareSettings {
    bool on = false;
    deform::Method method = deform::Method::lbs;
    std::shared_ptr<const model::Character> weights;  ///< bound in another way; null: the same weights
    std::string bound_by;                             ///< of `weights`
    bool heat = true;                                 ///< how far both are apart, as colour
    float border = 0.5f;  ///< of the picture's width: the second method is shown beyond it
    bool operator==(const CompareSettings&) const = default;
};

/// How the camera is moved, beside the mouse.
struct CameraMode {
    bool fly = false;     ///< arrows turn in place, W and S change the speed
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
    int mark = -1;         ///< that the next click places; -1 when none is
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
    int other_binding = 0;  ///< of rig::bind_methods(), whose weights are compared
};

/// What a curve does before its first and after its last key.
enum class Beyond {
    constant,
    linear,  ///< goes on with its slope
    repeat,
    repeat_offset,  ///< from where it ended
    mirror,         ///< forth and back
};

/// Keys and curves.
struct MotionTool {
    bool curves = false;  ///< the editor is open
    int property = 1;     ///< 0 position, 1 rotation
    int key = -1;         ///< that is selected, of the selected joint
    double trim_start = 0, trim_end = 0;
    double tolerance = 0.002;   ///< of fewer keys
    bool drag_ends = true;      ///< a drag of a hand or foot bends the limb
    std::set<int> pins;         ///< joints that stay while others are dragged
    int other = 0;              ///< clip that is combined with the one that plays
    double weight = 0.5;        ///< of it
    double fade = 0.3;          ///< seconds in which one goes over into the other
    bool in_step = true;        ///< steps of both are brought together
    bool layer = false;         ///< keys go to a layer over the clip
    double ease = 0.3;          ///< seconds in which a key of a layer comes and goes
    double arm_space = 10;      ///< degrees by which arms are moved away from the body
    int before = 0, after = 0;  ///< Beyond, of the keys that are extended
    double from = 0, to = 0;    ///< seconds; the range over which they are
    bool extend_all = false;    ///< all joints
    bool extend_shown = false;  ///< the curve editor shows what would be baked
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

/// One of several characters, as it stands in the scene while another one is worked on.
struct Actor {
    Document document;
    int clip = -1;
    PoseLayer pose;
    bool hidden = false;
    Vec3d shift = Vec3d::Zero();  ///< where it stands in the scene
};

/// Several characters. The one that is worked on is in the state itself, and its slot here is null; it is
/// drawn where its file has it, and the others around it.
struct Cast {
    std::vector<std::shared_ptr<const Actor>> actors;  ///< empty while there is only one
    int active = 0;
    bool hidden = false;          ///< the one that is worked on
    Vec3d shift = Vec3d::Zero();  ///< of it
    bool operator==(const Cast&) const = default;
};

/// A view to come back to.
struct SavedView {
    std::string name;
    render::OrbitCamera camera;
};

/// A step back.
struct Snapshot {
    std::string what;
    Document document;
    PoseLayer pose;
    int clip = -1;
    Cast cast;
    std::vector<SavedView> views;
};

/// What would be lost.
struct Work {
    std::shared_ptr<const model::Character> character;
    std::shared_ptr<const GaitWork> gait;
    std::shared_ptr<const gait::Checklist> checklist;
    PoseLayer pose;
    Cast cast;
    bool operator==(const Work& other) const = default;
};

/// Where the picture is in the window, in pixels from its upper left corner.
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
    double frame = 0;      ///< from one to the next
    double interface = 0;  ///< processor time of panels, keys and mouse
    double answer = 0;     ///< from an event to the picture that shows it
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
    std::vector<SavedView> views;
    Cast cast;
    bool adding = false;       ///< the file that is chosen goes into the scene beside what is open
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
    Pace pace;               ///< of a measurement
    bool show_times = true;  ///< in the status bar; a script does not, so that its pictures are repeatable
    ViewArea area;
    Page page = Page::body;
    JointTool joint_tool;
    WeightTool weight_tool;
    MotionTool motion_tool;
    CompareSettings compare;
    Guide guide;
    double compared = 0;                                   ///< largest distance between both methods now
    std::shared_ptr<Painter> painter;                      ///< of the stroke that is being painted; or null
    std::shared_ptr<const ContactTrack> contacts;          ///< of the clip, as last counted; or null
    int selected_event = -1;                               ///< of the walk
    int gait_curve = 6;                                    ///< that is shown: knee flexion
    int fit_bones = 20;                                    ///< that are asked for
    std::shared_ptr<const std::vector<double>> fit_error;  ///< of the last fit, by frame; or null
    Preferences preferences;
    std::string wanted_key;                  ///< action that the next key is for, by its usual one; or empty
    std::string key_answer;                  ///< why a key was not taken
    std::filesystem::path preferences_path;  ///< where they are kept; empty for nowhere
    Browser browser;
    Preview preview;
    Work saved;                                         ///< as it was opened or saved last
    std::function<void(State&)> pending;                ///< waits for an answer about unsaved work or a file
    std::string question;                               ///< that the answer is to
    std::vector<Leftover> leftovers;                    ///< to be offered
    std::shared_ptr<const model::Character> described;  ///< what the description is of
    std::vector<std::string> description;
    MovedVertices moved;  ///< of the joint that is shown
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
/// The file that is open, with a star when it has unsaved changes.
std::string title_of(const State& state);

/// Local transforms of now without what a person changed.
std::vector<Transform> pose_below(const State& state);
/// And with it.
std::vector<Transform> pose_now(const State& state);

/// The size by which steps and speeds are measured: the diagonal of the mesh or skeleton, at least a little;
/// 2 when nothing is open.
float scene_size(const Document& document);

}  // namespace sinew::studio
