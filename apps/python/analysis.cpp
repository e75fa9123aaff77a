// SPDX-License-Identifier: MIT
// collide, fit, render, publish, measure.

#include <cstring>
#include <map>

#include "options.h"
#include "page_shell.h"

#include "sinew/collide/query.h"
#include "sinew/deform/player.h"
#include "sinew/fit/fit.h"
#include "sinew/pipeline/publish.h"
#include "sinew/render/film.h"

namespace sinew::python {
namespace {

std::vector<deform::Mat34f> palette_at(const model::Character& character, const model::Clip* clip,
                                       double time) {
    if (!character.has_skin()) return {deform::to_mat34(math::Mat4d(math::Mat4d::Identity()))};
    return deform::to_mat34(model::palette(character.skin, model::world_matrices(character, clip, time)));
}

py::array collide(const model::Character& character, const py::object& other, const py::object& clip,
                  double time, const py::object& other_clip, double other_time, const std::string& method) {
    const deform::Method by = deform::parse_method(method);
    const model::Character* second = other.is_none() ? nullptr : other.cast<const model::Character*>();
    const model::Clip* first_clip = clip_of(character, clip);
    const model::Clip* second_clip = second == nullptr ? nullptr : clip_of(*second, other_clip);
    std::vector<collide::Contact> contacts;
    {
        const py::gil_scoped_release free;
        collide::QueryScratch scratch;
        collide::Body a(collide::build_tree(character), by);
        a.set_pose(palette_at(character, first_clip, time));
        if (second == nullptr) {
            collide::find_self_contacts(a, contacts, scratch);
        } else {
            collide::Body b(collide::build_tree(*second), by);
            b.set_pose(palette_at(*second, second_clip, other_time));
            collide::find_contacts(a, b, contacts, scratch);
        }
    }
    py::array_t<std::uint32_t> pairs({contacts.size(), std::size_t{2}});
    auto to = pairs.mutable_unchecked<2>();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        to(static_cast<py::ssize_t>(c), 0) = contacts[c].a;
        to(static_cast<py::ssize_t>(c), 1) = contacts[c].b;
    }
    return pairs;
}

py::object fit(const model::MeshSequence& sequence, int bones, double max_error, int influences, bool rigid,
               const py::object& progress) {
    fit::FitOptions options;
    options.bones = bones;
    options.max_error = max_error;
    options.influences = influences;
    options.rigid = rigid;
    fit::Fitted fitted;
    model::Character character = run(progress, [&](Monitor& monitor) {
        fitted = fit::fit(sequence, options, monitor);
        return fit::to_character(fitted.fit, monitor);
    });
    return with_report(std::move(character), {{"method", fitted.method},
                                              {"bones", fitted.fit.bone_count()},
                                              {"error_percent", fitted.error.error_percent},
                                              {"rms", fitted.error.rms},
                                              {"max", fitted.error.max}});
}

template <class Value>
Value one_of(const char* option, const std::string& word, const std::map<std::string, Value>& values) {
    if (const auto found = values.find(word); found != values.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    fail(option, "\"{}\" is not one of {}", word, fmt::join(names, ", "));
}

py::array render_picture(const model::Character& character, const py::object& clip, double time,
                         std::pair<int, int> size, const std::string& camera, const std::string& style,
                         const std::string& skeleton, const std::string& method, const py::object& path) {
    using render::Coloring;
    using render::View;
    using Bones = render::SkeletonView;
    render::RenderOptions options;
    std::tie(options.width, options.height) = size;
    render::check_size(options.width, options.height);
    options.view = one_of<View>("camera", camera,
                                {{"three-quarter", View::three_quarter},
                                 {"front", View::front},
                                 {"back", View::back},
                                 {"left", View::left},
                                 {"right", View::right},
                                 {"top", View::top}});
    options.coloring = one_of<Coloring>("style", style,
                                        {{"material", Coloring::material},
                                         {"clay", Coloring::plain},
                                         {"weights", Coloring::weights},
                                         {"sets", Coloring::sets},
                                         {"parts", Coloring::parts}});
    options.skeleton = one_of<Bones>("skeleton", skeleton,
                                     {{"none", Bones::none}, {"over", Bones::over}, {"xray", Bones::xray}});
    if (!character.has_mesh()) options.skeleton = Bones::over;
    options.method = deform::parse_method(method);
    const model::Clip* chosen = clip_of(character, clip);
    const render::Picture picture = [&] {
        const py::gil_scoped_release free;
        render::Renderer renderer;
        return render::render_character(renderer, character, chosen, time, options);
    }();
    if (!path.is_none()) render::save_png(path.cast<std::filesystem::path>(), picture);
    py::array_t<std::uint8_t> array({picture.height, picture.width, 4});
    std::memcpy(array.mutable_data(), picture.pixels.data(),
                std::min<std::size_t>(picture.pixels.size() * sizeof(picture.pixels[0]), array.nbytes()));
    return array;
}

void publish(const std::filesystem::path& path, const py::object& what, const std::string& title,
             bool anonymous, const std::string& method, const py::object& progress) {
    pipeline::PublishOptions options;
    options.title = title;
    options.anonymous = anonymous;
    options.method = deform::parse_method(method);
    options.shell = web::page_shell();
    io::Asset asset = asset_of(what, silent());
    options.source = asset.character.name;
    if (options.title.empty()) options.title = asset.character.name;
    run(progress, [&](Monitor& monitor) {
        write_file(path, pipeline::publish(std::move(asset), options, monitor).page);
    });
}

py::object measure(const py::object& reference, const py::object& other, const std::string& what,
                   const py::object& progress) {
    const io::Asset a = asset_of(reference, silent()), b = asset_of(other, silent());
    return to_python(run(progress, [&](Monitor& monitor) {
        return pipeline::measure(a, b, {.what = what, .clip = {}}, monitor);
    }));
}

}  // namespace

void add_analysis(py::module_& module) {
    module.def("collide", &collide, py::arg("character"), py::arg("other") = py::none(), py::kw_only(),
               py::arg("clip") = py::none(), py::arg("time") = 0.0, py::arg("other_clip") = py::none(),
               py::arg("other_time") = 0.0, py::arg("method") = "lbs",
               R"(Pairs of triangles that touch (n, 2): of two characters, or of one with itself.

    method is lbs, sbs or dqs.

    >>> tube = sinew.sample("tube")
    >>> sinew.collide(tube, tube).shape[1], len(sinew.collide(tube))
    (2, 0)
    )");
    module.def("fit", &fit, py::arg("sequence"), py::kw_only(), py::arg("bones") = 30,
               py::arg("max_error") = 0.0, py::arg("influences") = 4, py::arg("rigid") = true,
               py::arg("progress") = py::none(),
               R"(Bones, weights and a clip that replay a MeshSequence.

    max_error is a percentage of the motion: then as few bones as reach it.

    >>> import numpy as np
    >>> tube = sinew.sample("tube")
    >>> frames = np.stack([sinew.deform(tube, "bend", t / 10) for t in range(10)])
    >>> fitted = sinew.fit(sinew.MeshSequence(tube.mesh, frames), bones=4)
    >>> fitted.report["error_percent"] < 5
    True
    )");
    module.def("render", &render_picture, py::arg("character"), py::arg("clip") = py::none(),
               py::arg("time") = 0.0, py::kw_only(), py::arg("size") = std::pair(1280, 720),
               py::arg("camera") = "three-quarter", py::arg("style") = "material",
               py::arg("skeleton") = "none", py::arg("method") = "dqs", py::arg("path") = py::none(),
               R"(A picture (height, width, 4) of uint8; `path` also writes a PNG. No display is needed.

    camera: three-quarter, front, back, left, right, top.  style: material, clay, weights, sets, parts.
    skeleton: none, over, xray.

    >>> sinew.render(sinew.sample("man"), "walk", 0.4, size=(64, 48)).shape
    (48, 64, 4)
    )");
    module.def("publish", &publish, py::arg("path"), py::arg("what"), py::kw_only(), py::arg("title") = "",
               py::arg("anonymous") = false, py::arg("method") = "dqs", py::arg("progress") = py::none(),
               R"(Write one HTML page that plays a character, trial or sequence in any browser.

    >>> sinew.publish("walk.html", sinew.sample("man"), title="A walk")
    )");
    module.def("measure", &measure, py::arg("reference"), py::arg("other"), py::kw_only(),
               py::arg("what") = "auto", py::arg("progress") = py::none(),
               R"(How far one character, file or sequence is from a reference, as a dictionary.

    what: auto, skeletons, weights, motions, sequences.

    >>> man = sinew.sample("man")
    >>> sinew.measure(man, sinew.bind(man, man.skeleton, method="rigid"))["mean_l1"] > 0
    True
    )");
}

}  // namespace sinew::python
