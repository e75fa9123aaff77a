// SPDX-License-Identifier: MIT
#include "render_contacts.h"

#include "collide_side.h"

#include "sinew/base/error.h"
#include "sinew/render/figures.h"

namespace sinew::cli {
namespace {

/// Two bodies, or one with itself, that are posed and tested together.
class ContactPlay {
  public:
    ContactPlay(const CollideSide& first, const CollideSide* second, deform::Method method)
        : a_(first, method) {
        if (second != nullptr) b_.emplace(*second, method);
    }

    render::ContactScene at(double time) {
        a_.pose(time);
        if (b_) b_->pose(time);
        const auto found = contacts_of(a_.body(), other(), scratch_);
        contacts_ += found.size();
        return render::contact_scene(a_.body(), other(), found);
    }
    std::size_t contacts() const { return contacts_; }

  private:
    collide::Body* other() { return b_ ? &b_->body() : nullptr; }

    PlayedSide a_;
    std::optional<PlayedSide> b_;
    collide::QueryScratch scratch_;
    std::size_t contacts_ = 0;
};

/// A camera and a ground for all frames.
void see_all(ContactPlay& play, const render::FilmRange& range, render::RenderOptions& settings) {
    render::Box box;
    for (std::size_t f = 0; f < range.frames; ++f) {
        const render::Box frame = render::contact_bounds(play.at(range.time(f)));
        box.include(frame.low);
        box.include(frame.high);
    }
    const float aspect = static_cast<float>(settings.width) / static_cast<float>(settings.height);
    settings.camera = render::fit(settings.view, box, aspect, settings.fit);
    settings.ground_height = box.low.y();
}

std::size_t film_contacts(Run& run, const CollideSide& first, const CollideSide* second,
                          deform::Method method, double fps, render::ContactPictureOptions settings,
                          const std::filesystem::path& output) {
    if (first.clip == nullptr) fail(first.character.name, "has no clip to film; write a .png");
    const render::FilmRange range = render::film_range(*first.clip, fps);
    ContactPlay play(first, second, method);
    see_all(play, range, settings.render);
    render::Renderer renderer;
    render::FilmOptions film;
    film.rate = fps;
    const auto frame = [&](std::size_t f) {
        return render::contact_picture(renderer, play.at(range.time(f)), settings);
    };
    render::render_film(output, range.frames, film, frame, run.monitor);
    return range.frames;
}

}  // namespace

void add_contact_options(CLI::App& verb, ContactOptions& options) {
    verb.add_option("second", options.second, "Another body, for --contacts")->type_name("B");
    verb.add_flag("--contacts", options.wanted,
                  "Draw triangles in contact with B in red; without B, self-contacts");
    verb.add_option(
            "--level", options.level,
            "With --contacts: also draw the bounding spheres of this level: refitted blue, untouched red")
        ->check(CLI::NonNegativeNumber);
    add_move_option(verb, options.move);
}

void write_contacts(Run& run, const std::filesystem::path& first, const io::ReadOptions& read,
                    const Instant& instant, deform::Method method, const ContactOptions& options,
                    const PictureOptions& picture, const std::filesystem::path& output) {
    if (!is_picture(output)) fail(output.string(), "is not a picture: use .png, .mp4, .webm or .gif");
    const CollideSide a = load_side(run, first, read, instant.clip);
    CollideSide b;
    if (!options.second.empty()) b = load_side(run, options.second, read, "");
    b.offset = math::Vec3d(options.move[0], options.move[1], options.move[2]);
    const CollideSide* const other = options.second.empty() ? nullptr : &b;

    const StageTimer timer(run.report, "render");
    const render::ContactPictureOptions settings{options.level,
                                                 picture_settings(picture, a.character, method)};
    std::size_t frames = 1;
    if (suffix(output) == "png") {
        ContactPlay play(a, other, method);
        render::Renderer renderer;
        const render::ContactScene scene = play.at(seconds_of(instant, a.clip));
        render::save_png(output, render::contact_picture(renderer, scene, settings));
        run.report.extra["contacts"] = play.contacts();
        run.say("{}", count_of(play.contacts(), "contact"));
    } else {
        frames = film_contacts(run, a, other, method, picture.fps, settings, output);
    }
    run.report.output = output.string();
    run.report.extra["frames"] = frames;
    run.report.extra["width"] = settings.render.width;
    run.report.extra["height"] = settings.render.height;
}

}  // namespace sinew::cli
