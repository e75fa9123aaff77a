// SPDX-License-Identifier: MIT
// Any bytes are read as the motion of a small skeleton, or refused with an Error; what was read is valid.

#include <cstddef>
#include <cstdint>

#include "sinew/base/error.h"
#include "sinew/io/acclaim/amc_motion.h"
#include "sinew/io/text/scan.h"
#include "sinew/model/character.h"

namespace {

constexpr const char* skeleton = R"(:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    name a
    direction 0 1 0
    length 2
    axis 0 0 20 XYZ
    dof rx ry rz l
  end
  begin
    name b
    direction 1 0 0
    length 1
    axis 90 0 0 XYZ
    dof tx rz
  end
:hierarchy
  begin
    root a
    a b
  end
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sinew;
    io::bvh::Tally tally;
    static const io::asf::Figure figure = io::asf::read_figure(skeleton, "fuzz.asf", tally);
    std::string lines;
    const std::string_view text = io::with_line_feeds({reinterpret_cast<const char*>(data), size}, lines);
    model::Character character;
    character.skeleton = figure.skeleton;
    try {
        model::Clip clip;
        clip.tracks = io::amc::read_motion(text, "fuzz.amc", figure, 120, tally, silent());
        character.clips.push_back(std::move(clip));
    } catch (const Error&) {
        return 0;
    }
    tally.report(silent());
    model::validate(character, "fuzz.amc");
    return 0;
}
