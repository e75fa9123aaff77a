// SPDX-License-Identifier: MIT
#include "digest.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

/// XXH3 with 128 bits: a batch reads every input once more for it, and SHA-256 took longer than all other
/// work of a batch per job. It detects changes, not forgeries.
class Sum {
  public:
    Sum() { XXH3_128bits_reset(state_.get()); }
    void add(std::string_view bytes) { XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()); }
    /// In the format of `xxh128sum`.
    std::string digits() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

  private:
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_{XXH3_createState(),
                                                                           XXH3_freeState};
};

/// Hash of the content of a file; empty when it cannot be read.
std::string content_digits(const fs::path& path) {
    Sum sum;
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::vector<char> part(1 << 18);
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0)
        sum.add({part.data(), static_cast<std::size_t>(file.gcount())});
    return sum.digits();
}

void add_stamp(const std::string& name, const fs::path& folder, const std::vector<Stamp>& known,
               std::vector<Stamp>& stamps) {
    const fs::path path = folder / name;
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status)) {
        stamps.push_back({name, 0, 0, ""});
        return;
    }
    if (fs::is_directory(status)) {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(path, code))
            if (entry.is_regular_file(code))
                names.push_back((fs::path(name) / fs::relative(entry.path(), path, code)).string());
        std::sort(names.begin(), names.end());
        for (const std::string& each : names) add_stamp(each, folder, known, stamps);
        return;
    }
    const bool regular = fs::is_regular_file(status);
    const auto changed = std::chrono::file_clock::to_sys(fs::last_write_time(path, code));
    Stamp stamp{name, regular ? fs::file_size(path, code) : 0,
                std::chrono::nanoseconds(changed.time_since_epoch()).count(), ""};
    const auto same = std::ranges::find_if(known, [&](const Stamp& other) {
        return other.path == name && other.size == stamp.size && other.changed == stamp.changed;
    });
    if (regular) stamp.digits = same != known.end() ? same->digits : content_digits(path);
    stamps.push_back(std::move(stamp));
}

bool has(const std::vector<Stamp>& stamps, const std::string& path) {
    return std::ranges::find(stamps, path, &Stamp::path) != stamps.end();
}

std::string digits_of(const Job& job, const std::vector<Stamp>& stamps) {
    Sum sum;
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
