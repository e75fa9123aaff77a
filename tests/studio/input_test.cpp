// SPDX-License-Identifier: MIT
// Events that come faster than frames.

#include "input_queue.h"
#include "quality.h"
#include <gtest/gtest.h>

namespace sinew::studio {
namespace {

SDL_Event key(int type, SDL_Scancode code, int mod = 0) {
    SDL_Event event{};
    event.type = static_cast<Uint32>(type);
    event.key.keysym.scancode = code;
    event.key.keysym.mod = static_cast<Uint16>(mod);
    return event;
}

SDL_Event button(int type, int x, int y) {
    SDL_Event event{};
    event.type = static_cast<Uint32>(type);
    event.button.button = SDL_BUTTON_LEFT;
    event.button.x = x;
    event.button.y = y;
    return event;
}

SDL_Event motion(int x, int y) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = x;
    event.motion.y = y;
    return event;
}

TEST(StudioInput, APressAndAReleaseOfOneFrameAreBothSeen) {
    InputQueue queue;
    ImGuiIO io{};
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_F));
    queue.push(key(SDL_KEYUP, SDL_SCANCODE_F));
    queue.feed(io);
    EXPECT_TRUE(io.KeysDown[SDL_SCANCODE_F]) << "the press is not lost";
    EXPECT_FALSE(queue.empty());
    queue.feed(io);
    EXPECT_FALSE(io.KeysDown[SDL_SCANCODE_F]);
    EXPECT_TRUE(queue.empty());
}

TEST(StudioInput, ModifiersAreThoseOfTheMoment) {
    InputQueue queue;
    ImGuiIO io{};
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_LCTRL, KMOD_LCTRL));
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_Z, KMOD_LCTRL));
    queue.push(key(SDL_KEYUP, SDL_SCANCODE_Z, KMOD_LCTRL));
    queue.push(key(SDL_KEYUP, SDL_SCANCODE_LCTRL, 0));
    queue.feed(io);
    EXPECT_TRUE(io.KeyCtrl);
    EXPECT_TRUE(io.KeysDown[SDL_SCANCODE_Z]) << "Ctrl and Z come together";
    queue.feed(io);
    EXPECT_FALSE(io.KeyCtrl);
    EXPECT_FALSE(io.KeysDown[SDL_SCANCODE_Z]);
}

TEST(StudioInput, ADoubleClickAndADragKeepTheirOrder) {
    InputQueue queue;
    ImGuiIO io{};
    queue.push(motion(3, 4));
    queue.push(button(SDL_MOUSEBUTTONDOWN, 10, 20));
    queue.push(motion(30, 40));
    queue.push(motion(50, 60));
    queue.push(button(SDL_MOUSEBUTTONUP, 50, 60));
    queue.push(button(SDL_MOUSEBUTTONDOWN, 50, 60));
    queue.feed(io);
    EXPECT_TRUE(io.MouseDown[0]);
    EXPECT_EQ(io.MousePos.x, 10) << "pressed where it was pressed";
    queue.feed(io);
    EXPECT_TRUE(io.MouseDown[0]) << "the drag is seen before it ends";
    EXPECT_EQ(io.MousePos.x, 50);
    queue.feed(io);
    EXPECT_FALSE(io.MouseDown[0]);
    queue.feed(io);
    EXPECT_TRUE(io.MouseDown[0]) << "the second click";
    EXPECT_TRUE(queue.holds_button());
}

TEST(StudioInput, ADoubleClickIsOneHoweverSlowFramesAre) {
    ImGuiContext* before = ImGui::GetCurrentContext();
    ImGuiContext* own = ImGui::CreateContext();
    ImGui::SetCurrentContext(own);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {100, 100};
    io.DeltaTime = 0.5f;  // as long as a slow computer takes for a picture
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    /// How many of the clicks were doubled, when the system counted them so.
    const auto doubled = [&](std::initializer_list<int> counts) {
        InputQueue queue;
        queue.push(motion(10, 20));
        for (const int count : counts)
            for (const int type : {SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP}) {
                SDL_Event event = button(type, 10, 20);
                event.button.clicks = static_cast<Uint8>(count);
                queue.push(event);
            }
        int found = 0;
        while (!queue.empty()) {
            queue.feed(io);
            ImGui::NewFrame();
            found += ImGui::IsMouseDoubleClicked(0);
            ImGui::EndFrame();
        }
        return found;
    };
    EXPECT_EQ(doubled({1, 2}), 1);
    EXPECT_EQ(doubled({1, 1}), 0) << "two slow clicks";
    EXPECT_EQ(doubled({1, 2, 3, 4}), 2);
    EXPECT_EQ(doubled({1}), 0);
    ImGui::DestroyContext(own);
    ImGui::SetCurrentContext(before);
}

TEST(StudioInput, AKeyAfterTextComesAFrameLater) {
    InputQueue queue;
    ImGuiIO io{};
    SDL_Event text{};
    text.type = SDL_TEXTINPUT;
    text.text.text[0] = 'a';
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_A));
    queue.push(text);
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_BACKSPACE));
    queue.feed(io);
    EXPECT_EQ(io.InputQueueCharacters.Size, 1);
    EXPECT_FALSE(io.KeysDown[SDL_SCANCODE_BACKSPACE]) << "it would delete before the letter is there";
    queue.feed(io);
    EXPECT_TRUE(io.KeysDown[SDL_SCANCODE_BACKSPACE]);
}

TEST(StudioInput, LosingTheFocusLetsEverythingGo) {
    InputQueue queue;
    ImGuiIO io{};
    queue.push(key(SDL_KEYDOWN, SDL_SCANCODE_W));
    queue.feed(io);
    SDL_Event lost{};
    lost.type = SDL_WINDOWEVENT;
    lost.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
    queue.push(lost);
    queue.feed(io);
    EXPECT_FALSE(io.KeysDown[SDL_SCANCODE_W]);
}

TEST(StudioQuality, AnAnswerBeginsAsSimpleAsItHasToBe) {
    QualityControl control;
    control.next(false, 0);
    control.next(false, 0.06);
    EXPECT_EQ(control.next(true, 0.06), Quality::plain) << "the first picture of a movement is fast";
    QualityControl slower;
    slower.next(false, 0);
    slower.next(false, 0.3);
    EXPECT_EQ(slower.next(true, 0.3), Quality::half);
}

}  // namespace
}  // namespace sinew::studio
