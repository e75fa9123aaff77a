// SPDX-License-Identifier: MIT
#pragma once
// ASF and AMC texts for tests, read from a folder of their own.

#include <string>
#include <string_view>

#include "support/data.h"

#include "sinew/base/error.h"
#include "sinew/io/acclaim/acclaim.h"

namespace sinew::test {

/// One skeleton and one motion in a folder.
class AmcPair {
  public:
    AmcPair(std::string_view asf, std::string_view amc) {
        write_text(folder_ / "walk.asf", asf);
        write_text(folder_ / "walk.amc", amc);
    }
    /// In the numbers of the file, unless the options name a unit.
    io::Asset read(io::ReadOptions options = {}, Monitor& monitor = silent()) const {
        if (options.units.empty()) options.units = "file";
        return io::read(folder_ / "walk.amc", options, monitor);
    }
    /// The message of the error; empty when there is none.
    std::string error() const {
        try {
            read();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

  private:
    TemporaryFolder folder_;
};

/// A skeleton of two bones: "upper" and, at its end, "lower".
inline std::string two_bones(std::string_view upper, std::string_view lower, std::string_view units = "") {
    return std::string(":version 1.10\n:name test\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n")
        .append(units)
        .append(":root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n")
        .append(":bonedata\n  begin\n    id 1\n    name upper\n")
        .append(upper)
        .append("  end\n  begin\n    id 2\n    name lower\n")
        .append(lower)
        .append("  end\n:hierarchy\n  begin\n    root upper\n    upper lower\n  end\n");
}

/// World matrices of frame k of the first clip.
inline std::vector<math::Mat4d> world(const io::Asset& asset, std::size_t frame) {
    const auto& clips = asset.character.clips;
    return model::world_matrices(asset.character, clips.empty() ? nullptr : clips.data(),
                                 clips.empty() ? 0 : model::frame_time(clips[0], frame));
}

inline math::Vec3d place(const io::Asset& asset, std::size_t frame, std::string_view joint) {
    const int j = asset.character.skeleton.find(joint);
    return world(asset, frame).at(static_cast<std::size_t>(j)).topRightCorner<3, 1>();
}

/// Where the tip of a leaf is.
inline math::Vec3d tip(const io::Asset& asset, std::size_t frame, std::string_view joint) {
    const auto j = static_cast<std::size_t>(asset.character.skeleton.find(joint));
    return math::transform_point(world(asset, frame).at(j),
                                 asset.character.skeleton.joints.at(j).tip.value());
}

}  // namespace sinew::test
