#pragma once
/// \file
/// From a mesh to a rig, stage by stage: find a skeleton, correct it by hand, bind. What is known is kept.

#include <optional>
#include <string>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/rig/bind/bind.h"
#include "sinew/rig/edit_history.h"
#include "sinew/rig/skeletonize/skeletonize.h"

namespace sinew::rig {

/// What a stage did when it last ran.
struct StageRecord {
    std::string name;  ///< "skeletonize", "bind"
    double seconds = 0;
    int runs = 0;        ///< how often it had to run
    std::string method;  ///< the one taken, and why
    std::string reason;
};

struct RigReport {
    std::vector<StageRecord> stages;
    std::size_t vertices = 0, faces = 0, joints = 0;
    std::size_t branches = 0;  ///< of the curve skeleton
    std::vector<Warning> warnings;
};

/// A stage runs when its result is asked for, and again only when something before it has changed. Joints
/// that are locked stay where a person put them when the skeleton is found anew.
class RigSession {
  public:
    explicit RigSession(geometry::Mesh mesh, SkeletonizeOptions skeleton = {}, BindOptions bind = {});

    void set(const SkeletonizeOptions& options);
    void set(const BindOptions& options);

    /// As the machine found it. \throws Error of `skeletonize`.
    const SkeletonizeResult& found(Monitor& monitor = silent());
    /// As it is now: found, with the changes made by hand.
    const model::Skeleton& skeleton(Monitor& monitor = silent());
    /// A change by hand; `what` is its name for undo and for the report.
    void change(std::string what, model::Skeleton skeleton, Monitor& monitor = silent());
    /// Name of the change that was undone or redone; empty when there was none.
    std::string undo();
    std::string redo();
    /// \throws Error when there is no such joint.
    void lock(const std::string& joint, Monitor& monitor = silent());
    void unlock(const std::string& joint);

    /// \throws Error of `bind`.
    const BindResult& bound(Monitor& monitor = silent());
    /// Mesh, skeleton and skin as they are now.
    model::Character character(Monitor& monitor = silent());
    RigReport report() const;

  private:
    geometry::Mesh mesh_;
    SkeletonizeOptions skeleton_options_;
    BindOptions bind_options_;
    EditHistory& history(Monitor& monitor);

    std::optional<SkeletonizeResult> found_;
    bool found_is_old_ = false;  ///< the options have changed since
    std::optional<EditHistory> history_;
    std::optional<BindResult> bound_;
    StageRecord skeleton_record_{"skeletonize", 0, 0, {}, {}}, bind_record_{"bind", 0, 0, {}, {}};
    std::vector<Warning> warnings_;
};

}  // namespace sinew::rig
