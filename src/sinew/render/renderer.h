#pragma once
/// \file
/// Draws scenes into pictures.

#include <memory>

#include "sinew/base/monitor.h"
#include "sinew/geometry/mesh.h"

namespace sinew::render {

class HeadlessContext;

struct PictureSize {
    int width = 1280;
    int height = 720;
    int samples = 4;  ///< a pixel, at most what the driver offers
};

/// Holds the OpenGL context, programs, targets and meshes, and keeps them from frame to frame. Use it from
/// one thread at a time. The same calls give the same pixels on the same driver.
class Renderer {
  public:
    /// Which OpenGL context to draw with.
    enum class Context {
        headless,  ///< its own, without a display
        current,   ///< the one that is current now and whenever the renderer is used (3.3 core or later)
    };
    /// \throws Error that says what to install when there is no OpenGL.
    explicit Renderer(Context context = Context::headless);
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    ~Renderer();

    /// Name of the driver, for reports.
    std::string driver() const;

    /// Puts a mesh on the card. Pictures that cannot be read are left out with the warning
    /// `texture-unreadable`.
    MeshId add_mesh(const geometry::Mesh& mesh, Monitor& monitor = silent());
    /// Forgets a mesh; unknown ones are ignored.
    void remove_mesh(MeshId mesh);

    /// \throws Error when the size is out of range, a drawable names an unknown mesh or brings a wrong count.
    Picture render(const Scene& scene, const Camera& camera, const PictureSize& size = {});
    /// Draws into a framebuffer of the current context (0 is the window), for programs that have one.
    void draw(const Scene& scene, const Camera& camera, const PictureSize& size, unsigned framebuffer);

  private:
    friend class GpuSkinner;
    /// The renderer's own context, or null when it draws on the current one.
    HeadlessContext* context() const;

    struct State;
    std::unique_ptr<State> state_;
};

/// A mesh on the card for as long as this lives.
class MeshHold {
  public:
    MeshHold(Renderer& renderer, const geometry::Mesh& mesh, Monitor& monitor = silent())
        : renderer_(renderer), id_(renderer.add_mesh(mesh, monitor)) {}
    MeshHold(const MeshHold&) = delete;
    MeshHold& operator=(const MeshHold&) = delete;
    ~MeshHold() { renderer_.remove_mesh(id_); }
    MeshId id() const { return id_; }

  private:
    Renderer& renderer_;
    MeshId id_;
};

}  // namespace sinew::render
