// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/rig/skeletonize.h"

namespace sinew::rig {
namespace {

using math::Vec3d;

/// A '*' in a name stands for Left and Right, at x and -x. A row with an empty name is the tip of
/// its parent.
struct TemplateRow {
    const char* name;
    const char* parent;
    Vec3d at;
};

// People of 1.75 m; segment lengths after Drillis and Contini 1966 (in Winter 2009, fig. 4.1).
const std::vector<TemplateRow>& biped_rows() {
    static const std::vector<TemplateRow> rows = {
        {"Hips", "", {0, 0.945, 0}},
        {"Spine", "Hips", {0, 1.045, -0.010}},
        {"Chest", "Spine", {0, 1.170, -0.015}},
        {"UpperChest", "Chest", {0, 1.310, -0.020}},
        {"Neck", "UpperChest", {0, 1.475, -0.020}},
        {"Head", "Neck", {0, 1.560, 0}},
        {"", "Head", {0, 1.750, 0}},
        {"*Shoulder", "UpperChest", {0.055, 1.405, -0.020}},
        {"*UpperArm", "*Shoulder", {0.175, 1.425, -0.020}},
        {"*LowerArm", "*UpperArm", {0.457, 1.425, -0.020}},
        {"*Hand", "*LowerArm", {0.712, 1.425, -0.015}},
        {"*UpperLeg", "Hips", {0.090, 0.925, 0}},
        {"*LowerLeg", "*UpperLeg", {0.092, 0.500, 0.005}},
        {"*Foot", "*LowerLeg", {0.095, 0.080, -0.025}},
        {"*Toes", "*Foot", {0.110, 0.025, 0.105}},
        {"", "*Toes", {0.115, 0.020, 0.180}},
    };
    return rows;
}

const std::vector<TemplateRow>& plain_hand_rows() {
    static const std::vector<TemplateRow> rows = {{"", "*Hand", {0.890, 1.420, 0}}};
    return rows;
}

const std::vector<TemplateRow>& finger_rows() {
    static const std::vector<TemplateRow> rows = {
        {"*ThumbProximal", "*Hand", {0.735, 1.415, 0.015}},
        {"*ThumbIntermediate", "*ThumbProximal", {0.768, 1.410, 0.038}},
        {"*ThumbDistal", "*ThumbIntermediate", {0.795, 1.408, 0.055}},
        {"", "*ThumbDistal", {0.818, 1.406, 0.066}},
        {"*IndexProximal", "*Hand", {0.802, 1.424, 0.018}},
        {"*IndexIntermediate", "*IndexProximal", {0.836, 1.421, 0.023}},
        {"*IndexDistal", "*IndexIntermediate", {0.858, 1.415, 0.026}},
        {"", "*IndexDistal", {0.877, 1.409, 0.028}},
        {"*MiddleProximal", "*Hand", {0.806, 1.424, -0.002}},
        {"*MiddleIntermediate", "*MiddleProximal", {0.844, 1.421, -0.001}},
        {"*MiddleDistal", "*MiddleIntermediate", {0.868, 1.415, 0}},
        {"", "*MiddleDistal", {0.890, 1.408, 0}},
        {"*RingProximal", "*Hand", {0.803, 1.424, -0.022}},
        {"*RingIntermediate", "*RingProximal", {0.838, 1.421, -0.025}},
        {"*RingDistal", "*RingIntermediate", {0.860, 1.415, -0.026}},
        {"", "*RingDistal", {0.880, 1.409, -0.027}},
        {"*LittleProximal", "*Hand", {0.796, 1.423, -0.041}},
        {"*LittleIntermediate", "*LittleProximal", {0.822, 1.420, -0.046}},
        {"*LittleDistal", "*LittleIntermediate", {0.838, 1.416, -0.049}},
        {"", "*LittleDistal", {0.854, 1.411, -0.052}},
    };
    return rows;
}

// An animal of the build of a horse, a dog or a cat, with its back at 1 m. Heights of its legs:
// docs/bodies.md.
const std::vector<TemplateRow>& quadruped_rows() {
    static const std::vector<TemplateRow> rows = {
        {"Hips", "", {0, 0.970, -0.450}},
        {"Spine", "Hips", {0, 0.960, -0.200}},
        {"Spine2", "Spine", {0, 0.960, 0.080}},
        {"Chest", "Spine2", {0, 0.930, 0.330}},
        {"Neck", "Chest", {0, 1.080, 0.500}},
        {"Neck2", "Neck", {0, 1.260, 0.620}},
        {"Head", "Neck2", {0, 1.400, 0.720}},
        {"", "Head", {0, 1.240, 0.980}},
        {"Tail", "Hips", {0, 0.980, -0.620}},
        {"Tail2", "Tail", {0, 0.880, -0.740}},
        {"Tail3", "Tail2", {0, 0.740, -0.800}},
        {"", "Tail3", {0, 0.560, -0.840}},
        {"Back*UpperLeg", "Hips", {0.100, 0.860, -0.450}},
        {"Back*LowerLeg", "Back*UpperLeg", {0.110, 0.576, -0.380}},
        {"Back*Foot", "Back*LowerLeg", {0.110, 0.300, -0.530}},
        {"Back*Toes", "Back*Foot", {0.110, 0.080, -0.490}},
        {"", "Back*Toes", {0.110, 0.020, -0.430}},
        {"Front*UpperLeg", "Chest", {0.100, 0.800, 0.400}},
        {"Front*LowerLeg", "Front*UpperLeg", {0.105, 0.496, 0.320}},
        {"Front*Foot", "Front*LowerLeg", {0.105, 0.136, 0.340}},
        {"", "Front*Foot", {0.105, 0.020, 0.400}},
    };
    return rows;
}

// A left hand with the palm down that points along +x; a right one is the same seen from below.
const std::vector<TemplateRow>& hand_rows() {
    static const std::vector<TemplateRow> rows = {
        {"Hand", "", {0.060, 0, 0}},
        {"Wrist", "Hand", {0, 0, 0}},
        {"", "Wrist", {-0.060, 0, 0}},
        {"ThumbProximal", "Hand", {0.045, -0.005, 0.030}},
        {"ThumbIntermediate", "ThumbProximal", {0.070, -0.008, 0.055}},
        {"ThumbDistal", "ThumbIntermediate", {0.095, -0.010, 0.070}},
        {"", "ThumbDistal", {0.120, -0.010, 0.082}},
        {"IndexProximal", "Hand", {0.098, 0, 0.026}},
        {"IndexIntermediate", "IndexProximal", {0.138, 0, 0.031}},
        {"IndexDistal", "IndexIntermediate", {0.162, 0, 0.034}},
        {"", "IndexDistal", {0.182, 0, 0.036}},
        {"MiddleProximal", "Hand", {0.100, 0, 0.004}},
        {"MiddleIntermediate", "MiddleProximal", {0.144, 0, 0.005}},
        {"MiddleDistal", "MiddleIntermediate", {0.171, 0, 0.006}},
        {"", "MiddleDistal", {0.193, 0, 0.006}},
        {"RingProximal", "Hand", {0.096, 0, -0.017}},
        {"RingIntermediate", "RingProximal", {0.136, 0, -0.021}},
        {"RingDistal", "RingIntermediate", {0.162, 0, -0.024}},
        {"", "RingDistal", {0.183, 0, -0.026}},
        {"LittleProximal", "Hand", {0.088, 0, -0.036}},
        {"LittleIntermediate", "LittleProximal", {0.119, 0, -0.044}},
        {"LittleDistal", "LittleIntermediate", {0.138, 0, -0.049}},
        {"", "LittleDistal", {0.156, 0, -0.053}},
    };
    return rows;
}

class TemplateBuilder {
  public:
    void add(const std::vector<TemplateRow>& rows) {
        for (const std::string side : {"", "Left", "Right"}) {
            for (const TemplateRow& row : rows) {
                const auto has_side = [](const char* name) {
                    return std::string_view(name).find('*') != std::string_view::npos;
                };
                const bool paired = has_side(row.name) || (row.name[0] == 0 && has_side(row.parent));
                if (paired != side.empty()) add_joint(row, side);
            }
        }
    }
    model::Skeleton skeleton() const { return skeleton_; }

  private:
    static std::string full(std::string name, const std::string& side) {
        const std::size_t star = name.find('*');
        return star == std::string::npos ? name : name.replace(star, 1, side);
    }
    void add_joint(const TemplateRow& row, const std::string& side) {
        const Vec3d at(side == "Right" ? -row.at.x() : row.at.x(), row.at.y(), row.at.z());
        const int parent = skeleton_.find(full(row.parent, side));
        const Vec3d from = parent < 0 ? Vec3d(Vec3d::Zero()) : at_[static_cast<std::size_t>(parent)];
        if (row.name[0] == 0) {
            skeleton_.joints[static_cast<std::size_t>(parent)].tip = at - from;
            return;
        }
        model::Joint joint;
        joint.name = full(row.name, side);
        joint.parent = parent;
        joint.rest.translation = at - from;
        skeleton_.joints.push_back(std::move(joint));
        at_.push_back(at);
    }
    model::Skeleton skeleton_;
    std::vector<Vec3d> at_;
};

constexpr std::array builtin_templates = {
    SkeletonTemplate{"biped", "a person, without fingers: 22 joints"},
    SkeletonTemplate{"biped-hands", "a person with fingers: 52 joints"},
    SkeletonTemplate{"quadruped", "an animal on four legs, with a tail"},
    SkeletonTemplate{"hand", "a hand with its wrist"},
};

}  // namespace

std::span<const SkeletonTemplate> skeleton_templates() {
    return builtin_templates;
}

model::Skeleton skeleton_template(std::string_view name) {
    TemplateBuilder builder;
    if (name == "biped" || name == "biped-hands") {
        builder.add(biped_rows());
        builder.add(name == "biped" ? plain_hand_rows() : finger_rows());
    } else if (name == "quadruped") {
        builder.add(quadruped_rows());
    } else if (name == "hand") {
        builder.add(hand_rows());
    } else {
        std::string names;
        for (const SkeletonTemplate& entry : builtin_templates)
            names += (names.empty() ? "" : ", ") + std::string(entry.name);
        fail("template", "there is no template \"{}\"; there are {}", name, names);
    }
    return builder.skeleton();
}

}  // namespace sinew::rig
