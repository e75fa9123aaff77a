// SPDX-License-Identifier: MIT
#include "digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::block(const unsigned char* bytes) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = static_cast<std::uint32_t>(bytes[4 * i]) << 24 |
               static_cast<std::uint32_t>(bytes[4 * i + 1]) << 16 |
               static_cast<std::uint32_t>(bytes[4 * i + 2]) << 8 | bytes[4 * i + 3];
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
        const std::uint32_t two =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const std::array<std::uint32_t, 8> sums = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += sums[i];
}

void Sha256::add(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t used = size_ % 64, count = std::min<std::size_t>(64 - used, bytes.size());
        size_ += count;
        if (count == 64) {
            block(reinterpret_cast<const unsigned char*>(bytes.data()));
        } else {
            std::memcpy(rest_.data() + used, bytes.data(), count);
            if (used + count == 64) block(rest_.data());
        }
        bytes.remove_prefix(count);
    }
}

std::string Sha256::digits() {
    const std::uint64_t bits = size_ * 8;
    add("\x80");
    while (size_ % 64 != 56) add(std::string_view("\0", 1));
    std::array<char, 8> length{};
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(bits >> (56 - 8 * i));
    add({length.data(), length.size()});
    std::string text;
    for (const std::uint32_t word : state_) text += fmt::format("{:08x}", word);
    return text;
}

namespace {

/// Content of a file; empty where it cannot be read.
std::string content_digits(const fs::path& path) {
    Sha256 sum;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return {};
    std::vector<char> part(1 << 18);
    for (ssize_t count = 0; (count = ::read(file, part.data(), part.size())) > 0;)
        sum.add({part.data(), static_cast<std::size_t>(count)});
    ::close(file);
    return sum.digits();
}

void add_stamp(const std::string& name, const fs::path& folder, const std::vector<Stamp>& known,
               std::vector<Stamp>& stamps) {
    const fs::path path = folder / name;
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) {
        stamps.push_back({name, 0, 0, ""});
        return;
    }
    if (S_ISDIR(info.st_mode)) {
        std::vector<std::string> names;
        std::error_code code;
        for (const auto& entry : fs::recursive_directory_iterator(path, code))
            if (entry.is_regular_file(code))
                names.push_back((fs::path(name) / fs::relative(entry.path(), path, code)).string());
        std::sort(names.begin(), names.end());
        for (const std::string& each : names) add_stamp(each, folder, known, stamps);
        return;
    }
    Stamp stamp{name, static_cast<std::uint64_t>(info.st_size),
                static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec, ""};
    const auto same = std::ranges::find_if(known, [&](const Stamp& other) {
        return other.path == name && other.size == stamp.size && other.changed == stamp.changed;
    });
    if (S_ISREG(info.st_mode)) stamp.digits = same != known.end() ? same->digits : content_digits(path);
    stamps.push_back(std::move(stamp));
}

bool has(const std::vector<Stamp>& stamps, const std::string& path) {
    return std::ranges::find(stamps, path, &Stamp::path) != stamps.end();
}

std::string digits_of(const Job& job, const std::vector<Stamp>& stamps) {
    Sha256 sum;
    const auto add = [&](std::string_view text) { sum.add(fmt::format("{}:{}", text.size(), text)); };
    add(version());
    add(job.id);
    add(job.verb);
    for (const auto* words : {&job.inputs, &job.options}) {
        add(std::to_string(words->size()));
        for (const std::string& word : *words) add(word);
    }
    for (const Stamp& stamp : stamps) {
        add(stamp.path);
        add(stamp.digits);
    }
    return sum.digits();
}

}  // namespace

Json to_json(const std::vector<Stamp>& stamps) {
    Json list = Json::array();
    for (const Stamp& stamp : stamps)
        list.push_back(Json::array({stamp.path, stamp.size, stamp.changed, stamp.digits}));
    return list;
}

std::vector<Stamp> stamps_of(const Json& json) {
    std::vector<Stamp> stamps;
    for (const Json& item : json) stamps.push_back({item.at(0), item.at(1), item.at(2), item.at(3)});
    return stamps;
}

Digest digest_of(const Job& job, const fs::path& folder, const std::vector<Stamp>& known) {
    Digest digest;
    for (const std::string& input : job.inputs) add_stamp(input, folder, known, digest.stamps);
    for (const std::string& word : job.options) {
        const std::size_t equals = word.find('=');
        const std::string value = !word.starts_with("--")       ? word
                                  : equals == std::string::npos ? ""
                                                                : word.substr(equals + 1);
        std::error_code code;
        if (!value.empty() && fs::is_regular_file(folder / value, code))
            add_stamp(value, folder, known, digest.stamps);
    }
    for (const Stamp& stamp : known)
        if (!has(digest.stamps, stamp.path)) add_stamp(stamp.path, folder, known, digest.stamps);
    digest.digits = digits_of(job, digest.stamps);
    return digest;
}

void add_files(const std::vector<std::string>& names, const Job& job, const fs::path& folder,
               Digest& digest) {
    for (const std::string& name : names)
        if (!has(digest.stamps, name)) add_stamp(name, folder, {}, digest.stamps);
    digest.digits = digits_of(job, digest.stamps);
}

}  // namespace sinew::cli::batch
