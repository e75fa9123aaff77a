// SPDX-License-Identifier: MIT
#include "sinew/io/c3d/numbers.h"

namespace sinew::io::c3d {
namespace {

/// Inner blocks of fixed size, so that the compiler vectorises them at every optimisation level.
template <std::size_t size, class Load>
void run(const std::byte* from, std::size_t count, float* to, const Load& load) {
    constexpr std::size_t block = 16;
    for (; count >= block; count -= block, from += block * size, to += block) {
        for (std::size_t i = 0; i < block; ++i) to[i] = load(from + i * size);
    }
    for (std::size_t i = 0; i < count; ++i) to[i] = load(from + i * size);
}

}  // namespace

std::uint16_t read_word(Processor processor, const std::byte* p) {
    return with_processor(processor, [&](auto known) { return load_word<known()>(p); });
}

float read_real(Processor processor, const std::byte* p) {
    return with_processor(processor, [&](auto known) { return load_real<known()>(p); });
}

void write_word(Processor processor, std::uint16_t value, std::byte* p) {
    store_little(processor == Processor::mips ? swap_bytes(value) : value, p);
}

void write_real(Processor processor, float value, std::byte* p) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    switch (processor) {
        case Processor::dec:
            return store_little(to_vax(value), p);
        case Processor::mips:
            return store_little(swap_bytes(bits), p);
        case Processor::intel:
            return store_little(bits, p);
    }
}

void decode_run(Processor processor, Storage storage, const std::byte* from, std::size_t count, float* to) {
    with_processor(processor, [&]([[maybe_unused]] auto known) {
        constexpr Processor kind = decltype(known)::value;
        switch (storage) {
            case Storage::reals:
                return run<4>(from, count, to, [](const std::byte* p) { return load_real<kind>(p); });
            case Storage::unsigned_words:
                return run<2>(from, count, to,
                              [](const std::byte* p) { return static_cast<float>(load_word<kind>(p)); });
            case Storage::signed_words:
                return run<2>(from, count, to, [](const std::byte* p) {
                    return static_cast<float>(static_cast<std::int16_t>(load_word<kind>(p)));
                });
        }
    });
}

}  // namespace sinew::io::c3d
