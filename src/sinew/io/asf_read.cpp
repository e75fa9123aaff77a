#include "sinew/base/error.h"
#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/acclaim/figure.h"

namespace sinew::io {

Asset read_asf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8;
    bvh::Tally tally;
    asf::Figure figure = asf::read_figure(as_utf8(as_text(bytes), utf8), file, tally);
    tally.report(monitor);
    Asset asset;
    asset.character.name = path.stem().string();
    if (options.units.empty()) asset.guesses.push_back(asf::unit_guess(figure));
    asset.character.skeleton = std::move(figure.skeleton);
    return asset;
}

}  // namespace sinew::io
