// SPDX-License-Identifier: MIT
#include <limits>

#include "fit_tables.h"
#include "suites.h"

#include "sinew/fit/proxy/proxy.h"
#include "sinew/render/gl/gpu_skinner.h"
#include "sinew/sample/sequences.h"

namespace sinew::bench {
namespace {

using math::Mat4f;
using math::Vec3f;

/// A fit of a soft body and where its instances stand.
struct CrowdScene {
    fit::FitResult fit;
    std::vector<render::CrowdMember> members;

    CrowdScene(std::size_t vertices, std::size_t frames, std::size_t count) {
        const auto sequence = sample::make_sequence("soft-body-fine", {vertices, frames});
        fit::ProxyOptions options;
        options.hats.influences = 4;
        fit = fit::fit_proxy(sequence, options);
        fit.rest.normals = geometry::vertex_normals(fit.rest.positions, fit.rest.triangles);
        const float apart = 1.2f * geometry::bounds(fit.rest.positions).diagonal();
        constexpr std::size_t row = 40;
        for (std::size_t i = 0; i < count; ++i) {
            render::CrowdMember& member = members.emplace_back();
            member.frame = static_cast<std::int32_t>(7 * i % fit.frames.size());
            member.placement.topRightCorner<3, 1>() =
                apart * Vec3f(static_cast<float>(i % row), 0, static_cast<float>(i / row));
        }
    }
    std::size_t vertices() const { return members.size() * fit.rest.positions.size(); }
    std::size_t triangles() const { return members.size() * fit.rest.triangles.size(); }
    std::vector<deform::Mat34f> palettes() const {
        std::vector<deform::Mat34f> all;
        for (const fit::BonePose& pose : fit.frames) {
            for (const math::DualQuatd& q : pose.duals) {
                math::Mat4d whole = math::Mat4d::Identity();
                whole.topRows<3>() = fit::to_matrix(q);
                all.push_back(deform::to_mat34(whole));
            }
        }
        return all;
    }
};

/// No ground and no shadows: what is measured is vertices and triangles.
render::Scene bare_scene() {
    render::Scene scene;
    scene.ground.visible = false;
    scene.lighting.shadows = false;
    return scene;
}

/// Every instance with vertices of its own, placed, as a player without skinning has them.
class SentCrowd {
  public:
    SentCrowd(render::Renderer& renderer, const CrowdScene& crowd) : scene_(bare_scene()) {
        std::vector<std::vector<Vec3f>> positions, normals;
        for (std::size_t f = 0; f < crowd.fit.frames.size(); ++f) {
            positions.push_back(singles(fit::deformed(crowd.fit, f)));
            normals.push_back(singles(fit::deformed_normals(crowd.fit, f)));
        }
        for (const render::CrowdMember& member : crowd.members) {
            meshes_.push_back(std::make_unique<render::MeshHold>(renderer, crowd.fit.rest));
            const auto f = static_cast<std::size_t>(member.frame);
            const Vec3f offset = member.placement.topRightCorner<3, 1>();
            std::vector<Vec3f>& own = positions_.emplace_back(positions[f]);
            for (Vec3f& p : own) p += offset;
            normals_.push_back(normals[f]);
        }
        for (std::size_t i = 0; i < meshes_.size(); ++i) {
            render::Drawable& drawable = scene_.drawables.emplace_back();
            drawable.mesh = meshes_[i]->id();
            drawable.positions = positions_[i];
            drawable.normals = normals_[i];
            drawable.casts_shadow = false;
        }
    }
    const render::Scene& scene() const { return scene_; }

  private:
    static std::vector<Vec3f> singles(const std::vector<math::Vec3d>& points) {
        std::vector<Vec3f> result;
        for (const math::Vec3d& p : points) result.push_back(p.cast<float>());
        return result;
    }

    render::Scene scene_;
    std::vector<std::unique_ptr<render::MeshHold>> meshes_;
    std::vector<std::vector<Vec3f>> positions_, normals_;
};

}  // namespace

void show_crowd(Run& run, bool quick) {
    const CrowdScene crowd(quick ? 300 : 0, quick ? 4 : 12, quick ? 20 : 1000);
    render::Renderer renderer;
    render::GpuSkinner skinner(renderer, crowd.fit.rest, fit::to_skin(crowd.fit.weights, crowd.fit.centers),
                               nullptr);
    skinner.set_palettes(crowd.palettes(), deform::Method::dqs);
    render::Scene skinned = bare_scene();
    skinned.crowds.push_back({&skinner, crowd.members, false});
    const SentCrowd sent(renderer, crowd);
    const render::PictureSize size{960, 540, 1};
    const render::Camera camera =
        render::fit(render::axes_of(0.6f, 0.5f), skinner.bounds(crowd.members), 960.0f / 540);
    double seconds[2] = {1e9, 1e9}, difference = 0;
    for (int round = 0; round < 2; ++round) {
        // In turns, so that other work on the machine meets both.
        render::Picture pictures[2];
        for (int side = 0; side < 2; ++side) {
            const render::Scene& scene = side == 0 ? skinned : sent.scene();
            seconds[side] =
                std::min(seconds[side],
                         seconds_of_call(1, [&] { pictures[side] = renderer.render(scene, camera, size); }));
        }
        difference = render::mean_difference(pictures[0], pictures[1]);
    }
    Table table{
        fmt::format("A crowd of {} that plays one fit of {} vertices and {} triangles with 100 joints, {} "
                    "(published: 2.42 and 0.64 frames per second for 19.3 million triangles)",
                    crowd.members.size(), crowd.fit.rest.positions.size(), crowd.fit.rest.triangles.size(),
                    renderer.driver()),
        {"method", "frames/s", "million triangles/s", "bytes sent a frame", "bytes sent once",
         "times as fast", "difference of the pictures, of 255"},
        {}};
    const std::size_t sent_bytes = crowd.vertices() * 2 * sizeof(Vec3f);
    const std::size_t member_bytes = crowd.members.size() * sizeof(render::CrowdMember);
    const auto add = [&](const char* name, int side, std::size_t bytes, std::size_t once) {
        table.rows.push_back({name,
                              {1 / seconds[side], 2},
                              {1e-6 * static_cast<double>(crowd.triangles()) / seconds[side], 1},
                              bytes,
                              once,
                              {seconds[1] / seconds[side], 2},
                              {difference, 3}});
    };
    add("skinned on the card", 0, member_bytes, skinner.memory());
    add("vertices and normals sent", 1, sent_bytes, 0);
    show(run, table);
    if (renderer.driver().find("llvmpipe") != std::string::npos)
        run.say(
            "\nHere the card is the processor itself (llvmpipe): nothing crosses a bus, so sending vertices "
            "costs a "
            "copy, and skinning them is work that a graphics card would do. What a bus would have to "
            "carry is "
            "in the columns of bytes. The published ratio is from a card with one.");
}

}  // namespace sinew::bench
