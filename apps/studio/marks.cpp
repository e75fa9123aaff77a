// SPDX-License-Identifier: MIT
#include "marks.h"

#include <algorithm>

#include "actions.h"
#include <Eigen/QR>

#include "sinew/base/error.h"
#include "sinew/pipeline/rig.h"
#include "sinew/rig/edit.h"

namespace sinew::studio {
namespace {

constexpr std::array<std::string_view, mark_count> mark_names = {
    "chin", "groin", "left wrist", "left elbow", "left knee", "right wrist", "right elbow", "right knee"};
constexpr float mark_reach = 10;  ///< pixels

int next_missing(const Marks& marks) {
    for (int i = 0; i < mark_count; ++i)
        if (!marks.at[static_cast<std::size_t>(i)]) return i;
    return -1;
}

Vec3d left_of(const Marks& marks) {
    return Vec3d::UnitY().cross(marks.facing);
}

/// The plane between left and right: the symmetry plane of the body if it has one, else vertical through the
/// chin.
rig::JointMirror mirror_of(const State& state, const Marks& marks) {
    const Vec3d left = left_of(marks);
    if (auto found = rig::joint_mirror(state.character()); found && std::abs(found->normal.dot(left)) > 0.8) {
        if (found->normal.dot(left) < 0) {
            found->normal = -found->normal;
            found->offset = -found->offset;
        }
        return *found;
    }
    rig::JointMirror upright;
    upright.normal = left;
    upright.offset = marks.of(Mark::chin) ? left.dot(*marks.of(Mark::chin)) : 0;
    return upright;
}

/// Moves a mark from press to release.
class HoldMark : public Tool {
  public:
    HoldMark(Mark mark, geometry::SurfaceQueries surface, float depth)
        : mark_(mark), surface_(std::move(surface)), depth_(depth) {}
    void move(State& state, const render::Ray& ray) override {
        if (const auto position = middle_of_volume(surface_, ray, depth_))
            set_mark(state, mark_, position->cast<double>(), true);
    }
    void end(State& state) override {
        if (state.joint_tool.mark >= 0) state.joint_tool.mark = next_missing(*state.document.marks);
    }

  private:
    Mark mark_;
    geometry::SurfaceQueries surface_;
    float depth_;
};

/// The position of each joint of a template: scaled and rotated as a whole, then deformed so that known
/// joints are at their positions. The weight of a known joint depends on its distance in the template.
class Placement {
  public:
    Placement(const Mat3d& basis, double scale, const Vec3d& from, const Vec3d& to)
        : basis_(basis), scale_(scale), from_(from), to_(to) {}

    Vec3d rigid(const Vec3d& point) const { return to_ + scale_ * (basis_ * (point - from_)); }
    void know(const Vec3d& point, const Vec3d& position) {
        points_.push_back(point);
        residuals_.push_back(position - rigid(point));
    }
    /// Call after all known joints are set: radial functions |r| through the residuals, and their mean.
    void solve() {
        const auto n = static_cast<Eigen::Index>(points_.size());
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 1, n + 1), right = Eigen::MatrixXd::Zero(n + 1, 3);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index j = 0; j < n; ++j)
                matrix(i, j) =
                    (points_[static_cast<std::size_t>(i)] - points_[static_cast<std::size_t>(j)]).norm();
            matrix(i, n) = matrix(n, i) = 1;
            right.row(i) = residuals_[static_cast<std::size_t>(i)].transpose();
        }
        weights_ = matrix.colPivHouseholderQr().solve(right);
    }
    Vec3d at(const Vec3d& point) const {
        const auto n = static_cast<Eigen::Index>(points_.size());
        Vec3d shift = weights_.row(n).transpose();
        for (Eigen::Index i = 0; i < n; ++i)
            shift += (point - points_[static_cast<std::size_t>(i)]).norm() * weights_.row(i).transpose();
        return rigid(point) + shift;
    }
    Vec3d direction(const Vec3d& difference) const { return scale_ * (basis_ * difference); }

  private:
    Mat3d basis_;
    double scale_;
    Vec3d from_, to_;
    std::vector<Vec3d> points_, residuals_;
    Eigen::MatrixXd weights_;
};

/// The template's own marks, at the positions that a user would click.
Vec3d mark_of_template(const model::Skeleton& skeleton, const std::vector<math::Mat4d>& world, Mark mark) {
    constexpr std::array<std::string_view, mark_count> joints = {"Head",          "Hips",         "LeftHand",
                                                                 "LeftLowerArm",  "LeftLowerLeg", "RightHand",
                                                                 "RightLowerArm", "RightLowerLeg"};
    const int joint = skeleton.find(std::string(joints[static_cast<std::size_t>(mark)]));
    const Vec3d at = world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
    return mark == Mark::groin ? Vec3d(at - Vec3d(0, 0.085, 0)) : at;
}

struct Sides {
    const char* name;
    Mark wrist, elbow, knee;
};
constexpr std::array sides = {Sides{"Left", Mark::left_wrist, Mark::left_elbow, Mark::left_knee},
                              Sides{"Right", Mark::right_wrist, Mark::right_elbow, Mark::right_knee}};

void check(const Marks& marks) {
    if (const int missing = next_missing(marks); missing >= 0)
        fail("marks", "the {} is not marked yet", mark_names[static_cast<std::size_t>(missing)]);
    if (!(marks.of(Mark::chin)->y() > marks.of(Mark::groin)->y()))
        fail("marks", "the chin must be above the groin: mark them again, with y up");
    for (const Sides& side : sides)
        if ((*marks.of(side.wrist) - *marks.of(side.elbow)).norm() <
            1e-6 * (*marks.of(Mark::chin) - *marks.of(Mark::groin)).norm())
            fail("marks", "wrist and elbow are in one place: mark them again");
}

}  // namespace

bool Marks::complete() const {
    return next_missing(*this) < 0;
}

std::string_view name_of(Mark mark) {
    return mark_names[static_cast<std::size_t>(mark)];
}

Mark twin_of(Mark mark) {
    const int index = static_cast<int>(mark);
    return index < 2 ? mark : static_cast<Mark>(index < 5 ? index + 3 : index - 3);
}

void begin_marks(State& state) {
    show_page(state, Page::joints);
    state.joint_tool.mark = state.document.marks ? std::max(next_missing(*state.document.marks), 0) : 0;
}

void clear_marks(State& state) {
    if (!state.document.marks) return;
    remember(state, "clear marks");
    state.document.marks.reset();
    state.joint_tool.mark = -1;
}

void set_mark(State& state, Mark mark, const Vec3d& position, bool again) {
    if (!again) remember(state, "place mark");
    Marks marks = state.document.marks ? *state.document.marks : Marks{};
    if (!marks.of(Mark::chin)) {
        const Vec3f back = to_camera(state.camera).backward();
        const Vec3d level(back.x(), 0, back.z());
        if (level.norm() > 0.2) marks.facing = level.normalized();
        // The nearest of four sides: nobody aligns a camera exactly.
        const bool along_x = std::abs(marks.facing.x()) > std::abs(marks.facing.z());
        marks.facing =
            along_x ? Vec3d(marks.facing.x() > 0 ? 1 : -1, 0, 0) : Vec3d(0, 0, marks.facing.z() > 0 ? 1 : -1);
    }
    const rig::JointMirror mirror = mirror_of(state, marks);
    const Mark twin = twin_of(mark);
    if (state.joint_tool.symmetry && twin == mark) {
        // In the middle of the body.
        marks.at[static_cast<std::size_t>(mark)] = (position + mirror.reflect(position)) / 2;
    } else if (state.joint_tool.symmetry) {
        // Independent of the side that was clicked.
        const bool on_left = mirror.normal.dot(position) > mirror.offset;
        const bool is_left = static_cast<int>(mark) < static_cast<int>(twin);
        const Mark here = on_left == is_left ? mark : twin;
        marks.at[static_cast<std::size_t>(here)] = position;
        marks.at[static_cast<std::size_t>(twin_of(here))] = mirror.reflect(position);
    } else {
        marks.at[static_cast<std::size_t>(mark)] = position;
    }
    state.document.marks = std::make_shared<const Marks>(marks);
}

std::unique_ptr<Tool> begin_mark(State& state, const PosedBody& posed, const Vec2f& pixel,
                                 const render::PictureArea& area) {
    if (!state.character().has_mesh()) return nullptr;
    const render::Camera camera = to_camera(state.camera);
    const render::Ray ray = render::pixel_ray(camera, pixel, area);
    const auto surface = [&] {
        return geometry::SurfaceQueries(posed.positions, state.character().mesh.triangles);
    };
    for (int i = 0; state.document.marks && i < mark_count; ++i) {
        const auto& at = state.document.marks->at[static_cast<std::size_t>(i)];
        if (!at) continue;
        const auto seen = render::to_pixel(camera, at->cast<float>(), area);
        if (!seen || (*seen - pixel).norm() > mark_reach) continue;
        remember(state, "move mark");
        const float depth = (at->cast<float>() - ray.origin).norm();
        return std::make_unique<HoldMark>(static_cast<Mark>(i), surface(), depth);
    }
    if (state.joint_tool.mark < 0) return nullptr;
    const auto mark = static_cast<Mark>(state.joint_tool.mark);
    geometry::SurfaceQueries queries = surface();
    const auto first = queries.first_hit(ray.origin, ray.direction);
    if (!first) return nullptr;
    const auto position = middle_of_volume(queries, ray, first->distance);
    if (!position) return nullptr;
    set_mark(state, mark, position->cast<double>());
    return std::make_unique<HoldMark>(mark, std::move(queries), (*position - ray.origin).norm());
}

model::Skeleton skeleton_from_marks(const geometry::Mesh& mesh, const Marks& marks,
                                    const std::string& pattern) {
    check(marks);
    model::Skeleton skeleton = rig::skeleton_template(pattern);
    const auto world = model::rest_world_matrices(skeleton);
    const auto rest = [&](int joint) -> Vec3d {
        return world[static_cast<std::size_t>(joint)].topRightCorner<3, 1>();
    };
    const auto named = [&](const std::string& name) { return rig::joint_named(skeleton, name); };
    Mat3d basis;
    basis << left_of(marks), Vec3d::UnitY(), marks.facing;
    const Vec3d chin = mark_of_template(skeleton, world, Mark::chin),
                groin = mark_of_template(skeleton, world, Mark::groin);
    const double scale = (*marks.of(Mark::chin) - *marks.of(Mark::groin)).norm() / (chin - groin).norm();
    Placement placement(basis, scale, groin, *marks.of(Mark::groin));
    for (int i = 0; i < mark_count; ++i)
        placement.know(mark_of_template(skeleton, world, static_cast<Mark>(i)),
                       *marks.at[static_cast<std::size_t>(i)]);
    double floor = 1e300;
    for (const Vec3f& p : mesh.positions) floor = std::min(floor, static_cast<double>(p.y()));
    for (const Sides& side : sides) {
        const std::string name = side.name;
        // Hips and shoulders move with the trunk; the ankle is where the shin reaches the height of ankles.
        const Vec3d hip = rest(named(name + "UpperLeg")), ankle = rest(named(name + "Foot"));
        const Vec3d knee = *marks.of(side.knee), thigh = placement.rigid(hip);
        placement.know(hip, thigh);
        placement.know(rest(named(name + "UpperArm")), placement.rigid(rest(named(name + "UpperArm"))));
        const double shin = knee.y() - floor, height = shin * ankle.y() / rest(named(name + "LowerLeg")).y();
        Vec3d down = (knee - thigh).normalized();
        if (down.y() > -0.3) down = -Vec3d::UnitY();
        placement.know(ankle, knee + down * ((shin - height) / -down.y()));
    }
    placement.solve();
    std::vector<Vec3d> position(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) position[j] = placement.at(rest(static_cast<int>(j)));
    const geometry::SurfaceQueries surface(mesh);
    const double far = 10 * scale;
    for (const char* name : {"Hips", "Spine", "Chest", "UpperChest", "Neck", "LeftUpperLeg", "RightUpperLeg",
                             "LeftUpperArm", "RightUpperArm", "LeftFoot", "RightFoot"}) {
        Vec3d& at = position[static_cast<std::size_t>(named(name))];
        const render::Ray sight{(at + far * marks.facing).cast<float>(), (-marks.facing).cast<float>()};
        if (const auto middle = middle_of_volume(surface, sight, static_cast<float>(far)))
            at = middle->cast<double>();
    }
    // Hands and feet are not bent: hands rotate and scale with the forearm, feet stay on the floor.
    std::vector<Mat3d> rotation(skeleton.size(), Mat3d::Identity());
    for (const Sides& side : sides) {
        const std::string name = side.name;
        const int hand = named(name + "Hand"), foot = named(name + "Foot"), elbow = named(name + "LowerArm");
        const Vec3d before = placement.direction(rest(hand) - rest(elbow)),
                    now =
                        position[static_cast<std::size_t>(hand)] - position[static_cast<std::size_t>(elbow)];
        const auto forearm = math::rotation_between<double>(before.normalized(), now.normalized());
        for (std::size_t j = 0; j < skeleton.size(); ++j) {
            auto above = static_cast<int>(j);
            while (above >= 0 && above != hand && above != foot)
                above = skeleton.joints[static_cast<std::size_t>(above)].parent;
            if (above < 0) continue;
            if (above == hand) rotation[j] = now.norm() / before.norm() * forearm.toRotationMatrix();
            position[j] = position[static_cast<std::size_t>(above)] +
                          rotation[j] * placement.direction(rest(static_cast<int>(j)) - rest(above));
        }
    }
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        model::Joint& joint = skeleton.joints[j];
        joint.rest.translation =
            position[j] -
            (joint.parent < 0 ? Vec3d(0, 0, 0) : position[static_cast<std::size_t>(joint.parent)]);
        joint.rest.rotation.setIdentity();
        if (joint.tip) joint.tip = rotation[j] * placement.direction(*joint.tip);
    }
    return skeleton;
}

void rig_from_marks(State& state) {
    if (!state.document.marks || !state.character().has_mesh()) {
        state.messages.add(Severity::error, "place the marks first");
        return;
    }
    const auto work = [open = state.document, bind = state.bind, bind_it = state.bind_after,
                       wanted = state.skeleton_choice.pattern](Monitor& monitor) -> Job::Apply {
        model::Character character = *open.character;
        character.mesh = pipeline::rest_mesh(*open.character);
        character.clips.clear();
        character.skin = {};
        character.skeleton = skeleton_from_marks(character.mesh, *open.marks,
                                                 wanted == "biped-hands" ? wanted : std::string("biped"));
        character = rig::orient_joints(character, rig::JointFrames::bone);
        std::string reason = "the template of a biped, placed by marks";
        if (bind_it) {
            const pipeline::BoundSkin bound =
                pipeline::bind_mesh(character.mesh, character.skeleton, bind, monitor);
            character.skin = bound.result.skin;
            reason +=
                fmt::format("\nbound by {}: {}", rig::name_of(bound.result.method), bound.result.reason);
        }
        Document document(std::move(character), open.path);
        document.marks = open.marks;
        return [document, reason](State& now) {
            change(now, "skeleton from marks", document);
            now.rig_reason = reason;
            now.joint_tool.mark = -1;
            if (now.view.skeleton == SkeletonMode::hidden) now.view.skeleton = SkeletonMode::inside;
        };
    };
    state.job.start("Placing a skeleton", work);
}

}  // namespace sinew::studio
