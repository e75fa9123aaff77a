// SPDX-License-Identifier: MIT
#include "headless_studio.h"

#include <algorithm>
#include <stdexcept>

#include "actions.h"
#include "theme.h"
#include <SDL_scancode.h>
#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

namespace sinew::studio::test {

HeadlessStudio::HeadlessStudio() {
    scope_ = std::make_unique<render::HeadlessContext::Scope>(&context_);
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {width, height};
    io.KeyMap[ImGuiKey_Enter] = SDL_SCANCODE_RETURN;  // as the window's backend has it
    apply_theme({});
    ImGui_ImplOpenGL3_Init("#version 330 core");
    glGenTextures(1, &color_);
    glBindTexture(GL_TEXTURE_2D, color_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_, 0);
    studio_ = std::make_unique<Studio>();
}

HeadlessStudio::~HeadlessStudio() {
    studio_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    scope_.reset();
}

void HeadlessStudio::open(model::Character character) {
    State& s = state();
    s.job.cancel();
    s.job.finish(s);
    script = {};
    s.view = {};
    s.view.samples = 1;
    s.view.shadows = false;
    s.view.adaptive = s.view.floor = false;
    s.skin = {};
    s.edit = {};
    s.camera = {};
    s.camera_mode = {};
    s.skeleton_choice = {};
    s.bind = {};
    s.bind_after = true;
    s.timeline = {};
    s.dialog = Dialog::none;
    s.page = Page::body;
    s.joint_tool = {};
    s.weight_tool = {};
    s.motion_tool = {};
    s.compare = {};
    s.guide = {};
    s.views.clear();
    s.contacts.reset();
    s.preferences = {};
    s.pending = nullptr;
    s.selected_event = -1;
    s.messages.clear();
    s.quit = false;
    show(s, Document(std::move(character)));
    frame();
    frame();
}

void HeadlessStudio::frame(double seconds) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(seconds);
    ImGui_ImplOpenGL3_NewFrame();
    script.feed(state(), io);
    ImGui::NewFrame();
    studio_->frame(seconds);
    ImGui::Render();
    if (!drawn_) return;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width, height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void HeadlessStudio::run() {
    for (int i = 0; !script.done();) {
        // Work in the background takes as long as the machine lets it.
        if (!state().job.running()) ++i;
        if (i > 20000) throw std::runtime_error("the script does not come to an end");
        frame();
    }
    frame();
}

void HeadlessStudio::click(const std::string& name) {
    script.click(name);
    run();
}

render::Picture HeadlessStudio::picture() {
    drawn_ = true;
    frame();
    drawn_ = false;
    render::Picture picture(width, height);
    std::vector<render::Pixel> rows(picture.pixels.size());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height; ++y)
        std::copy_n(rows.begin() + y * width, width, &picture.at(0, height - 1 - y));
    return picture;
}

std::unique_ptr<HeadlessStudio>& shared_studio() {
    static std::unique_ptr<HeadlessStudio> shared;
    return shared;
}

HeadlessStudio& studio() {
    if (!shared_studio()) shared_studio() = std::make_unique<HeadlessStudio>();
    return *shared_studio();
}

void close_studio() {
    shared_studio().reset();
}

int count_pixels(const render::Picture& picture, const std::function<bool(const render::Pixel&)>& condition) {
    return static_cast<int>(std::ranges::count_if(picture.pixels, condition));
}

}  // namespace sinew::studio::test
