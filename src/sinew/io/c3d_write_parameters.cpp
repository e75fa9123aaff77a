#include <algorithm>
#include <numeric>

#include "sinew/base/error.h"
#include "sinew/io/c3d/parameters.h"

namespace sinew::io::c3d {
namespace {

using model::Parameter;
using model::ParameterGroup;

class SectionWriter {
  public:
    SectionWriter(Processor processor, std::string_view place) : processor_(processor), place_(place) {
        out_ = {'\1', '\x50', '\0', static_cast<char>(processor)};
    }

    std::string write(const model::Parameters& parameters) {
        if (parameters.groups.size() > 127) {
            fail(place_, "{} groups of parameters: C3D can count 127", parameters.groups.size());
        }
        for (std::size_t g = 0; g < parameters.groups.size(); ++g) {
            const ParameterGroup& group = parameters.groups[g];
            start_record(group.name, group.locked, -static_cast<int>(g + 1));
            finish_record(group.description, group.name);
            for (const Parameter& parameter : group.parameters) {
                write_parameter(parameter, static_cast<int>(g + 1), group.name + ":" + parameter.name);
            }
        }
        // The last record leads nowhere, and zeros follow it.
        if (offset_ > 0) put_word(offset_, 0);
        out_.resize((out_.size() + 2 + block_size - 1) / block_size * block_size);
        const std::size_t blocks = out_.size() / block_size;
        out_[2] = static_cast<char>(blocks <= 255 ? blocks : 0);  // 0: up to the data
        return std::move(out_);
    }

  private:
    void put_word(std::size_t at, std::size_t value) {
        write_word(processor_, static_cast<std::uint16_t>(value),
                   reinterpret_cast<std::byte*>(out_.data() + at));
    }

    void start_record(const std::string& name, bool locked, int id) {
        if (name.empty() || name.size() > 127)
            fail(place_, "the name \"{}\" has no or over 127 characters", name);
        const int length = static_cast<int>(name.size());
        out_ += static_cast<char>(locked ? -length : length);
        out_ += static_cast<char>(id);
        out_ += name;
        offset_ = out_.size();
        out_ += "xx";
    }

    void finish_record(const std::string& description, const std::string& name) {
        if (description.size() > 255) fail(place_, "the description of {} has over 255 characters", name);
        out_ += static_cast<char>(description.size());
        out_ += description;
        const std::size_t size = out_.size() - offset_;
        if (size > 65535) fail(place_, "{} takes {} bytes: C3D can count 65535", name, size);
        put_word(offset_, size);
    }

    void write_parameter(const Parameter& parameter, int group, const std::string& name) {
        constexpr signed char types[] = {-1, 1, 2, 4};
        check_dimensions(parameter, name);
        start_record(parameter.name, parameter.locked, group);
        out_ += static_cast<char>(types[parameter.values.index()]);
        out_ += static_cast<char>(parameter.dimensions.size());
        for (const std::uint8_t size : parameter.dimensions) out_ += static_cast<char>(size);
        std::visit([&](const auto& values) { write_values(values, parameter); }, parameter.values);
        finish_record(parameter.description, name);
    }

    void check_dimensions(const Parameter& parameter, const std::string& name) const {
        const std::vector<std::uint8_t>& sizes = parameter.dimensions;
        const std::size_t skipped = parameter.is_text() && !sizes.empty() ? 1 : 0;
        const bool nothing = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
        const std::size_t count = nothing
                                      ? 0
                                      : std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(skipped),
                                                        sizes.end(), std::size_t{1}, std::multiplies<>());
        if (sizes.size() > 7 || count != parameter.size()) {
            fail(place_, "{} has {} values, but its dimensions make {}", name, parameter.size(), count);
        }
    }

    void write_values(const std::vector<std::string>& texts, const Parameter& parameter) {
        const std::size_t width = parameter.dimensions.empty() ? 1 : parameter.dimensions[0];
        for (const std::string& text : texts) {
            if (text.size() > width)
                fail(place_, "\"{}\" of {} is wider than {}", text, parameter.name, width);
            out_ += text;
            out_.append(width - text.size(), ' ');
        }
    }
    void write_values(const std::vector<std::int8_t>& bytes, const Parameter&) {
        for (const std::int8_t byte : bytes) out_ += static_cast<char>(byte);
    }
    void write_values(const std::vector<std::int16_t>& words, const Parameter&) {
        for (const std::int16_t word : words) {
            out_ += "xx";
            put_word(out_.size() - 2, static_cast<std::uint16_t>(word));
        }
    }
    void write_values(const std::vector<float>& reals, const Parameter& parameter) {
        for (const float real : reals) {
            if (processor_ == Processor::dec && std::abs(real) >= vax_limit) {
                fail(place_, "{} of {} is too large for a DEC file", real, parameter.name);
            }
            out_ += "xxxx";
            write_real(processor_, real, reinterpret_cast<std::byte*>(out_.data() + out_.size() - 4));
        }
    }

    Processor processor_;
    std::string place_;
    std::string out_;
    std::size_t offset_ = 0;  ///< of the field of the last record that leads to the next
};

}  // namespace

std::string write_parameters(const model::Parameters& parameters, Processor processor,
                             std::string_view place) {
    return SectionWriter(processor, place).write(parameters);
}

}  // namespace sinew::io::c3d
