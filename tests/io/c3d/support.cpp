// SPDX-License-Identifier: MIT
#include "io/c3d/support.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew::test {
namespace {

std::string word_bytes(int processor, int value) {
    const char low = static_cast<char>(value & 255), high = static_cast<char>(value >> 8 & 255);
    return processor == 86 ? std::string{high, low} : std::string{low, high};
}

/// VAX F by arithmetic: sign, exponent of 0.1f in base 2 plus 128, 23 bits of the fraction behind it.
std::uint32_t vax_bits(double value) {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto mantissa = static_cast<std::uint32_t>(std::lround(fraction * 0x1p24)) & 0x7FFFFFu;
    return (value < 0 ? 0x80000000u : 0u) | static_cast<std::uint32_t>(exponent + 128) << 23 | mantissa;
}

std::string real_bytes(int processor, double value) {
    const std::uint32_t bits =
        processor == 85 ? vax_bits(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const auto byte = [&](int n) { return static_cast<char>(bits >> (8 * n) & 255); };
    if (processor == 84) return {byte(0), byte(1), byte(2), byte(3)};
    if (processor == 86) return {byte(3), byte(2), byte(1), byte(0)};
    return {byte(2), byte(3), byte(0), byte(1)};
}

}  // namespace

C3dBytes& C3dBytes::byte(int value) {
    bytes += static_cast<char>(value);
    return *this;
}
C3dBytes& C3dBytes::word(int value) {
    bytes += word_bytes(processor_, value);
    return *this;
}
C3dBytes& C3dBytes::real(double value) {
    bytes += real_bytes(processor_, value);
    return *this;
}
C3dBytes& C3dBytes::text(std::string_view value) {
    bytes += value;
    return *this;
}
C3dBytes& C3dBytes::pad(std::size_t size, char with) {
    bytes.resize(size, with);
    return *this;
}
void C3dBytes::put_word(std::size_t at, int value) {
    bytes.replace(at, 2, word_bytes(processor_, value));
}
void C3dBytes::put_real(std::size_t at, double value) {
    bytes.replace(at, 4, real_bytes(processor_, value));
}

C3dBuilder& C3dBuilder::group(int id, std::string_view name, std::string_view description, bool locked) {
    const int length = static_cast<int>(name.size());
    records_.byte(locked ? -length : length).byte(-id).text(name);
    records_.word(static_cast<int>(3 + description.size()));
    records_.byte(static_cast<int>(description.size())).text(description);
    return *this;
}

C3dBuilder& C3dBuilder::parameter(int id, std::string_view name, int type, const std::vector<int>& dimensions,
                                  const std::string& values, std::string_view description, bool locked,
                                  int offset_change) {
    const int length = static_cast<int>(name.size());
    records_.byte(locked ? -length : length).byte(id).text(name);
    records_.word(static_cast<int>(5 + dimensions.size() + values.size() + description.size()) +
                  offset_change);
    records_.byte(type).byte(static_cast<int>(dimensions.size()));
    for (const int size : dimensions) records_.byte(size);
    if (name == "DATA_START") (id == 9 ? rotation_start_field_ : data_start_field_) = records_.bytes.size();
    records_.text(values).byte(static_cast<int>(description.size())).text(description);
    return *this;
}

C3dBuilder& C3dBuilder::words(int id, std::string_view name, const std::vector<int>& values,
                              const std::vector<int>& dimensions) {
    C3dBytes bytes(processor);
    for (const int value : values) bytes.word(value);
    const bool list = dimensions.empty() && values.size() != 1;
    return parameter(id, name, 2, list ? std::vector{static_cast<int>(values.size())} : dimensions,
                     bytes.bytes);
}

C3dBuilder& C3dBuilder::reals(int id, std::string_view name, const std::vector<double>& values,
                              const std::vector<int>& dimensions) {
    C3dBytes bytes(processor);
    for (const double value : values) bytes.real(value);
    const bool list = dimensions.empty() && values.size() != 1;
    return parameter(id, name, 4, list ? std::vector{static_cast<int>(values.size())} : dimensions,
                     bytes.bytes);
}

C3dBuilder& C3dBuilder::texts(int id, std::string_view name, const std::vector<std::string>& values,
                              std::vector<int> dimensions) {
    std::size_t width = 1;
    for (const std::string& value : values) width = std::max(width, value.size());
    std::string all;
    for (std::string value : values) {
        value.resize(width, ' ');
        all += value;
    }
    if (dimensions.empty()) dimensions = {static_cast<int>(width), static_cast<int>(values.size())};
    return parameter(id, name, -1, dimensions, all);
}

C3dBuilder& C3dBuilder::point_group(int frames) {
    group(1, "POINT");
    words(1, "USED", {points});
    words(1, "FRAMES", {frames});
    words(1, "DATA_START", {0});
    reals(1, "SCALE", {scale});
    reals(1, "RATE", {rate});
    std::vector<std::string> labels;
    for (int i = 0; i < points; ++i) labels.push_back(std::string(1, static_cast<char>('a' + i)));
    texts(1, "LABELS", labels);
    texts(1, "UNITS", {"mm"});
    last = first + frames - 1;
    return *this;
}

C3dBuilder& C3dBuilder::value(double v) {
    scale < 0 ? data.real(v) : data.word(static_cast<int>(v));
    return *this;
}

C3dBuilder& C3dBuilder::point(double x, double y, double z, double fourth) {
    return value(x).value(y).value(z).value(fourth);
}

std::string C3dBuilder::build() const {
    const auto blocks = [](std::size_t bytes) { return static_cast<int>((bytes + 511) / 512); };
    C3dBytes section(processor);
    const int count = blocks(records_.bytes.size() + 5);
    const int start = 2 + count;
    section.byte(1).byte(0x50).byte(declare_blocks ? (parameter_blocks > 0 ? parameter_blocks : count) : 0);
    section.byte(processor).text(records_.bytes);
    if (data_start_field_ > 0) section.put_word(4 + data_start_field_, start);
    if (rotation_start_field_ > 0) {
        section.put_word(4 + rotation_start_field_, start + blocks(data.bytes.size()));
    }
    C3dBytes header(processor);
    header.byte(2).byte(0x50).word(points).word(analog_values).word(first).word(last).word(10).real(scale);
    header.word(data_start > 0 ? data_start : start).word(samples).real(rate).pad(512);
    header.put_word(298, event_key);
    header.put_word(300, static_cast<int>(events.size()));
    const std::size_t width = event_key == 12345 ? 4 : 2;
    for (std::size_t i = 0; i < events.size() && i < 18; ++i) {
        header.put_real(304 + 4 * i, events[i].time);
        header.bytes[376 + i] = static_cast<char>(events[i].flag);
        header.bytes.replace(396 + width * i, width, events[i].label);
    }
    std::string file = header.bytes + section.pad(static_cast<std::size_t>(count) * 512).bytes + data.bytes;
    file.resize(static_cast<std::size_t>(blocks(file.size())) * 512);
    file += rotations;
    file.resize(static_cast<std::size_t>(blocks(file.size())) * 512);
    return file;
}

bool C3dResult::has(std::string_view code) const {
    return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.code == code; });
}

std::string C3dResult::codes() const {
    std::string all;
    for (const Warning& warning : warnings) all += warning.code + ": " + warning.text + "\n";
    return all;
}

C3dResult read_c3d(const std::string& bytes, const io::ReadOptions& options) {
    Collector monitor;
    C3dResult result;
    result.asset = io::read_c3d(as_bytes(bytes), "test.c3d", options, monitor);
    model::validate(result.asset.trial, "test.c3d");
    result.warnings = monitor.warnings();
    return result;
}

bool same_values(const std::vector<float>& a, const std::vector<float>& b, float tolerance) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](float x, float y) {
               return x == y || std::abs(x - y) <= tolerance || (std::isnan(x) && std::isnan(y));
           });
}

bool same_points(const model::Points& a, const model::Points& b, float tolerance) {
    if (a.info != b.info || a.positions.size() != b.positions.size() || a.cameras != b.cameras) return false;
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
        if ((a.residuals[i] < 0) != (b.residuals[i] < 0)) return false;
        if (a.residuals[i] >= 0 && !((a.positions[i] - b.positions[i]).cwiseAbs().maxCoeff() <= tolerance)) {
            return false;
        }
    }
    return same_values(a.residuals, b.residuals, tolerance);
}

}  // namespace sinew::test
