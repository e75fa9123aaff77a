// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "sinew/base/error.h"
#include "sinew/io/acclaim/amc_motion.h"
#include "sinew/io/bvh/pose.h"
#include "sinew/math/quaternion.h"

namespace sinew::io::amc {
namespace {

using asf::Dof;
using asf::Figure;
using asf::Moves;
using bvh::SinCos;
using math::Quatd;
using math::Quatf;
using math::Vec3d;
using math::Vec3f;
using model::KeyTimes;
using model::Track;

/// Rotations in input order, each in the hemisphere of the previous one, so that blending takes the short
/// path. Scalars instead of vectors, because a vector would be stored in parts and loaded whole, which is
/// slow.
class Hemisphere {
  public:
    Hemisphere(Quatf* out, const Quatf& last) : out_(out), last_(last) {}

    void put(double x, double y, double z, double w) {
        const double dot = x * static_cast<double>(last_.x()) + y * static_cast<double>(last_.y()) +
                           z * static_cast<double>(last_.z()) + w * static_cast<double>(last_.w());
        const double sign = dot < 0 ? -1 : 1;
        last_ = Quatf(static_cast<float>(sign * w), static_cast<float>(sign * x),
                      static_cast<float>(sign * y), static_cast<float>(sign * z));
        *out_++ = last_;
    }
    void put(const Vec3d& v, double w) { put(v.x(), v.y(), v.z(), w); }

  private:
    Quatf* out_;
    Quatf last_;
};

/// R_a(angle) R_b(angle) ... about any axes.
Quatd compose(const std::vector<int>& axes, const std::vector<std::size_t>& columns, const double* row,
              double to_degrees) {
    Quatd q = Quatd::Identity();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const SinCos half = bvh::half_angle(row[columns[i]] * to_degrees);
        Quatd rotate(half.cosine, 0, 0, 0);
        rotate.coeffs()[axes[i]] = half.sine;
        q = q * rotate;
    }
    return q;
}

bool three_different(const std::vector<int>& axes) {
    return axes.size() == 3 && axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2];
}

template <class Value, class Mix>
void fill(model::Keys<Value>& keys, const std::vector<Hole>& holes, double step, const Mix& mix) {
    if (keys.empty()) return;
    std::vector<Value> values;
    std::size_t frame = 0;
    for (const Hole& hole : holes) {
        values.insert(values.end(), keys.values.begin() + static_cast<std::ptrdiff_t>(frame),
                      keys.values.begin() + static_cast<std::ptrdiff_t>(hole.frame));
        frame = hole.frame;
        const Value &before = keys.values[frame - 1], &after = keys.values[frame];
        for (std::size_t i = 1; i <= hole.count; ++i) {
            const auto t = static_cast<double>(i) / static_cast<double>(hole.count + 1);
            values.push_back(mix(before, after, t));
        }
    }
    values.insert(values.end(), keys.values.begin() + static_cast<std::ptrdiff_t>(frame), keys.values.end());
    keys.times = KeyTimes::even(0, step, values.size());
    keys.values = std::move(values);
}

}  // namespace

std::vector<Columns> columns_of(const Figure& figure) {
    std::vector<Columns> result;
    std::size_t first = 0;
    for (const Moves& moves : figure.moves) {
        result.push_back({first, moves.dofs.size()});
        first += moves.dofs.size();
    }
    return result;
}

KeyMaker::KeyMaker(const Figure& figure, bool radians, std::size_t max_frames, std::size_t max_bytes,
                   std::string_view file)
    : to_degrees_(radians ? 180 / math::pi : 1),
      max_frames_(max_frames),
      bytes_left_(max_bytes),
      file_(file),
      plans_(figure.moves.size()) {
    const std::vector<Columns> columns = columns_of(figure);
    for (std::size_t j = 0; j < plans_.size(); ++j) plan(figure, j, columns);
}

void KeyMaker::plan(const Figure& figure, std::size_t joint, const std::vector<Columns>& columns) {
    const Moves& moves = figure.moves[joint];
    const int parent = figure.skeleton.joints[joint].parent;
    Plan& plan = plans_[joint];
    plan.track.joint = static_cast<int>(joint);
    plan.rotate = math::to_matrix(moves.axes);
    plan.offset = figure.skeleton.joints[joint].rest.translation;
    for (std::size_t i = 0; i < moves.dofs.size(); ++i) {
        const Dof& dof = moves.dofs[i];
        const std::size_t column = columns[joint].first + i;
        if (dof.kind == Dof::Kind::rotation) {
            plan.axes.push_back(dof.axis);
            plan.columns.push_back(column);
        } else if (dof.kind == Dof::Kind::translation) {
            const Vec3d axis = Vec3d::Unit(dof.axis);
            plan.shifts.emplace_back(column, parent < 0 ? axis : Vec3d(plan.rotate * axis));
        }
    }
    // A later rotation about fixed axes is further left in the product.
    std::reverse(plan.axes.begin(), plan.axes.end());
    std::reverse(plan.columns.begin(), plan.columns.end());
    if (parent < 0) return;
    const auto p = static_cast<std::size_t>(parent);
    const std::vector<Dof>& above = figure.moves[p].dofs;
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (above[i].kind != Dof::Kind::length) continue;
        plan.shifts.emplace_back(columns[p].first + i, figure.moves[p].direction);
        plans_[p].followers.push_back(joint);
    }
}

void KeyMaker::start(Plan& plan, bool rotations, bool translations) {
    const auto reserve = [&](auto& keys, const auto& rest) {
        const std::size_t bytes = max_frames_ * sizeof(rest);
        if (bytes > bytes_left_) {
            fail(file_, "{} frames, but numbers for few of them: more memory than such a file may take",
                 max_frames_);
        }
        bytes_left_ -= bytes;
        keys.values.reserve(max_frames_);
        keys.values.assign(frames_, rest);
    };
    if (rotations) reserve(plan.track.rotation, Quatf(Quatf::Identity()));
    if (translations) {
        reserve(plan.track.translation, Vec3f(plan.offset.cast<float>()));
        plan.moving = true;
    }
}

void KeyMaker::see(std::size_t joint) {
    Plan& plan = plans_[joint];
    plan.seen = true;
    start(plan, !plan.axes.empty(), !plan.shifts.empty() && !plan.moving);
    for (const std::size_t follower : plan.followers) {
        if (!plans_[follower].moving) start(plans_[follower], false, true);
    }
}

/// C q C^-1 rotates only the vector part of q. Therefore the axes are rotated once, and what remains is the
/// product of half-angle quaternions, written out.
void KeyMaker::rotate(Plan& plan, const double* rows, std::size_t width, std::size_t count) const {
    std::vector<Quatf>& values = plan.track.rotation.values;
    const std::size_t start = values.size();
    values.resize(start + count);
    Hemisphere out(values.data() + start, start == 0 ? Quatf(Quatf::Identity()) : values[start - 1]);
    const auto half = [&](std::size_t i) { return bvh::half_angle(rows[plan.columns[i]] * to_degrees_); };
    const Vec3d a = plan.rotate.col(plan.axes[0]);
    if (plan.axes.size() == 1) {
        for (std::size_t f = 0; f < count; ++f, rows += width) {
            const SinCos p = half(0);
            out.put(p.sine * a.x(), p.sine * a.y(), p.sine * a.z(), p.cosine);
        }
        return;
    }
    const Vec3d b = plan.rotate.col(plan.axes[1]), ab = a.cross(b);
    const double same = plan.axes[0] == plan.axes[1] ? 1 : 0;
    if (plan.axes.size() == 2) {
        for (std::size_t f = 0; f < count; ++f, rows += width) {
            const SinCos p = half(0), q = half(1);
            const double sc = p.sine * q.cosine, cs = p.cosine * q.sine, ss = p.sine * q.sine;
            out.put(sc * a + cs * b + ss * ab, p.cosine * q.cosine - same * ss);
        }
        return;
    }
    if (!three_different(plan.axes)) {
        for (std::size_t f = 0; f < count; ++f, rows += width) {
            const Quatd q = compose(plan.axes, plan.columns, rows, to_degrees_);
            out.put(plan.rotate * q.vec(), q.w());
        }
        return;
    }
    // a x b = e c for the third axis c, with e = 1 for a cyclic order and -1 otherwise.
    const Vec3d c = plan.rotate.col(plan.axes[2]);
    const double e = ab.dot(c) > 0 ? 1 : -1;
    for (std::size_t f = 0; f < count; ++f, rows += width) {
        const SinCos p = half(0), q = half(1), r = half(2);
        const double cc = p.cosine * q.cosine, ss = e * (p.sine * q.sine);
        const double sc = p.sine * q.cosine, cs = p.cosine * q.sine;
        const double x = sc * r.cosine + e * (cs * r.sine), y = cs * r.cosine - e * (sc * r.sine),
                     z = cc * r.sine + ss * r.cosine;
        out.put(x * a + y * b + z * c, cc * r.cosine - ss * r.sine);
    }
}

void KeyMaker::move(Plan& plan, const double* rows, std::size_t width, std::size_t count) const {
    for (std::size_t f = 0; f < count; ++f, rows += width) {
        Vec3d position = plan.offset;
        for (const auto& [column, axis] : plan.shifts) position += rows[column] * axis;
        plan.track.translation.values.emplace_back(position.cast<float>());
    }
}

void KeyMaker::add(const double* rows, std::size_t width, std::size_t count) {
    for (Plan& plan : plans_) {
        if (plan.seen && !plan.axes.empty()) rotate(plan, rows, width, count);
        if (plan.moving) move(plan, rows, width, count);
    }
    frames_ += count;
}

std::vector<Track> KeyMaker::take(double step) {
    const KeyTimes times = KeyTimes::even(0, step, frames_);
    std::vector<Track> tracks;
    for (Plan& plan : plans_) {
        if (!plan.track.rotation.values.empty()) plan.track.rotation.times = times;
        if (!plan.track.translation.values.empty()) plan.track.translation.times = times;
        if (!plan.track.rotation.empty() || !plan.track.translation.empty())
            tracks.push_back(std::move(plan.track));
    }
    return tracks;
}

void fill_holes(std::vector<Track>& tracks, const std::vector<Hole>& holes, double step) {
    for (Track& track : tracks) {
        fill(track.translation, holes, step, [](const Vec3f& a, const Vec3f& b, double t) {
            return Vec3f((1 - static_cast<float>(t)) * a + static_cast<float>(t) * b);
        });
        fill(track.rotation, holes, step, [](const Quatf& a, const Quatf& b, double t) {
            return Quatf(a.slerp(static_cast<float>(t), b));
        });
    }
}

}  // namespace sinew::io::amc
