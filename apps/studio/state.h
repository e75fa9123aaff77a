// SPDX-License-Identifier: MIT
#pragma once
// Everything that the studio knows. Panels and tests change it; the viewport shows it.

#include <optional>

#include "browser.h"
#include "document.h"
#include "job.h"
#include "messages.h"
#include "pose_layer.h"
#include "recent.h"
#include "shared/rig_choice.h"
#include "timeline.h"

#include "sinew/deform/method.h"
#include "sinew/motion/retarget.h"
#include "sinew/render/view.h"

namespace sinew::studio {

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
    inside,  ///< solids where they are: seen in a mesh that lets them through
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
    bool names = false;    ///< of the joints
    bool forces = true;    ///< of a trial's platforms
    int samples = 4;       ///< a pixel
    bool adaptive = true;  ///< simpler while it moves, where the full picture is too slow
};

struct SkinSettings {
    deform::Method method = deform::Method::dqs;
    bool close_gaps = false;  ///< rigid parts with their joints closed
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

enum class Dialog { none, open, write, keys, joint_map };

/// A step back.
struct Snapshot {
    std::string what;
    Document document;
    PoseLayer pose;
    int clip = -1;
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
    Browser browser;
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

/// Local transforms of now without what a person changed.
std::vector<Transform> pose_below(const State& state);
/// And with it.
std::vector<Transform> pose_now(const State& state);

/// The size by which steps and speeds are measured: the diagonal of the mesh or skeleton, at least a little;
/// 2 when nothing is open.
float scene_size(const Document& document);

}  // namespace sinew::studio
