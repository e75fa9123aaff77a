// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Parses an AMC file for a known skeleton and converts its numbers to keys.

#include <string_view>
#include <vector>

#include "sinew/io/acclaim/figure.h"
#include "sinew/model/clip.h"

namespace sinew::io::amc {

/// Position of a joint's numbers in the row of a frame.
struct Columns {
    std::size_t first = 0;
    std::size_t count = 0;
};
std::vector<Columns> columns_of(const asf::Figure& figure);

/// Converts rows to keys, block by block. A joint has keys from the first occurrence of its bone; before that
/// it is at rest.
class KeyMaker {
  public:
    /// `radians`: unit of the angles. There will be at most `max_frames` frames; if the keys need more than
    /// `max_bytes`, `file` is refused.
    KeyMaker(const asf::Figure& figure, bool radians, std::size_t max_frames, std::size_t max_bytes,
             std::string_view file);

    /// Starts the keys of the joints that this joint's numbers move.
    void see(std::size_t joint);
    bool seen(std::size_t joint) const { return plans_[joint].seen; }
    /// Converts `count` rows of `width` numbers.
    void add(const double* rows, std::size_t width, std::size_t count);
    std::vector<model::Track> take(double step);

  private:
    struct Plan {
        std::vector<int> axes;                                    ///< of the rotations, left to right
        std::vector<std::size_t> columns;                         ///< of their angles
        std::vector<std::pair<std::size_t, math::Vec3d>> shifts;  ///< columns, and the displacement per unit
        math::Vec3d offset = math::Vec3d::Zero();
        math::Mat3d rotate = math::Mat3d::Identity();  ///< C
        std::vector<std::size_t> followers;            ///< children that move with the length of this bone
        bool seen = false;
        bool moving = false;
        model::Track track;
    };
    void plan(const asf::Figure& figure, std::size_t joint, const std::vector<Columns>& columns);
    void start(Plan& plan, bool rotations, bool translations);
    void rotate(Plan& plan, const double* rows, std::size_t width, std::size_t count) const;
    void move(Plan& plan, const double* rows, std::size_t width, std::size_t count) const;

    double to_degrees_;
    std::size_t max_frames_;
    std::size_t bytes_left_;
    std::string file_;
    std::size_t frames_ = 0;
    std::vector<Plan> plans_;
};

/// Missing frames: `count` before frame `frame`.
struct Hole {
    std::size_t frame;
    std::size_t count;
};
/// Fills missing frames by interpolation.
void fill_holes(std::vector<model::Track>& tracks, const std::vector<Hole>& holes, double step);

/// Tracks of all joints that the file moves, at `rate`; empty when it has no frames.
/// \throws Error with file and line
std::vector<model::Track> read_motion(std::string_view text, std::string_view file, const asf::Figure& figure,
                                      double rate, bvh::Tally& tally, Monitor& monitor);

}  // namespace sinew::io::amc
