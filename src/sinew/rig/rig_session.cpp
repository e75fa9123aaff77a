#include "sinew/rig/rig_session.h"

#include <chrono>

namespace sinew::rig {
namespace {

/// Runs a stage and notes how long it took.
template <class Work>
auto timed(StageRecord& record, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    record.method = name_of(result.method);
    record.reason = result.reason;
    ++record.runs;
    return result;
}

}  // namespace

RigSession::RigSession(geometry::Mesh mesh, SkeletonizeOptions skeleton, BindOptions bind)
    : mesh_(std::move(mesh)), skeleton_options_(std::move(skeleton)), bind_options_(std::move(bind)) {}

void RigSession::set(const SkeletonizeOptions& options) {
    skeleton_options_ = options;
    found_is_old_ = true;
    bound_.reset();
}

void RigSession::set(const BindOptions& options) {
    bind_options_ = options;
    bound_.reset();
}

const SkeletonizeResult& RigSession::found(Monitor& monitor) {
    if (found_ && !found_is_old_) return *found_;
    Collector collector(monitor);
    found_ = timed(skeleton_record_, [&] { return skeletonize(mesh_, skeleton_options_, collector); });
    warnings_ = collector.warnings();
    found_is_old_ = false;
    if (history_)
        history_->rerun(found_->skeleton);
    else
        history_.emplace(found_->skeleton);
    return *found_;
}

EditHistory& RigSession::history(Monitor& monitor) {
    found(monitor);
    return *history_;
}

const model::Skeleton& RigSession::skeleton(Monitor& monitor) {
    return history(monitor).skeleton();
}

void RigSession::change(std::string what, model::Skeleton skeleton, Monitor& monitor) {
    history(monitor).push(std::move(what), std::move(skeleton));
    bound_.reset();
}

std::string RigSession::undo() {
    bound_.reset();
    return history_ ? history_->undo() : "";
}

std::string RigSession::redo() {
    bound_.reset();
    return history_ ? history_->redo() : "";
}

void RigSession::lock(const std::string& joint, Monitor& monitor) {
    history(monitor).lock(joint);
}

void RigSession::unlock(const std::string& joint) {
    if (history_) history_->unlock(joint);
}

const BindResult& RigSession::bound(Monitor& monitor) {
    const model::Skeleton& bones = skeleton(monitor);
    if (bound_) return *bound_;
    Collector collector(monitor);
    bound_ = timed(bind_record_, [&] { return bind(mesh_, bones, bind_options_, collector); });
    warnings_.insert(warnings_.end(), collector.warnings().begin(), collector.warnings().end());
    return *bound_;
}

model::Character RigSession::character(Monitor& monitor) {
    model::Character result;
    result.name = mesh_.name;
    result.skin = bound(monitor).skin;
    result.mesh = mesh_;
    result.skeleton = skeleton(monitor);
    return result;
}

RigReport RigSession::report() const {
    RigReport report;
    report.stages = {skeleton_record_, bind_record_};
    report.vertices = mesh_.vertex_count();
    report.faces = mesh_.triangles.size();
    if (history_) report.joints = history_->skeleton().size();
    if (found_) report.branches = branches(found_->curve).size();
    report.warnings = warnings_;
    return report;
}

}  // namespace sinew::rig
