// SPDX-License-Identifier: MIT

#include "sinew/io/c3d/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\0' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    return text;
}

/// Length of the UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || lead > 0xF4 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    }
    const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || beyond ? 0 : length;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// Calls `take` with a parameter and with all its continuations.
template <class Take>
void each_part(const Parameters& parameters, std::string_view group, std::string_view name,
               const Take& take) {
    for (std::size_t i = 0;; ++i) {
        const Parameter* const part = parameters.find(group, continuation(name, i));
        if (part == nullptr) return;
        take(*part);
    }
}

}  // namespace

std::string decoded(std::string_view bytes) {
    bytes = trimmed(bytes);
    std::string text;
    const bool utf8 = is_utf8(bytes);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            text += ' ';  // zeros and control characters are not allowed in a name
        } else if (utf8 || byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

std::optional<std::size_t> count_of(const Parameters& parameters, std::string_view group,
                                    std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || found->is_text()) return std::nullopt;
    if (const auto* words = std::get_if<std::vector<std::int16_t>>(&found->values)) {
        return static_cast<std::uint16_t>(words->front());
    }
    if (const auto* bytes = std::get_if<std::vector<std::int8_t>>(&found->values)) {
        return static_cast<std::uint8_t>(bytes->front());
    }
    const double value = std::round(found->number(0));
    if (!(value >= 0 && value < 1e9)) return std::nullopt;
    return static_cast<std::size_t>(value);
}

std::optional<std::size_t> long_count_of(const Parameters& parameters, std::string_view group,
                                         std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    const auto* words = found == nullptr ? nullptr : std::get_if<std::vector<std::int16_t>>(&found->values);
    if (words == nullptr || words->size() < 2) return count_of(parameters, group, name);
    return static_cast<std::uint16_t>((*words)[0]) +
           std::size_t{65536} * static_cast<std::uint16_t>((*words)[1]);
}

std::optional<double> number_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || found->is_text()) return std::nullopt;
    const double value = found->number(0);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string text_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    const Parameter* const found = parameters.find(group, name);
    if (found == nullptr || found->empty() || !found->is_text()) return {};
    return decoded(std::get<std::vector<std::string>>(found->values).front());
}

std::vector<std::string> texts_of(const Parameters& parameters, std::string_view group,
                                  std::string_view name) {
    std::vector<std::string> texts;
    each_part(parameters, group, name, [&](const Parameter& part) {
        if (!part.is_text()) return;
        for (const std::string& text : std::get<std::vector<std::string>>(part.values)) {
            texts.push_back(decoded(text));
        }
    });
    return texts;
}

std::vector<double> numbers_of(const Parameters& parameters, std::string_view group, std::string_view name) {
    std::vector<double> numbers;
    each_part(parameters, group, name, [&](const Parameter& part) {
        if (part.is_text()) return;
        for (std::size_t i = 0; i < part.size(); ++i) numbers.push_back(part.number(i));
    });
    return numbers;
}

std::string continuation(std::string_view name, std::size_t index) {
    return index == 0 ? std::string(name) : fmt::format("{}{}", name, index + 1);
}

namespace {

bool is_processor(std::uint8_t byte) {
    return byte >= 84 && byte <= 86;
}

/// Whether the header is plausible with the words of this processor.
bool plausible(const Source& source) {
    const float rate = source.real(field::rate);
    const float scale = std::abs(source.real(field::scale));
    const std::size_t start = source.word(field::data_start);
    return rate > 0 && rate <= 1e5f && scale >= 1e-9f && scale <= 1e4f && start > 1 &&
           (start - 1) * block_size <= source.size();
}

/// Byte of the parameter section, or 0 when there is none.
std::size_t parameter_start(const Source& source) {
    const std::size_t start = (static_cast<std::size_t>(source.byte(0)) - 1) * block_size;
    return start == 0 || start + 4 > source.size() ? 0 : start;
}

Processor find_processor(Source source, Tally& tally) {
    const std::size_t start = parameter_start(source);
    const std::uint8_t stated = start == 0 ? std::uint8_t{0} : source.byte(start + 3);
    if (is_processor(stated)) return static_cast<Processor>(stated);
    constexpr Processor all[] = {Processor::intel, Processor::dec, Processor::mips};
    const auto found = std::find_if(std::begin(all), std::end(all), [&](Processor processor) {
        source.processor = processor;
        return plausible(source);
    });
    const std::size_t location = source.skipped + (start == 0 ? 0 : start + 3);
    if (found == std::end(all)) {
        fail(tally.location(location), "the processor is {}, not 84 to 86, and the header fits none of them",
             stated);
    }
    constexpr std::string_view names[] = {"Intel", "DEC", "MIPS"};
    tally.note("c3d-processor", location, "the processor is {}, not 84 to 86; the header reads as {}", stated,
               names[found - std::begin(all)]);
    return *found;
}

std::vector<HeaderEvent> read_events(const Source& source, Tally& tally) {
    std::vector<HeaderEvent> events;
    std::size_t count = source.word(field::event_count);
    if (count > max_header_events) {
        tally.note("c3d-header-events", source.skipped + field::event_count,
                   "the header can hold 18 events, not {}: they are left out", count);
        count = 0;
    }
    // Before the key was introduced, labels had two characters.
    const std::size_t width = source.word(field::event_key) == key ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i) {
        const double time = static_cast<double>(source.real(field::event_times + 4 * i));
        const std::string label = decoded(source.text(field::event_labels + width * i, width));
        if (!std::isfinite(time)) {
            tally.note("c3d-header-events", source.skipped + field::event_times + 4 * i,
                       "the time of event \"{}\" is not a number: it is left out", label);
            continue;
        }
        events.push_back({label, time, source.byte(field::event_flags + i) == 1});
    }
    return events;
}

}  // namespace

Source find_header(Bytes bytes, Tally& tally) {
    if (bytes.empty()) fail(tally.location(0), "the file is empty");
    const auto start = static_cast<std::size_t>(
        std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }) -
        bytes.begin());
    if (start + 1 >= bytes.size() || bytes[start + 1] != std::byte{0x50}) {
        fail(tally.location(start), "this is not C3D: the mark 0x50 is missing");
    }
    Source source{bytes.subspan(start), start, Processor::intel};
    if (source.size() < block_size) {
        fail(tally.location(bytes.size()), "the file ends within its header of 512 bytes");
    }
    if (start > 0) tally.note("c3d-leading-zeros", 0, "{} zeros precede the header", start);
    source.processor = find_processor(source, tally);
    return source;
}

Header read_header(const Source& source, Tally& tally) {
    Header header;
    header.parameter_start = parameter_start(source);
    header.points = source.word(field::points);
    header.analog = source.word(field::analog);
    header.first = source.word(field::first);
    header.last = source.word(field::last);
    header.gap = source.word(field::gap);
    header.scale = source.real(field::scale);
    header.data_start = source.word(field::data_start);
    header.samples = source.word(field::samples);
    header.rate = source.real(field::rate);
    header.events = read_events(source, tally);
    return header;
}

namespace {

using model::ParameterGroup;
using model::Parameters;

constexpr std::size_t max_dimensions = 7;

std::string_view trim_right(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
    return text;
}

/// The common part of groups and parameters.
struct Record {
    std::size_t start = 0;
    std::string name;
    bool locked = false;
    int id = 0;            ///< negative for a group
    std::size_t next = 0;  ///< byte of the field with the offset of the next record
    std::size_t body = 0;  ///< byte after that field
};

/// The size of a parameter, from its body.
struct Shape {
    int type = 0;  ///< -1 text, 1 byte, 2 word, 4 real
    std::vector<std::uint8_t> dimensions;
    std::size_t data = 0;  ///< byte of its first value
    bool sound = false;

    std::size_t value_size() const { return static_cast<std::size_t>(std::abs(type)); }
    std::size_t bytes() const {
        std::size_t count = value_size();
        for (const std::uint8_t size : dimensions) count *= size;
        return count;
    }
};

class SectionReader {
  public:
    SectionReader(const Source& source, const Header& header, Tally& tally)
        : source_(source), tally_(tally), start_(header.parameter_start) {
        const std::size_t blocks = source.byte(start_ + 2);
        const std::size_t data = header.data_start > 1 ? (header.data_start - 1) * block_size : 0;
        stated_ = blocks > 0 ? start_ + blocks * block_size : data > start_ ? data : source.size();
        if (blocks == 0) {
            tally_.note("c3d-parameter-blocks", location(start_ + 2),
                        "the parameters have no count of blocks");
        }
        if (stated_ > source.size()) {
            // If the data follow nevertheless, only the count of blocks is wrong.
            if (data == 0 || data >= source.size())
                fail(tally_.location(location(source.size())),
                     "the file is truncated within its parameters: {} bytes are there, {} are announced",
                     source.size(), stated_);
            tally_.note("c3d-truncated", location(source.size()), "the file ends within its parameters");
        }
        slots_.fill(-1);
    }

    ParameterSection read() {
        std::size_t at = start_ + 4;
        while (const std::optional<Record> record = read_record(at)) {
            const std::size_t next = find_next(*record);
            const std::size_t end = next == 0 ? source_.size() : next;
            if (record->id < 0) read_group(*record, end);
            if (record->id > 0) read_parameter(*record, end);
            if (next == 0) {
                at = record->body;
                break;
            }
            at = next;
        }
        name_groups();
        return {std::move(section_), std::max(at, std::min(stated_, source_.size()))};
    }

  private:
    std::size_t location(std::size_t offset) const { return source_.skipped + offset; }

    template <class... Args>
    std::nullopt_t stop(std::size_t at, fmt::format_string<Args...> text, Args&&... args) {
        tally_.note("c3d-parameter-record", location(at), "{}: the parameters end here",
                    fmt::format(text, std::forward<Args>(args)...));
        return std::nullopt;
    }

    std::optional<Record> read_record(std::size_t at) {
        if (at >= source_.size() || at == stated_) return std::nullopt;
        const auto length = static_cast<std::int8_t>(source_.byte(at));
        if (length == 0) return std::nullopt;
        Record record;
        record.start = at;
        record.locked = length < 0;
        const auto name_size = static_cast<std::size_t>(std::abs(int{length}));
        if (source_.size() - at < 2 + name_size + 3) return stop(at, "a record breaks off");
        record.id = static_cast<std::int8_t>(source_.byte(at + 1));
        record.name = std::string(trim(trim_right(source_.text(at + 2, name_size))));
        record.next = at + 2 + name_size;
        record.body = record.next + 2;
        const bool readable = std::all_of(record.name.begin(), record.name.end(),
                                          [](char c) { return static_cast<unsigned char>(c) >= ' '; });
        if (!readable || record.name.empty()) return stop(at, "a record has no readable name");
        if (at > stated_ || record.body > stated_) {
            if (!sound(record)) return stop(at, "what follows the stated blocks is not a record");
            tally_.note("c3d-parameter-blocks", location(start_ + 2),
                        "the parameters continue beyond the {} blocks that they count",
                        (stated_ - start_) / block_size);
        }
        if (record.id == 0) {
            tally_.note("c3d-parameter-group", location(at + 1), "\"{}\" is of group 0, which cannot be",
                        record.name);
        }
        return record;
    }

    /// True for a name of the usual characters with a plausible body.
    bool sound(const Record& record) const {
        const bool usual = std::all_of(record.name.begin(), record.name.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                   c == ' ' || c == '-';
        });
        return usual && record.id != 0 && natural_end(record) != 0;
    }

    Shape shape_of(const Record& record) const {
        Shape shape;
        if (source_.size() - record.body < 2) return shape;
        shape.type = static_cast<std::int8_t>(source_.byte(record.body));
        const std::size_t count = source_.byte(record.body + 1);
        shape.data = record.body + 2 + count;
        const int t = shape.type;
        if ((t != -1 && t != 1 && t != 2 && t != 4) || count > max_dimensions ||
            shape.data > source_.size()) {
            return shape;
        }
        for (std::size_t i = 0; i < count; ++i) {
            shape.dimensions.push_back(source_.byte(record.body + 2 + i));
        }
        shape.sound = true;
        return shape;
    }

    /// The end of the record by its own sizes; 0 when it is outside the file.
    std::size_t natural_end(const Record& record) const {
        std::size_t description = record.body;
        if (record.id > 0) {
            const Shape shape = shape_of(record);
            if (!shape.sound || shape.bytes() > source_.size() - shape.data) return 0;
            description = shape.data + shape.bytes();
        }
        if (description >= source_.size()) return description == source_.size() ? description : 0;
        const std::size_t end = description + 1 + source_.byte(description);
        return end <= source_.size() ? end : 0;
    }

    /// The start of the next record, 0 when this is the last. The stated offset is used, unless it is outside
    /// the file or has its bytes in the wrong order.
    std::size_t find_next(const Record& record) {
        const std::size_t offset = source_.word(record.next);
        if (offset == 0) return 0;
        const std::size_t natural = natural_end(record);
        const std::size_t stated = record.next + offset;
        if (stated == natural) return stated;
        const std::size_t swapped = record.next + swap_bytes(static_cast<std::uint16_t>(offset));
        if (swapped == natural) {
            tally_.note("c3d-parameter-offset", location(record.next),
                        "the offset after \"{}\" has its bytes swapped", record.name);
            return swapped;
        }
        if (offset < 3 || stated > source_.size()) {
            stop(record.next, "the offset {} after \"{}\" points outside the parameters", offset,
                 record.name);
            return 0;
        }
        tally_.note(
            "c3d-parameter-size", location(record.next),
            "\"{}\" takes {} bytes by its dimensions, {} by its offset, which is believed", record.name,
            natural == 0 ? std::string("too many") : fmt::format("{}", natural - record.next), offset);
        return stated;
    }

    ParameterGroup& group(int id) {
        int& slot = slots_[static_cast<std::size_t>(id)];
        if (slot < 0) {
            slot = static_cast<int>(section_.groups.size());
            section_.groups.emplace_back();
        }
        return section_.groups[static_cast<std::size_t>(slot)];
    }

    std::string description(std::size_t at, std::size_t end) const {
        if (at >= end) return {};
        const std::size_t length = std::min<std::size_t>(source_.byte(at), end - at - 1);
        return std::string(trim_right(source_.text(at + 1, length)));
    }

    void read_group(const Record& record, std::size_t end) {
        ParameterGroup& target = group(-record.id);
        if (!target.name.empty()) {
            tally_.note("c3d-duplicate", location(record.start),
                        "group {} is \"{}\" and \"{}\": the first is used", -record.id, target.name,
                        record.name);
            return;
        }
        target.name = record.name;
        target.locked = record.locked;
        target.description = description(record.body, end);
    }

    void read_parameter(const Record& record, std::size_t end) {
        Shape shape = shape_of(record);
        if (!shape.sound || shape.data > end) {
            tally_.note("c3d-parameter-record", location(record.body),
                        "\"{}\" has no known type or more than 7 dimensions: it is left out", record.name);
            return;
        }
        if (shape.bytes() > end - shape.data) shorten(shape, end - shape.data);
        Parameter parameter;
        parameter.name = record.name;
        parameter.locked = record.locked;
        parameter.values = read_values(shape);
        parameter.description = description(shape.data + shape.bytes(), end);
        parameter.dimensions = std::move(shape.dimensions);
        add(group(record.id), std::move(parameter), location(record.start));
    }

    /// The last dimension is reduced to the data in the file.
    static void shorten(Shape& shape, std::size_t bytes) {
        if (shape.dimensions.empty()) {
            shape.dimensions = {0};
            return;
        }
        const std::size_t slice = shape.bytes() / shape.dimensions.back();
        shape.dimensions.back() = static_cast<std::uint8_t>(bytes / slice);
    }

    Parameter::Values read_values(const Shape& shape) const {
        const std::size_t count = shape.bytes() / shape.value_size();
        if (shape.type == -1) {
            std::vector<std::string> texts;
            const std::size_t width = shape.dimensions.empty() ? 1 : shape.dimensions[0];
            for (std::size_t i = 0; i < count; i += width) {
                texts.emplace_back(trim_right(source_.text(shape.data + i, width)));
            }
            return texts;
        }
        const auto fill = [&](auto zero, const auto& load) {
            std::vector<decltype(zero)> values(count);
            for (std::size_t i = 0; i < count; ++i) values[i] = load(shape.data + i * sizeof zero);
            return values;
        };
        if (shape.type == 1) {
            return fill(std::int8_t{},
                        [&](std::size_t at) { return static_cast<std::int8_t>(source_.byte(at)); });
        }
        if (shape.type == 2) {
            return fill(std::int16_t{},
                        [&](std::size_t at) { return static_cast<std::int16_t>(source_.word(at)); });
        }
        return fill(float{}, [&](std::size_t at) { return source_.real(at); });
    }

    /// Of two parameters with the same name the later is used, because programs append a value that they add.
    /// An empty one replaces nothing.
    void add(ParameterGroup& target, Parameter parameter, std::size_t where) {
        for (Parameter& old : target.parameters) {
            if (!equal_ignoring_case(old.name, parameter.name)) continue;
            tally_.note("c3d-duplicate", where, "\"{}\" is given twice: the last one with values is used",
                        parameter.name);
            if (!parameter.empty() || old.empty()) old = std::move(parameter);
            return;
        }
        target.parameters.push_back(std::move(parameter));
    }

    /// Groups without a definition get a name; groups with the same name are merged.
    void name_groups() {
        std::vector<ParameterGroup> named;
        for (std::size_t id = 0; id < slots_.size(); ++id) {
            if (slots_[id] < 0) continue;
            ParameterGroup& each = section_.groups[static_cast<std::size_t>(slots_[id])];
            if (!each.name.empty()) continue;
            each.name = fmt::format("GROUP_{}", id);
            tally_.note("c3d-parameter-group", location(start_), "group {} has no name: it is called {}", id,
                        each.name);
        }
        for (ParameterGroup& each : section_.groups) {
            const auto same = std::find_if(named.begin(), named.end(), [&](const ParameterGroup& other) {
                return equal_ignoring_case(other.name, each.name);
            });
            if (same == named.end()) {
                named.push_back(std::move(each));
                continue;
            }
            tally_.note("c3d-duplicate", location(start_), "the group \"{}\" is given twice: they become one",
                        each.name);
            for (Parameter& parameter : each.parameters) add(*same, std::move(parameter), location(start_));
        }
        section_.groups = std::move(named);
    }

    const Source& source_;
    Tally& tally_;
    std::size_t start_;
    std::size_t stated_;
    Parameters section_;
    std::array<int, 129> slots_{};  ///< index of the group of an id
};

}  // namespace

ParameterSection read_parameters(const Source& source, const Header& header, Tally& tally) {
    if (header.parameter_start == 0) {
        tally.note("c3d-no-parameters", source.skipped, "there are no parameters: the header has to do");
        return {{}, block_size};
    }
    ParameterSection section = SectionReader(source, header, tally).read();
    if (section.parameters.groups.empty()) {
        tally.note("c3d-no-parameters", source.skipped + header.parameter_start,
                   "there are no parameters: the header has to do");
    }
    return section;
}

}  // namespace sinew::io::c3d
