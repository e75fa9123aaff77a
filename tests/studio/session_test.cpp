// SPDX-License-Identifier: MIT
// Somebody who presses whatever there is, for minutes: nothing breaks, and memory stays as it is.

#include <algorithm>
#include <cstdlib>
#include <random>

#include "actions.h"
#include "cast.h"
#include "headless_studio.h"
#include "support/data.h"
#include "support/memory.h"
#include "support/samples.h"
#include "ui.h"
#include <SDL_scancode.h>
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace session_test {

using test::HeadlessStudio;
using test::studio;

/// What leaves the scene, writes files or takes minutes is not pressed.
bool is_pressed(const std::string& name) {
    for (const char* not_this : {"Quit", "File", "Open", "Export", "Save", "Print", "Samples", "Recent",
                                 "Add ...", "Try the walking man", "Write", "Preferences", "First steps",
                                 "Fit bones", "Interface scale", "Recover", "Autosave"})
        if (name.find(not_this) != std::string::npos) return false;
    return true;
}

class Person {
  public:
    /// One who is not patient cancels all that runs in the background.
    Person(HeadlessStudio& studio, unsigned seed, bool patient)
        : studio_(studio), random_(seed), patient_(patient) {}

    /// One thing at random; what was done, for a message.
    std::string act() {
        State& state = studio_.state();
        UiScript& script = studio_.script;
        if (state.dialog != Dialog::none) {
            script.key(SDL_SCANCODE_ESCAPE);
            studio_.run();
            state.dialog = Dialog::none;
            return "escape";
        }
        const int what = pick(100);
        if (what < 55) return press_something();
        if (what < 65) {
            const float x = share(), y = share();
            script.drag_view(x, y, x + 0.3f * (share() - 0.5f), y + 0.3f * (share() - 0.5f), pick(3));
            return done("drag");
        }
        if (what < 75) {
            script.click_view(share(), share());
            return done("click in the view");
        }
        if (what < 80) {
            script.wheel_view(static_cast<float>(pick(5) - 2));
            return done("wheel");
        }
        if (what < 90) {
            constexpr int keys[] = {SDL_SCANCODE_SPACE, SDL_SCANCODE_K,      SDL_SCANCODE_M,
                                    SDL_SCANCODE_B,     SDL_SCANCODE_F,      SDL_SCANCODE_COMMA,
                                    SDL_SCANCODE_C,     SDL_SCANCODE_DELETE, SDL_SCANCODE_R,
                                    SDL_SCANCODE_F5,    SDL_SCANCODE_1,      SDL_SCANCODE_0};
            script.key(keys[pick(static_cast<int>(std::size(keys)))]);
            return done("key");
        }
        if (what < 95) {
            undo(state);
            return done("undo");
        }
        redo(state);
        return done("redo");
    }

  private:
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    float share() { return 0.05f + 0.9f * static_cast<float>(random_() % 1000) / 1000; }

    std::string done(const std::string& what) {
        try {
            studio_.run();
        } catch (const Error& error) {
            // What was to be pressed has gone meanwhile: a list that closed.
            studio_.script = {};
            if (std::string(error.what()).find("there is nothing named") == std::string::npos) throw;
        }
        if (!patient_ && studio_.state().job.running()) studio_.state().job.cancel();
        studio_.script.wait_for_job();
        studio_.run();
        return what;
    }
    std::string press_something() {
        std::vector<std::string> names = ui::names();
        std::erase_if(names, [](const std::string& name) { return !is_pressed(name); });
        if (names.empty()) return done("nothing");
        const std::string name = names[static_cast<std::size_t>(pick(static_cast<int>(names.size())))];
        if (pick(5) == 0)
            studio_.script.pull(name, static_cast<float>(pick(60) - 30), static_cast<float>(pick(60) - 30));
        else
            studio_.script.click(name);
        return done(name);
    }

    HeadlessStudio& studio_;
    std::mt19937 random_;
    bool patient_;
};

/// Rounds of so many acts, each of which begins anew; returns megabytes after each.
std::vector<double> play(double seconds, int max_rounds, int acts, unsigned seed, bool patient) {
    HeadlessStudio& s = studio();
    std::vector<double> held;
    const double start = seconds_now();
    for (int round = 0; round < max_rounds && (seconds <= 0 || seconds_now() - start < seconds); ++round) {
        s.open(round % 2 == 0 ? sinew::test::sample("man") : sinew::test::sample("tube"));
        s.state().views.clear();
        Person person(s, seed + static_cast<unsigned>(round), patient);
        std::string last;
        for (int i = 0; i < acts; ++i) {
            try {
                last = person.act();
                model::validate(s.state().character(), "session");
            } catch (const std::exception& error) {
                ADD_FAILURE() << "round " << round << ", act " << i << " after " << last << ": "
                              << error.what();
                return held;
            }
            EXPECT_FALSE(s.state().quit);
        }
        s.open(sinew::test::sample("tube"));
        held.push_back(sinew::test::resident());
    }
    return held;
}

class StudioSession : public ::testing::Test {
    void TearDown() override { test::close_studio(); }
};

TEST_F(StudioSession, PressingAnythingBreaksNothing) {
    const std::vector<double> held = play(0, 2, 30, 7, false);
    EXPECT_EQ(held.size(), 2u);
}

TEST_F(StudioSession, MemoryStaysFlatForHalfAnHour) {
    const double seconds = sinew::test::session_seconds();
    if (seconds <= 0) GTEST_SKIP() << "takes 30 minutes: set SINEW_SLOW=1";
    sinew::test::expect_flat(play(seconds, 1000000, 60, 1000, true));
}

}  // namespace session_test
}  // namespace sinew::studio
