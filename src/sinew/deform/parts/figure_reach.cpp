#include "sinew/deform/parts/figure_reach.h"

namespace sinew::deform {

using math::Quatd;

ReachResult reach(ArticulatedFigure& figure, int part, const Vec3d& point, const Vec3d& goal,
                  const FigureMover& mover, const ReachOptions& options) {
    const auto end = [&] { return Vec3d(figure.world()[static_cast<std::size_t>(part)] * point); };
    ReachResult result;
    result.report = figure.pose(figure.rotations(), mover);
    result.distance = (end() - goal).norm();
    for (; result.rounds < options.rounds && !result.reached(options); ++result.rounds) {
        int joint = part;
        for (int i = 0; i < options.joints && joint >= 0; ++i) {
            const FigureJoint& own = figure.joints()[static_cast<std::size_t>(joint)];
            if (own.parent < 0) break;
            const math::Rigidd& above = figure.world()[static_cast<std::size_t>(own.parent)];
            const Vec3d pivot = above * own.position, from = end() - pivot, to = goal - pivot;
            if (from.norm() > 0 && to.norm() > 0) {
                // The turn in the world, brought into the frame of the joint: W = W_parent A^-1 Q A.
                const Quatd turn = math::rotation_between<double>(from.normalized(), to.normalized());
                const Quatd inner =
                    own.align * above.rotation.conjugate() * turn * above.rotation * own.align.conjugate();
                std::vector<Quatd> rotations = figure.rotations();
                rotations[static_cast<std::size_t>(joint)] =
                    inner * rotations[static_cast<std::size_t>(joint)];
                result.report = figure.pose(rotations, mover);
            }
            joint = own.parent;
        }
        result.distance = (end() - goal).norm();
    }
    return result;
}

}  // namespace sinew::deform
