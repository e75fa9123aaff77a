#include "sinew/io/foreign.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/child_process.h"
#include "sinew/io/gltf.h"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

/// A folder for the length of an import.
class Workplace {
  public:
    Workplace() {
        std::error_code code;
        fs::path base = fs::temp_directory_path(code);
        if (code) base = "/tmp";
        std::string name = (base / "sinew-import-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            fail(name, "cannot make a temporary folder: {}", std::strerror(errno));
        path_ = name;
    }
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

fs::path program_folder() {
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    return code ? fs::path() : program.parent_path();
}

/// Lines `warning CODE TEXT` go to the monitor; `error TEXT` or else the last line says what went wrong.
std::string hear(std::string_view text, std::string_view place, Monitor& monitor) {
    std::string reason;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with("warning ")) {
            const std::string_view rest = line.substr(8);
            const std::size_t blank = std::min(rest.find(' '), rest.size());
            warn(monitor, rest.substr(0, blank), "{}: {}", place, trim(rest.substr(blank)));
        } else if (line.starts_with("error ")) {
            reason = line.substr(6);
        } else if (!line.empty() && reason.empty()) {
            reason = line;
        }
    }
    return reason;
}

[[noreturn]] void fail_import(const ProcessEnd& end, const std::string& reason, const fs::path& program,
                              const ForeignLimits& limits, const fs::path& path) {
    const std::string said = reason.empty() ? "" : fmt::format(": {}", reason);
    const std::string name = path.filename().string();
    if (!end.started) fail(path.string(), "the importer {} cannot be started", program.string());
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

ForeignLimits limits_of_environment() {
    ForeignLimits limits;
    const char* const text = std::getenv("SINEW_IMPORT_SECONDS");
    double seconds = 0;
    if (text != nullptr && parse_exact(text, seconds) && seconds > 0) {
        limits.seconds = seconds;
        limits.cpu_seconds = seconds;
    }
    return limits;
}

}  // namespace

fs::path find_importer() {
    std::error_code code;
    if (const char* const named = std::getenv("SINEW_IMPORT"); named != nullptr && *named != '\0')
        return named;
    const fs::path here = program_folder();
    for (const fs::path& folder :
         {here, here / "..", here / "../bin", fs::path("/usr/local/bin"), fs::path("/usr/bin")}) {
        fs::path program = (folder / "sinew-import").lexically_normal();
        if (fs::is_regular_file(program, code)) return program;
    }
    return {};
}

Asset read_foreign_file(const fs::path& path, const ForeignLimits& limits, Monitor& monitor) {
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
    const ProcessEnd end =
        run_process({program.string(), fs::absolute(path, code).string(), output.string()},
                    {limits.memory_bytes, limits.cpu_seconds, limits.seconds}, workplace / "errors", monitor);
    const std::string reason = hear(end.errors, path.string(), monitor);
    if (end.code != 0) fail_import(end, reason, program, limits, path);
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

Asset read_foreign(Bytes bytes, const fs::path& path, const ReadOptions&, Monitor& monitor) {
    std::error_code code;
    if (fs::is_regular_file(path, code) && fs::file_size(path, code) == bytes.size()) {
        return read_foreign_file(path, limits_of_environment(), monitor);
    }
    const Workplace workplace;
    const fs::path file = workplace / ("file" + path.extension().string());
    write_file(file, bytes);
    return read_foreign_file(file, limits_of_environment(), monitor);
}

}  // namespace sinew::io
