// SPDX-License-Identifier: MIT
#pragma once
// C3D files made byte by byte, independent of the writer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/c3d/c3d.h"

namespace sinew::test {

/// Numbers of one processor, appended to bytes: written from the definition of each format.
class C3dBytes {
  public:
    explicit C3dBytes(int processor) : processor_(processor) {}
    C3dBytes& byte(int value);
    C3dBytes& word(int value);
    C3dBytes& real(double value);
    C3dBytes& text(std::string_view value);
    C3dBytes& pad(std::size_t size, char with = '\0');
    void put_word(std::size_t at, int value);
    void put_real(std::size_t at, double value);
    std::string bytes;

  private:
    int processor_;
};

/// A small file: set what matters, then build(). Blocks: header 1, parameters 2 and on, then data.
class C3dBuilder {
  public:
    explicit C3dBuilder(int kind = 84) : processor(kind), data(kind), records_(kind) {}

    int processor;
    int points = 0, analog_values = 0, first = 1, last = 1, samples = 0;
    double scale = -1, rate = 100;
    int data_start = 0;        ///< in the header; 0: where the data are
    int parameter_blocks = 0;  ///< as stated; 0: as many as there are
    bool declare_blocks = true;
    C3dBytes data;
    std::string rotations;  ///< behind the data, on a block of its own
    struct Event {
        double time;
        std::string label;
        int flag;
    };
    std::vector<Event> events;
    int event_key = 12345;

    /// Group definitions and parameters, in the order of the calls.
    C3dBuilder& group(int id, std::string_view name, std::string_view description = "", bool locked = false);
    C3dBuilder& parameter(int id, std::string_view name, int type, const std::vector<int>& dimensions,
                          const std::string& values, std::string_view description = "", bool locked = false,
                          int offset_change = 0);
    C3dBuilder& words(int id, std::string_view name, const std::vector<int>& values,
                      const std::vector<int>& dimensions = {});
    C3dBuilder& reals(int id, std::string_view name, const std::vector<double>& values,
                      const std::vector<int>& dimensions = {});
    C3dBuilder& texts(int id, std::string_view name, const std::vector<std::string>& values,
                      std::vector<int> dimensions = {});
    /// POINT (group 1) with USED, FRAMES, SCALE, RATE and LABELS a, b, c ..., and DATA_START.
    C3dBuilder& point_group(int frames);
    /// A point as the file stores it.
    C3dBuilder& point(double x, double y, double z, double fourth);
    C3dBuilder& value(double v);
    /// Raw bytes between the records.
    C3dBytes& records() { return records_; }

    std::string build() const;

  private:
    C3dBytes records_;
    std::size_t data_start_field_ = 0;
    std::size_t rotation_start_field_ = 0;
};

/// Reads bytes, with the warnings that came.
struct C3dResult {
    io::Asset asset;
    std::vector<Warning> warnings;
    bool has(std::string_view code) const;
    std::string codes() const;
};
C3dResult read_c3d(const std::string& bytes, const io::ReadOptions& options = {});

/// All of the two trials but to_world: NaN equals NaN.
bool same_points(const model::Points& a, const model::Points& b, float tolerance = 0);
bool same_values(const std::vector<float>& a, const std::vector<float>& b, float tolerance = 0);

}  // namespace sinew::test
