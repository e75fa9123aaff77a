// SPDX-License-Identifier: MIT

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

/// A temporary folder for one import.
class Workplace {
  public:
    Workplace() : path_(make_temporary_folder("sinew-import")) {}
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() {
        std::error_code code;
        fs::remove_all(path_, code);
    }
    fs::path operator/(std::string_view name) const { return path_ / name; }

  private:
    fs::path path_;
};

/// Lines `warning CODE TEXT` are sent to the monitor; `error TEXT`, or else the last line, gives the reason
/// of a failure.
std::string hear(std::string_view text, const fs::path& path, Monitor& monitor) {
    const std::string prefix = path.filename().string() + ": ";  // prefix of the importer's messages
    std::string reason;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with("warning ")) {
            const std::string_view rest = line.substr(8);
            const std::size_t blank = std::min(rest.find(' '), rest.size());
            std::string_view said = trim(rest.substr(blank));
            if (said.starts_with(prefix)) said.remove_prefix(prefix.size());
            warn(monitor, rest.substr(0, blank), "{}: {}", path.string(), said);
        } else if (line.starts_with("error ")) {
            reason = line.substr(6);
        } else if (!line.empty() && reason.empty()) {
            reason = line;
        }
    }
    return reason;
}

[[noreturn]] void fail_import(const ProgramEnd& end, const std::string& reason, const ImportLimits& limits,
                              const fs::path& path) {
    const std::string said = reason.empty() ? "" : fmt::format(": {}", reason);
    const std::string name = path.filename().string();
    if (end.timed_out) {
        fail(path.string(),
             "the importer did not finish {} within {:g} seconds and was stopped{} (SINEW_IMPORT_SECONDS "
             "allows more)",
             name, std::min(limits.seconds, limits.cpu_seconds), said);
    }
    if (end.signal != 0)
        fail(path.string(), "the importer crashed (signal {}) reading {}{}", end.signal, name, said);
    fail(path.string(), "{}",
         reason.empty() ? fmt::format("the importer failed (code {})", end.code) : reason);
}

ImportLimits limits_of_environment() {
    ImportLimits limits;
    const std::string text = environment("SINEW_IMPORT_SECONDS").value_or("");
    double seconds = 0;
    if (parse_exact(text, seconds) && seconds > 0) {
        limits.seconds = seconds;
        limits.cpu_seconds = seconds;
    }
    return limits;
}

}  // namespace

fs::path find_importer() {
    return find_own_program("SINEW_IMPORT", "sinew-import");
}

Asset import_file(const fs::path& path, const ImportLimits& limits, Monitor& monitor) {
    const fs::path program = limits.program.empty() ? find_importer() : limits.program;
    std::error_code code;
    if (program.empty() || !fs::is_regular_file(program, code)) {
        fail(path.string(),
             ".{} files are read by sinew-import, which is not here{}: install it beside sinew (it is built "
             "when "
             "libassimp-dev is installed), or name it in SINEW_IMPORT",
             suffix(path), program.empty() ? "" : fmt::format(" ({})", program.string()));
    }
    const Workplace workplace;
    const fs::path output = workplace / "scene.glb";
    step(monitor, "importing", 0);
    std::vector<std::string> command = {program.string(), fs::absolute(path, code).string(), output.string()};
    if (limits.allow_outside) command.emplace_back("--allow-outside");
    ProgramEnd end;
    try {
        end = run_program(command, {},
                          {.seconds = limits.seconds,
                           .cpu_seconds = limits.cpu_seconds,
                           .address_bytes = limits.memory_bytes,
                           .file_bytes = limits.memory_bytes},
                          monitor);
    } catch (const Error&) {
        fail(path.string(), "the importer {} cannot be started", program.string());
    }
    const std::string reason = hear(end.errors, path, monitor);
    if (end.code != 0) fail_import(end, reason, limits, path);
    if (!fs::is_regular_file(output, code)) fail(path.string(), "the importer wrote nothing");
    const FileView view(output);
    Asset asset;
    try {
        asset = read_gltf(view.bytes(), output, {}, monitor);
    } catch (const Error& error) {
        fail(path.string(), "what the importer made of it is broken: {}", error.reason());
    }
    asset.character.name = path.stem().string();
    return asset;
}

Asset read_imported(Bytes bytes, const fs::path& path, const ReadOptions& options, Monitor& monitor) {
    std::error_code code;
    ImportLimits limits = limits_of_environment();
    limits.allow_outside = options.allow_outside;
    if (fs::is_regular_file(path, code) && fs::file_size(path, code) == bytes.size()) {
        return import_file(path, limits, monitor);
    }
    const Workplace workplace;
    const fs::path file = workplace / ("file" + path.extension().string());
    write_file(file, bytes, Sync::later);
    return import_file(file, limits, monitor);
}

}  // namespace sinew::io
