// SPDX-License-Identifier: MIT
#include "window.h"

#include <algorithm>
#include <utility>

#include "actions.h"
#include "input_queue.h"
#include "studio.h"
#include "theme.h"
#include "ui_script.h"
#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <epoxy/gl.h>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

/// The picture is stable after this number of frames: sizes of panels, the camera, the first pose.
constexpr int settling_frames = 4;

render::Picture read_window(int width, int height) {
    render::Picture picture(width, height);
    std::vector<render::Pixel> rows(picture.pixels.size());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            render::Pixel& pixel = picture.at(x, height - 1 - y);
            pixel = rows[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(x)];
            pixel[3] = 255;
        }
    return picture;
}

}  // namespace

/// Constructed in this order, and destroyed in reverse.
struct Window::Parts {
    struct Video {
        Video() {
            if (SDL_Init(SDL_INIT_VIDEO) != 0) fail("display", "{}", SDL_GetError());
        }
        Video(const Video&) = delete;
        Video& operator=(const Video&) = delete;
        ~Video() { SDL_Quit(); }
    };
    struct Interface {
        Interface(SDL_Window* window, SDL_GLContext context) {
            ImGui::CreateContext();
            ImGui::GetIO().IniFilename = nullptr;
            apply_theme({});
            ImGui_ImplSDL2_InitForOpenGL(window, context);
            ImGui_ImplOpenGL3_Init("#version 330 core");
        }
        Interface(const Interface&) = delete;
        Interface& operator=(const Interface&) = delete;
        ~Interface() {
            ImGui_ImplOpenGL3_Shutdown();
            ImGui_ImplSDL2_Shutdown();
            ImGui::DestroyContext();
        }
    };
    using WindowHold = std::unique_ptr<SDL_Window, decltype(&SDL_DestroyWindow)>;
    using ContextHold = std::unique_ptr<void, decltype(&SDL_GL_DeleteContext)>;

    Parts(int width, int height);

    Video video;
    WindowHold window{nullptr, &SDL_DestroyWindow};
    ContextHold context{nullptr, &SDL_GL_DeleteContext};
    std::unique_ptr<Interface> interface;
    std::unique_ptr<Studio> studio;
    UiScript script;
    InputQueue input;
    std::unique_ptr<EventSender> sender;
    Preferences themed;
    std::string title;
};

Window::Parts::Parts(int width, int height) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    window.reset(SDL_CreateWindow("Sinew Studio", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                  height, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE));
    if (!window) fail("display", "cannot open a window: {}", SDL_GetError());
    // A window that is larger with its frame than the screen would hide the status bar.
    SDL_Rect usable;
    if (SDL_GetDisplayUsableBounds(0, &usable) == 0 && (width >= usable.w - 8 || height >= usable.h - 40))
        SDL_MaximizeWindow(window.get());
    context.reset(SDL_GL_CreateContext(window.get()));
    if (!context)
        fail("OpenGL", "no OpenGL 3.3: {}; software rendering is in libgl1-mesa-dri", SDL_GetError());
    SDL_GL_MakeCurrent(window.get(), context.get());
    SDL_GL_SetSwapInterval(1);
    interface = std::make_unique<Interface>(window.get(), context.get());
    studio = std::make_unique<Studio>();
}

Window::Window(const Options& options) : options_(options) {
    // Without a user no display is needed.
    if (options.unattended()) SDL_setenv("SDL_VIDEODRIVER", "offscreen", 0);
    parts_ = std::make_unique<Parts>(options.width, options.height);
    if (!options.unattended()) {
        const std::string driver = SDL_GetCurrentVideoDriver();
        if (driver == "offscreen" || driver == "dummy")
            fail("display", "there is no display; --screenshot FILE.png and --script FILE need no display");
        parts_->studio->state().recent = Recent(recent_file());
        parts_->studio->state().preferences_path = preferences_file();
        parts_->studio->state().preferences = load_preferences(preferences_file());
    }
    parts_->studio->state().show_times = !options.unattended();
    start(options, parts_->studio->state(), parts_->script);
    keep_work(options);
}

Window::~Window() = default;

void Window::keep_work(const Options& options) {
    State& state = parts_->studio->state();
    std::filesystem::path folder = options.recovery;
    if (folder.empty() && !options.unattended()) folder = recovery_folder();
    if (folder.empty()) return;
    parts_->studio->autosave().start(folder, options.unattended() ? 0.2 : state.preferences.autosave);
    state.leftovers = leftovers(folder);
    if (!state.leftovers.empty())
        state.dialog = Dialog::recover;
    else if (!options.unattended() && state.preferences.show_steps && options.files.empty() &&
             options.sample.empty())
        state.dialog = Dialog::first_steps;
}

bool Window::listen(bool wait) {
    State& state = parts_->studio->state();
    SDL_Event event;
    bool heard = false;
    bool more = wait ? SDL_WaitEventTimeout(&event, 200) != 0 : SDL_PollEvent(&event) != 0;
    for (; more; more = SDL_PollEvent(&event) != 0) {
        heard = true;
        parts_->input.push(event);
        if (event.type == SDL_QUIT) ask_to_quit(state);
        if (event.type == SDL_DROPFILE) {
            open_file(state, event.drop.file);
            SDL_free(event.drop.file);
        }
    }
    // Events that wait for their frame are input, too.
    if (heard || !parts_->input.empty()) parts_->studio->touch();
    return heard;
}

void Window::show_frame(double seconds) {
    Studio& studio = *parts_->studio;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    const double cpu = thread_seconds();
    if (!attended()) {
        parts_->script.feed(studio.state(), io);
        io.DeltaTime = static_cast<float>(seconds);
    } else {
        parts_->input.feed(io);
        SDL_CaptureMouse(parts_->input.holds_button() ? SDL_TRUE : SDL_FALSE);
        parts_->script.advance(studio.state());
    }
    if (const Preferences& wanted = studio.state().preferences; wanted != parts_->themed) {
        parts_->themed = wanted;
        apply_theme(wanted);
        if (!options_.unattended()) studio.autosave().set_interval(wanted.autosave);
    }
    if (const std::string title = title_of(studio.state()); title != parts_->title) {
        parts_->title = title;
        SDL_SetWindowTitle(parts_->window.get(),
                           (title.empty() ? "Sinew Studio" : title + " - Sinew Studio").c_str());
    }
    ImGui::NewFrame();
    studio.frame(seconds);
    ImGui::Render();
    studio.state().times.interface = thread_seconds() - cpu - studio.viewport().cpu_seconds();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, static_cast<int>(io.DisplaySize.x), static_cast<int>(io.DisplaySize.y));
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::pace(double began) {
    const State& state = parts_->studio->state();
    const double rate = state.pace.on ? state.pace.rate : static_cast<double>(state.preferences.frame_rate);
    const double left = 1.0 / rate - (seconds_now() - began);
    if (left > 0.001 && parts_->input.empty()) SDL_WaitEventTimeout(nullptr, static_cast<int>(1e3 * left));
}

bool Window::attended() const {
    return !options_.unattended() || parts_->studio->state().pace.on;
}

void Window::measure(double began) {
    State& state = parts_->studio->state();
    const double now = seconds_now(), spent = process_seconds();
    const double processor = spent - std::exchange(spent_, spent);
    for (const double came : parts_->input.fed()) {
        state.times.answer = now - came;
        if (state.pace.on) state.pace.answers.push_back(now - came);
    }
    Pace& pace = state.pace;
    if (!pace.on) return;
    pace.frames.push_back(now - began);
    pace.processor.push_back(processor);
    pace.interface.push_back(state.times.interface);
    if (!parts_->sender) {
        const ViewArea& area = state.area;
        state.timeline.playing = !state.timeline.empty() && !pace.strokes;
        parts_->sender = std::make_unique<EventSender>(
            pace.seconds, pace.rate, static_cast<int>(area.left + area.width / 2),
            static_cast<int>(area.top + area.height / 2), pace.strokes);
    }
    if (!parts_->sender->done() || SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT) == SDL_TRUE ||
        !parts_->input.empty())
        return;
    pace.events = parts_->sender->sent();
    parts_->sender.reset();
    pace.on = false;
    fmt::print("{}", text_of(pace));
}

bool Window::ended() {
    const State& state = parts_->studio->state();
    if (state.quit) return true;
    if (!options_.unattended() || !parts_->script.done()) return false;
    return ++shown_ >= std::max(options_.frames, settling_frames);
}

int Window::run() {
    double last = seconds_now();
    bool over = false;
    int idle = 0;
    while (!over) {
        const bool waits = attended();
        // A still picture costs nothing: the program waits for input, and responds immediately. A list that
        // opens appears a frame later, so a few more frames follow.
        const bool busy = parts_->studio->busy() || !parts_->script.done() || !parts_->input.empty();
        idle = busy ? 0 : idle + 1;
        if (listen(waits && idle > 10)) idle = 0;
        const double now = seconds_now();
        show_frame(waits ? std::min(now - last, 0.25) : 1.0 / 30);
        last = now;
        over = ended();
        if (over && !options_.screenshot.empty())
            render::save_png(options_.screenshot, read_window(options_.width, options_.height));
        SDL_GL_SwapWindow(parts_->window.get());
        if (waits) measure(now);
        if (waits) pace(now);
    }
    State& state = parts_->studio->state();
    parts_->studio->autosave().end();
    for (const Message& message : state.messages.list())
        if (message.severity == Severity::error && options_.unattended())
            fmt::print(stderr, "sinew-studio: error: {}\n", message.text);
    return options_.unattended() && state.messages.count(Severity::error) > 0 ? 1 : 0;
}

}  // namespace sinew::studio
