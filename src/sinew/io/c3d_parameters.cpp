#include "sinew/io/c3d/parameters.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "sinew/base/text.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;
using model::ParameterGroup;
using model::Parameters;

constexpr std::size_t max_dimensions = 7;

std::string_view trim_right(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
    return text;
}

/// The part that groups and parameters have in common.
struct Record {
    std::size_t start = 0;
    std::string name;
    bool locked = false;
    int id = 0;            ///< negative for a group
    std::size_t next = 0;  ///< byte of the field that leads to the next record
    std::size_t body = 0;  ///< byte behind that field
};

/// What the body of a parameter says about its size.
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
            tally_.note("c3d-parameter-blocks", place(start_ + 2), "the parameters have no count of blocks");
        }
        if (stated_ > source.size()) {
            tally_.note("c3d-truncated", place(source.size()), "the file ends within its parameters");
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
    std::size_t place(std::size_t offset) const { return source_.skipped + offset; }

    template <class... Args>
    std::nullopt_t stop(std::size_t at, fmt::format_string<Args...> text, Args&&... args) {
        tally_.note("c3d-parameter-record", place(at), "{}: the parameters end here",
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
            if (!sound(record)) return stop(at, "what follows the stated blocks is no record");
            tally_.note("c3d-parameter-blocks", place(start_ + 2),
                        "the parameters go on behind the {} blocks that they count",
                        (stated_ - start_) / block_size);
        }
        if (record.id == 0) {
            tally_.note("c3d-parameter-group", place(at + 1), "\"{}\" is of group 0, which cannot be",
                        record.name);
        }
        return record;
    }

    /// A name of the usual characters, and a body that makes sense.
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

    /// Where the record ends by its own sizes; 0 when they lead out of the file.
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

    /// The start of the next record, 0 when this is the last. The stated offset is the truth, unless it
    /// leads out of the file or has its bytes in the wrong order.
    std::size_t find_next(const Record& record) {
        const std::size_t offset = source_.word(record.next);
        if (offset == 0) return 0;
        const std::size_t natural = natural_end(record);
        const std::size_t stated = record.next + offset;
        if (stated == natural) return stated;
        const std::size_t swapped = record.next + swap_bytes(static_cast<std::uint16_t>(offset));
        if (swapped == natural) {
            tally_.note("c3d-parameter-offset", place(record.next),
                        "the offset behind \"{}\" has its bytes swapped", record.name);
            return swapped;
        }
        if (offset < 3 || stated > source_.size()) {
            stop(record.next, "the offset {} behind \"{}\" leads nowhere", offset, record.name);
            return 0;
        }
        tally_.note(
            "c3d-parameter-size", place(record.next),
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
            tally_.note("c3d-duplicate", place(record.start),
                        "group {} is \"{}\" and \"{}\": the first stands", -record.id, target.name,
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
            tally_.note("c3d-parameter-record", place(record.body),
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
        add(group(record.id), std::move(parameter), place(record.start));
    }

    /// The last dimension shrinks to what is there.
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

    /// Of two parameters with one name the later stands: programs that add a value append it. An empty one
    /// replaces nothing.
    void add(ParameterGroup& target, Parameter parameter, std::size_t where) {
        for (Parameter& old : target.parameters) {
            if (!equal_ignoring_case(old.name, parameter.name)) continue;
            tally_.note("c3d-duplicate", where, "\"{}\" is given twice: the last one with values stands",
                        parameter.name);
            if (!parameter.empty() || old.empty()) old = std::move(parameter);
            return;
        }
        target.parameters.push_back(std::move(parameter));
    }

    /// Groups without a definition get a name; groups of one name become one.
    void name_groups() {
        std::vector<ParameterGroup> named;
        for (std::size_t id = 0; id < slots_.size(); ++id) {
            if (slots_[id] < 0) continue;
            ParameterGroup& each = section_.groups[static_cast<std::size_t>(slots_[id])];
            if (!each.name.empty()) continue;
            each.name = fmt::format("GROUP_{}", id);
            tally_.note("c3d-parameter-group", place(start_), "group {} has no name: it is called {}", id,
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
            tally_.note("c3d-duplicate", place(start_), "the group \"{}\" is given twice: they become one",
                        each.name);
            for (Parameter& parameter : each.parameters) add(*same, std::move(parameter), place(start_));
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
