#pragma once
/// \file
/// How healthy adults walk at their own pace: joint angles over one gait cycle.

namespace sinew::sample {

/// Degrees, of one leg, from its own heel contact (phase 0) to the next (phase 1). Sagittal curves follow the
/// means of Winter, "The Biomechanics and Motor Control of Human Gait" (1991) and Perry, "Gait Analysis:
/// Normal and Pathological Function" (1992), read off every 5 % of the cycle. The hip angle is that of the
/// thigh against the vertical: the tilt of the pelvis in quiet standing is part of the rest pose. Pelvis
/// after Perry 1992, arms and trunk after Murray 1967.
struct GaitAngles {
    double hip_flexion = 0;
    double knee_flexion = 0;
    double ankle_dorsiflexion = 0;
    double shoulder_flexion = 0;  ///< of the arm on the same side
    double elbow_flexion = 0;
    double pelvis_forward = 0;  ///< turn about the vertical that brings this side forward
    double pelvis_up = 0;       ///< this side up
    double thorax_forward = 0;  ///< turn of the shoulders in the room
};

/// The angles at any phase; periodic and twice continuously differentiable but for the tables, which are C1.
GaitAngles gait_angles(double phase);

}  // namespace sinew::sample
