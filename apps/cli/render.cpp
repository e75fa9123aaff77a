// sinew render: a picture or a film of any file.

#include "picture.h"

namespace sinew::cli {
namespace {

struct Options {
    std::filesystem::path input;
    std::filesystem::path output;
    io::ReadOptions read;
    Instant instant;
    deform::Method method = deform::Method::dqs;
    PictureOptions picture;
};

}  // namespace

void add_render(Program& program) {
    auto options = std::make_shared<Options>();
    CLI::App& verb = program.verb("render", "Draw a picture or a film, without a display",
                                  "  sinew render character.glb -o front.png --camera front --skeleton\n"
                                  "  sinew render character.glb -o weights.png --style weights\n"
                                  "  sinew render walk.bvh -o walk.mp4",
                                  [options](Run& run) {
                                      const io::Asset asset = load(run, options->input, options->read);
                                      write_picture(run, asset, options->instant, options->method,
                                                    options->picture, options->output);
                                      run.say("wrote {}", options->output.string());
                                  });
    verb.add_option("input", options->input, "Mesh, character, motion or sequence")
        ->required()
        ->type_name("IN");
    verb.add_option("-o,--output", options->output, "Picture .png or film .mp4")
        ->required()
        ->type_name("OUT");
    add_read_options(verb, options->read);
    add_instant_options(verb, options->instant);
    add_method_option(verb, options->method);
    add_picture_options(verb, options->picture);
}

}  // namespace sinew::cli
