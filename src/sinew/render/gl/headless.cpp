// SPDX-License-Identifier: MIT
#include <array>
#include <mutex>

#include <dlfcn.h>
#include <epoxy/egl.h>

#include "sinew/base/error.h"
#include "sinew/render/renderer.h"

#if defined(__SANITIZE_ADDRESS__)
/// Keeps drivers loaded until the leak check: otherwise memory that their globals hold would count as leaked,
/// without symbols.
extern "C" int dlclose(void*) noexcept {
    return 0;
}
#endif

namespace sinew::render {
namespace {

constexpr const char* advice =
    "offscreen pictures need OpenGL without a display; on Debian: apt-get install libegl1 libgl1-mesa-dri "
    "libgl1";

/// True when one of the libraries can be loaded. epoxy ends the program when it cannot, so this is checked
/// first. The handle is kept: epoxy needs the library for as long as the program runs.
bool can_load(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (::dlopen(name, RTLD_LAZY | RTLD_LOCAL) != nullptr) return true;
    return false;
}

/// There is one display per process: contexts share it, and the last one closes it.
struct Display {
    EGLDisplay handle = EGL_NO_DISPLAY;

    Display() {
        if (!can_load({"libEGL.so.1"})) fail("EGL", "libEGL.so.1 is missing; {}", advice);
        if (!can_load({"libGL.so.1", "libOpenGL.so.0"})) fail("EGL", "libGL.so.1 is missing; {}", advice);
        if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
            fail("EGL", "this EGL has no surfaceless platform (Mesa has); {}", advice);
        handle = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                          reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
        if (handle == EGL_NO_DISPLAY || eglInitialize(handle, nullptr, nullptr) != EGL_TRUE)
            fail("EGL", "cannot start (error 0x{:x}); {}", eglGetError(), advice);
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    ~Display() { eglTerminate(handle); }
};

std::shared_ptr<Display> shared_display() {
    static std::mutex mutex;
    static std::weak_ptr<Display> current;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Display> display = current.lock();
    if (display == nullptr) current = display = std::make_shared<Display>();
    return display;
}

EGLContext create_context(EGLDisplay display) {
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) fail("EGL", "no desktop OpenGL; {}", advice);
    constexpr std::array<EGLint, 5> wanted = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                              EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, wanted.data(), &config, 1, &count) != EGL_TRUE || count == 0)
        fail("EGL", "no configuration for OpenGL (error 0x{:x}); {}", eglGetError(), advice);
    constexpr std::array<EGLint, 7> version = {EGL_CONTEXT_MAJOR_VERSION,
                                               3,
                                               EGL_CONTEXT_MINOR_VERSION,
                                               3,
                                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                               EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
    if (context == EGL_NO_CONTEXT)
        fail("EGL", "no OpenGL 3.3 core context (error 0x{:x}); {}", eglGetError(), advice);
    return context;
}

}  // namespace

struct HeadlessContext::State {
    std::shared_ptr<Display> display = shared_display();
    EGLContext context = create_context(display->handle);
    ~State() { eglDestroyContext(display->handle, context); }
};

HeadlessContext::HeadlessContext() : state_(std::make_unique<State>()) {}
HeadlessContext::~HeadlessContext() = default;

struct HeadlessContext::Scope::Previous {
    EGLDisplay own;
    EGLenum api = eglQueryAPI();
    EGLDisplay display = eglGetCurrentDisplay();
    EGLSurface draw = eglGetCurrentSurface(EGL_DRAW);
    EGLSurface read = eglGetCurrentSurface(EGL_READ);
    EGLContext context = eglGetCurrentContext();
};

HeadlessContext::Scope::Scope(HeadlessContext* context) {
    if (context == nullptr) return;  // drawing on a context that the caller made current
    const EGLDisplay own = context->state_->display->handle;
    previous_ = std::make_unique<Previous>(Previous{own});
    eglBindAPI(EGL_OPENGL_API);
    if (eglMakeCurrent(own, EGL_NO_SURFACE, EGL_NO_SURFACE, context->state_->context) != EGL_TRUE)
        fail("EGL", "the context is in use by another thread (error 0x{:x})", eglGetError());
}

HeadlessContext::Scope::~Scope() {
    if (previous_ == nullptr) return;
    const Previous& old = *previous_;
    if (old.context != EGL_NO_CONTEXT) {
        eglBindAPI(old.api);
        eglMakeCurrent(old.display, old.draw, old.read, old.context);
    } else {
        eglMakeCurrent(old.own, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
}

}  // namespace sinew::render
