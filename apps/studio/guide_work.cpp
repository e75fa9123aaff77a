// SPDX-License-Identifier: MIT
#include "guide_work.h"

#include "actions.h"
#include "motion_import.h"
#include "rig_edit.h"

#include "sinew/base/error.h"
#include "sinew/math/quaternion.h"
#include "sinew/model/roles.h"
#include "sinew/pipeline/rig.h"
#include "sinew/rig/skeletonize.h"
#include "sinew/sample/samples.h"

namespace sinew::studio {
namespace {

using model::Role;
using model::Side;

/// A rotation of the test pose: axis 0 to the body's left, 1 up, 2 forward.
struct Bend {
    Role role;
    Side side;
    int axis;
    double degrees;
};

/// Children first: a raised arm moves its bent elbow with it. Both sides differ, so that one picture shows
/// two bends of each joint.
constexpr Bend bends[] = {
    {Role::hand, Side::left, 2, 40},      {Role::hand, Side::right, 2, 40},
    {Role::forearm, Side::left, 1, -90},  {Role::forearm, Side::right, 1, 50},
    {Role::upper_arm, Side::left, 2, 45}, {Role::upper_arm, Side::right, 1, 60},
    {Role::foot, Side::left, 0, 30},      {Role::foot, Side::right, 0, -25},
    {Role::shin, Side::left, 0, 90},      {Role::shin, Side::right, 0, 30},
    {Role::thigh, Side::left, 0, -80},    {Role::thigh, Side::right, 0, 20},
    {Role::neck, Side::none, 1, 25},      {Role::head, Side::none, 0, 20},
    {Role::spine, Side::none, 1, 30},
};
constexpr double small_bend = 20;  ///< degrees, of joints without a role

std::vector<Transform> at_rest(const model::Skeleton& skeleton) {
    std::vector<Transform> local;
    for (const model::Joint& joint : skeleton.joints) local.push_back(joint.rest);
    return local;
}

/// The body's left, up and forward; the axes of the world where no limbs come in pairs.
math::Mat3d body_axes(const model::Skeleton& skeleton, const std::vector<model::JointRole>& roles) {
    const auto world = model::rest_world_matrices(skeleton);
    for (const Role role : {Role::thigh, Role::upper_arm, Role::shin}) {
        const int left = find_role(roles, role, Side::left), right = find_role(roles, role, Side::right);
        if (left < 0 || right < 0) continue;
        Vec3d across = (world[static_cast<std::size_t>(left)] - world[static_cast<std::size_t>(right)])
                           .topRightCorner<3, 1>();
        across.y() = 0;
        if (across.norm() < 1e-9) continue;
        math::Mat3d axes;
        axes.col(0) = across.normalized();
        axes.col(1) = Vec3d::UnitY();
        axes.col(2) = axes.col(0).cross(axes.col(1));
        return axes;
    }
    return math::Mat3d::Identity();
}

/// Quadrupeds carry the neck in front of the hips, not above.
bool is_level(const model::Skeleton& skeleton) {
    const auto roles = model::find_roles(skeleton);
    const int hips = find_role(roles, Role::hips), neck = find_role(roles, Role::neck);
    if (hips < 0 || neck < 0) return false;
    const auto world = model::rest_world_matrices(skeleton);
    const Vec3d back = (world[static_cast<std::size_t>(neck)] - world[static_cast<std::size_t>(hips)])
                           .topRightCorner<3, 1>();
    return std::hypot(back.x(), back.z()) > std::abs(back.y());
}

Vec3f turned(const math::Mat3d& by, const Vec3f& v) {
    return (by * v.cast<double>()).cast<float>();
}

}  // namespace

PoseLayer test_pose(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const std::vector<Transform> rest = at_rest(skeleton);
    const math::Mat3d axes = body_axes(skeleton, roles);
    PoseLayer pose;
    for (const Bend& bend : bends)
        if (const int joint = find_role(roles, bend.role, bend.side); joint >= 0)
            rotate(pose, skeleton, rest, joint, axes.col(bend.axis), math::radians(bend.degrees),
                   Space::global);
    if (!pose.empty()) return pose;
    for (int joint = static_cast<int>(skeleton.size()) - 1; joint >= 0; --joint)
        if (skeleton.joints[static_cast<std::size_t>(joint)].parent >= 0)
            rotate(pose, skeleton, rest, joint, Vec3d::UnitX(), math::radians(small_bend), Space::local);
    return pose;
}

void take_test_pose(State& state) {
    if (!state.character().has_skeleton()) return;
    remember(state, "test pose");
    state.timeline.playing = false;
    choose_clip(state, -1);
    state.pose = test_pose(state.character().skeleton);
}

void rotate_mesh(State& state, int axis, int quarters) {
    if (!state.character().has_mesh() || state.character().has_skeleton()) return;
    const math::Mat3d by =
        math::axis_angle<double>(Vec3d::Unit(axis), math::radians(90.0 * quarters)).toRotationMatrix();
    model::Character changed = state.character();
    geometry::Mesh& mesh = changed.mesh;
    for (Vec3f& p : mesh.positions) p = turned(by, p);
    for (Vec3f& n : mesh.normals) n = turned(by, n);
    for (math::Vec4f& t : mesh.tangents) t.head<3>() = turned(by, t.head<3>());
    for (geometry::Morph& morph : mesh.morphs) {
        for (Vec3f& p : morph.positions) p = turned(by, p);
        for (Vec3f& n : morph.normals) n = turned(by, n);
    }
    change(state, "turn the mesh", state.document.with(std::move(changed)));
    look_at_all(state);
}

std::vector<int> doubtful_joints(const Document& document) {
    std::vector<int> list;
    for (std::size_t j = 0; document.confidence && j < document.confidence->size(); ++j)
        if ((*document.confidence)[j] < rig::min_confidence) list.push_back(static_cast<int>(j));
    return list;
}

void next_doubtful_joint(State& state) {
    const std::vector<int> list = doubtful_joints(state.document);
    if (list.empty()) return;
    const int now = selected_joint(state);
    const auto next = std::ranges::find_if(list, [&](int joint) { return joint > now; });
    show_page(state, Page::joints);
    state.selection = {SelectionKind::joint, next == list.end() ? list.front() : *next};
}

void walk_like_a_sample(State& state) {
    const Document open = state.document;
    if (!open.character->has_skeleton()) return;
    const auto work = [open](Monitor& monitor) -> Job::Apply {
        const std::string name = is_level(open.character->skeleton) ? "horse" : "man";
        io::Asset walk;
        walk.character = sample::make(name);
        walk.character.mesh = {};
        walk.character.skin = {};
        Document document = with_motion(open, std::move(walk), "walk of the " + name, monitor);
        document.motion = open.motion;  // the walk is not in a file that a project could name
        return [document = std::move(document)](State& now) {
            change(now, "add a walk", document);
            choose_clip(now, static_cast<int>(now.character().clips.size()) - 1);
            now.timeline.playing = true;
            look_at_all(now);
        };
    };
    if (!state.job.start("Adding a walk", work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void compare_binding(State& state, rig::BindMethod method) {
    const std::shared_ptr<const model::Character> open = state.document.character;
    if (!open->has_skin()) return;
    rig::BindOptions options = state.bind;
    options.method = method;
    const auto work = [open, options](Monitor& monitor) -> Job::Apply {
        auto other = std::make_shared<model::Character>(*open);
        other->clips.clear();
        other->mesh = pipeline::rest_mesh(*open);
        const pipeline::BoundSkin bound = pipeline::bind_mesh(other->mesh, open->skeleton, options, monitor);
        other->skin = bound.result.skin;
        return [other, name = std::string(rig::name_of(bound.result.method))](State& now) {
            now.compare.weights = other;
            now.compare.bound_by = name;
            now.compare.method = now.skin.method;
            now.compare.on = true;
        };
    };
    if (!state.job.start("Binding by " + std::string(rig::name_of(method)), work))
        state.messages.add(Severity::note, "busy: wait for the running task, or cancel it");
}

void use_other_weights(State& state) {
    const auto other = state.compare.weights;
    if (!other || other->mesh.vertex_count() != state.character().mesh.vertex_count()) return;
    const PoseLayer pose = state.pose;
    edit_rig(state, "other weights", [&](const model::Character& character) {
        model::Character changed = character;
        changed.mesh = other->mesh;
        changed.skin = other->skin;
        return changed;
    });
    state.pose = pose;
    state.compare.weights.reset();
    state.compare.on = false;
}

}  // namespace sinew::studio
