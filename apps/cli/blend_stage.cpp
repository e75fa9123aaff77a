#include "blend_stage.h"

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

bool same_rest(const model::Joint& a, const model::Joint& b) {
    constexpr double close = 1e-5;
    return a.name == b.name && a.parent == b.parent &&
           (a.rest.translation - b.rest.translation).norm() < close &&
           (a.rest.scale - b.rest.scale).norm() < close &&
           math::angle_between(a.rest.rotation, b.rest.rotation) < close;
}

bool same_skeleton(const model::Skeleton& a, const model::Skeleton& b) {
    return std::ranges::equal(a.joints, b.joints, same_rest);
}

}  // namespace

BlendStage::BlendStage(Run& run, const std::filesystem::path& rig, const io::ReadOptions& read)
    : run_(run), read_(read) {
    if (rig.empty()) return;
    character_ = load(run, rig, read).character;
    if (!character_.has_skeleton()) fail(rig.string(), "has no skeleton to move");
}

const pipeline::Motion& BlendStage::motion_of(const std::filesystem::path& path) {
    const auto found = motions_.find(path);
    if (found != motions_.end()) return found->second;
    return motions_.emplace(path, load_motion(run_, path, read_, {})).first->second;
}

model::Clip BlendStage::clip_of(const std::filesystem::path& path, const std::string& name) {
    const model::Character& source = motion_of(path).character;
    const model::Clip* clip = nullptr;
    try {
        clip = model::find_clip(source, name);
    } catch (const Error& error) {
        fail(path.string(), "{}", error.what());
    }
    if (empty()) character_ = source;
    model::Clip result = *clip;
    if (!same_skeleton(source.skeleton, character_.skeleton)) {
        const StageTimer timer(run_.report, "retarget");
        motion::RetargetResult moved =
            motion::retarget(source.skeleton, *clip, character_.skeleton, {}, run_.monitor);
        run_.say("{}: moved onto another skeleton, {} of {} follow", path.filename().string(),
                 moved.mapped.size(), count_of(character_.skeleton.size(), "joint"));
        result = std::move(moved.clip);
    }
    if (result.name.empty()) result.name = path.stem().string();
    return result;
}

}  // namespace sinew::cli
