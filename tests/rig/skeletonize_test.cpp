// SPDX-License-Identifier: MIT
#include "sinew/rig/skeletonize.h"

#include <algorithm>

#include "rig/bodies.h"
#include "support/samples.h"
#include "support/shapes.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/rig/measure.h"

namespace sinew::rig {
namespace {

const model::Character& man() {
    static const model::Character character = test::sample("man");
    return character;
}

TEST(Skeletonize, EveryMethodFindsTheLimbsOfTheMan) {
    for (const SkeletonMethod method :
         {SkeletonMethod::silhouette, SkeletonMethod::contraction, SkeletonMethod::voxel}) {
        SkeletonizeOptions options;
        options.method = method;
        const SkeletonizeResult result = skeletonize(man().mesh, options);
        EXPECT_EQ(result.method, method);
        EXPECT_EQ(result.quality.topology.pieces, 1) << name_of(method);
        EXPECT_GE(result.quality.topology.ends, 5) << name_of(method) << ": head, hands and feet at least";
        EXPECT_GE(result.quality.inside_fraction, 0.98) << name_of(method);
        EXPECT_NO_THROW(model::validate(result.skeleton, "skeleton"));
    }
}

TEST(Skeletonize, TheChoiceIsGoodEnoughAndSaysWhy) {
    const SkeletonizeResult result = skeletonize(man().mesh);
    EXPECT_NE(result.method, SkeletonMethod::automatic);
    EXPECT_EQ(result.kind, "biped");
    EXPECT_GT(result.kind_confidence, 0.9);
    EXPECT_GE(result.quality.inside_fraction, 0.95);
    EXPECT_LE(result.quality.centredness.limb_mean, 0.25);
    EXPECT_NE(result.reason.find("inside"), std::string::npos);
}

TEST(Skeletonize, AGivenTemplateIsPreferredAndKeepsItsNames) {
    SkeletonizeOptions options;
    options.template_skeleton = man().skeleton;
    const SkeletonizeResult result = skeletonize(man().mesh, options);
    ASSERT_EQ(result.method, SkeletonMethod::from_template) << result.reason;
    ASSERT_EQ(result.skeleton.size(), man().skeleton.size());
    for (std::size_t j = 0; j < result.skeleton.size(); ++j) {
        EXPECT_EQ(result.skeleton.joints[j].name, man().skeleton.joints[j].name);
    }
    SkeletonMeasureOptions measure_options;
    measure_options.diagonal = static_cast<double>(geometry::bounds(man().mesh.positions).diagonal());
    EXPECT_GE(measure(man().skeleton, result.skeleton, measure_options).recall, 0.9);
}

/// Stops the work when a stage begins for the first time.
class Stopper : public Monitor {
  public:
    explicit Stopper(std::string stage) : stage_(std::move(stage)) {}
    void progress(std::string_view stage, double) override { reached_ = reached_ || stage == stage_; }
    bool cancelled() const override { return reached_; }

  private:
    std::string stage_;
    bool reached_ = false;
};

TEST(Skeletonize, CancellingOneMethodDoesNotStartTheNext) {
    const geometry::Mesh mesh = test::body_of(test::y_tube());
    for (const char* stage : {"solid", "template", "skeleton"}) {
        Stopper stopper(stage);
        EXPECT_THROW(skeletonize(mesh, {}, stopper), Cancelled) << stage;
    }
}

TEST(Skeletonize, ThreadsDoNotChangeTheResult) {
    const auto positions = [] {
        SkeletonizeOptions options;
        options.method = SkeletonMethod::voxel;
        std::vector<Vec3d> list;
        for (const CurveNode& node : skeletonize(man().mesh, options).curve.nodes)
            list.push_back(node.position);
        return list;
    };
    const std::vector<Vec3d> all = positions();
    set_thread_count(1);
    const std::vector<Vec3d> one = positions();
    set_thread_count(0);
    EXPECT_EQ(one, all);
}

TEST(Skeletonize, HardInputsGiveASkeletonOrAReason) {
    geometry::Mesh triangle;
    triangle.positions = {geometry::Vec3f(0, 0, 0), geometry::Vec3f(1, 0, 0), geometry::Vec3f(0, 1, 0)};
    triangle.triangles = {{0, 1, 2}};
    geometry::Mesh two = test::cube();
    geometry::append(two, test::cube(geometry::Vec3f(5, 0, 0)));
    for (const geometry::Mesh& mesh : {triangle, two, test::cube(), test::sheet(), test::torus()}) {
        for (const float scale : {1e-6f, 1.0f, 1e6f}) {
            geometry::Mesh scaled = mesh;
            for (auto& position : scaled.positions) position *= scale;
            try {
                const SkeletonizeResult result = skeletonize(scaled);
                EXPECT_FALSE(result.skeleton.empty());
                EXPECT_NO_THROW(model::validate(result.skeleton, "skeleton"));
            } catch (const Error& error) {
                EXPECT_GT(std::string(error.what()).size(), 20u) << "a reason";
            }
        }
    }
    EXPECT_THROW(skeletonize(geometry::Mesh{}), Error);
    SkeletonizeOptions fitted;
    fitted.method = SkeletonMethod::from_template;
    EXPECT_THROW(skeletonize(test::cube(), fitted), Error);
}

}  // namespace
}  // namespace sinew::rig
