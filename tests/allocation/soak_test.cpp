// SPDX-License-Identifier: MIT
// Characters at play in any order for as long as SINEW_SLOW asks for: nothing breaks, and memory stays as it
// is.

#include <chrono>

#include "support/data.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/samples.h"
#include <gtest/gtest.h>

#include "sinew/collide/query.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/io.h"

namespace sinew {
namespace {

/// A game that changes its mind: which character, skinned how, which clips over each other, what touches.
class Game {
  public:
    explicit Game(unsigned seed) : random_(seed) { load(); }

    void act() {
        switch (random_.integer(0, 7)) {
            case 0:
                load();
                break;
            case 1:
                skin();
                break;
            case 2:
                collide();
                break;
            case 3:
                layers();
                break;
            default:
                play();
        }
    }

  private:
    /// Through a file and back, in place of the one before.
    void load() {
        deformer_.reset();
        const test::TemporaryFolder folder;
        io::Asset asset;
        asset.character = test::sample(random_.integer(0, 1) == 0 ? "horse" : "cat", 1000);
        io::write(folder / "one.glb", asset);
        character_ = io::read(folder / "one.glb").character;
        packed_.clear();
        for (const model::Clip& clip : character_.clips)
            packed_.push_back(model::pack(clip, character_.skeleton));
        tree_.emplace(collide::build_tree(character_));
        skin();
    }
    void skin() {
        const auto& all = deform::methods();
        const auto n = static_cast<std::size_t>(random_.integer(0, static_cast<int>(all.size()) - 1));
        deform::DeformerOptions options;
        options.method = all[n].method;
        options.normals = random_.integer(0, 1) == 0;
        deformer_.emplace(character_, options);
    }
    void play() {
        const double time = random_.uniform(-1, 5);
        const deform::DeformedSkin& skin =
            random_.integer(0, 1) == 0 ? deformer_->at(packed(), time, deform::Playback::loop)
                                       : deformer_->at(character_.clips.data(), std::clamp(time, 0.0, 0.5));
        for (const math::Vec3f& p : skin.positions) ASSERT_TRUE(p.allFinite());
    }
    void layers() {
        deform::Player player(character_.skeleton, character_.skin.joints);
        const std::vector<deform::Layer> two = {
            {.clip = &packed(), .time = random_.uniform(0, 3), .weight = 1},
            {.clip = &packed(),
             .time = random_.uniform(0, 3),
             .weight = 0.5f,
             .mode = deform::LayerMode::over}};
        player.play(two);
        for (const deform::Mat34f& m : player.palette()) ASSERT_TRUE(deform::to_mat4(m).allFinite());
    }
    void collide() {
        collide::Body a(*tree_), b(*tree_);
        deform::Player player(character_.skeleton, character_.skin.joints);
        player.play(packed(), random_.uniform(0, 3), deform::Playback::loop);
        a.set_pose(player.palette());
        player.play(packed(), random_.uniform(0, 3), deform::Playback::loop);
        b.set_pose(player.palette());
        collide::QueryScratch scratch;
        std::vector<collide::Contact> found;
        collide::find_contacts(a, b, found, scratch);
        EXPECT_EQ(collide::touching(a, b, scratch), !found.empty());
    }
    const model::PackedClip& packed() {
        return packed_[static_cast<std::size_t>(random_.integer(0, static_cast<int>(packed_.size()) - 1))];
    }

    test::Random random_;
    model::Character character_;
    std::vector<model::PackedClip> packed_;
    std::optional<collide::SphereTree> tree_;
    std::optional<deform::Deformer> deformer_;
};

TEST(Soak, MemoryOfARunningGameStaysFlat) {
    const auto start = std::chrono::steady_clock::now();
    const double seconds = test::session_seconds();
    std::vector<double> held;
    do {
        Game game(static_cast<unsigned>(held.size()) + 1);
        for (int i = 0; i < 50; ++i) game.act();
        held.push_back(test::resident());
    } while (held.size() < 9 ||
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
    test::expect_flat(held);
}

}  // namespace
}  // namespace sinew
