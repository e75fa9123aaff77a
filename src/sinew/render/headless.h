#pragma once
/// \file
/// An OpenGL context without window or display (EGL, surfaceless).

#include <memory>

namespace sinew::render {

/// Owns an OpenGL 3.3 core context that needs no X server. It becomes current only inside a Scope, so that it
/// leaves other contexts of the thread alone and may be used from one thread after another.
class HeadlessContext {
  public:
    /// \throws Error that names the packages to install when EGL or the software renderer is missing.
    HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;
    ~HeadlessContext();

    /// Makes the context current, and puts back what was current before.
    class Scope {
      public:
        explicit Scope(HeadlessContext* context);
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

      private:
        struct Previous;
        std::unique_ptr<Previous> previous_;
    };

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sinew::render
