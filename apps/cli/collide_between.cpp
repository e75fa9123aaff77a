// SPDX-License-Identifier: MIT
#include "collide_between.h"

#include <chrono>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/collide/query.h"

namespace sinew::cli {
namespace {

using collide::Body;
using collide::FirstTouch;

/// Time steps of both bodies, one after the other.
class Steps {
  public:
    Steps(const CollideSide& a, const CollideSide& b, const BetweenOptions& options)
        : a_(a), b_(b), options_(options) {
        if (options.screws) {
            screw_a_.emplace(a.tree);
            screw_b_.emplace(b.tree);
            return;
        }
        for (const CollideSide* side : {&a, &a, &b, &b}) bodies_.emplace_back(side->tree, options.method);
    }

    FirstTouch find(double from, double to) {
        if (options_.screws) {
            screw_a_->set_step(a_.palette(from), a_.palette(to));
            screw_b_->set_step(b_.palette(from), b_.palette(to));
            return find_first_touch(*screw_a_, *screw_b_, scratch_, options_.tolerance);
        }
        bodies_[0].set_pose(a_.palette(from));
        bodies_[1].set_pose(a_.palette(to));
        bodies_[2].set_pose(b_.palette(from));
        bodies_[3].set_pose(b_.palette(to));
        return find_first_touch({&bodies_[0], &bodies_[1]}, {&bodies_[2], &bodies_[3]}, scratch_,
                                options_.tolerance);
    }

    collide::QueryCounts counts() { return std::exchange(scratch_.counts(), {}); }

  private:
    const CollideSide& a_;
    const CollideSide& b_;
    BetweenOptions options_;
    std::vector<Body> bodies_;  ///< start and end of a, start and end of b
    std::optional<collide::ScrewBody> screw_a_, screw_b_;
    collide::QueryScratch scratch_;
};

}  // namespace

void report_first_touch(Run& run, const CollideSide& a, const CollideSide& b, std::span<const double> times,
                        const BetweenOptions& options) {
    if (times.size() < 2) fail("", "--between needs a motion: A has none");
    if (options.screws && options.method != deform::Method::lbs)
        fail("", "--between screws needs --method lbs; use --between straight with {}", name(options.method));
    if (!a.morphs.empty() || !b.morphs.empty())
        warn(run.monitor, "collide-morphs", "--between ignores morphs: bodies keep their rest shape");
    Steps steps(a, b, options);
    Json rows = Json::array(), touch = nullptr;
    {
        const StageTimer timer(run.report, "collide");
        for (std::size_t f = 0; f + 1 < times.size() && touch.is_null(); ++f) {
            const auto start = std::chrono::steady_clock::now();
            const FirstTouch first = steps.find(times[f], times[f + 1]);
            const double time = times[f] + first.time * (times[f + 1] - times[f]);
            const collide::QueryCounts counts = steps.counts();
            rows.push_back(
                {{"frame", f},
                 {"time", times[f]},
                 {"contacts", first.touching ? 1 : 0},
                 {"sphere_tests", counts.sphere_tests},
                 {"refits", counts.refits},
                 {"vertices", counts.vertices},
                 {"triangle_tests", counts.triangle_tests},
                 {"seconds",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()}});
            if (first.touching)
                touch = {{"frame", f}, {"time", time}, {"a", first.pair.a}, {"b", first.pair.b}};
            step(run.monitor, "colliding",
                 static_cast<double>(f + 1) / static_cast<double>(times.size() - 1));
        }
    }
    run.report.extra["frames"] = rows.size();
    run.report.extra["frame_list"] = rows;
    run.report.extra["first_touch"] = touch;
    if (touch.is_null()) return run.say("no contact in {}", count_of(times.size(), "frame"));
    const auto frame = touch["frame"].get<std::size_t>();
    run.say("first contact at {:.5f} s, between frames {} and {}: triangle {} of A, triangle {} of B",
            touch["time"].get<double>(), frame, frame + 1, touch["a"].get<int>(), touch["b"].get<int>());
}

}  // namespace sinew::cli
