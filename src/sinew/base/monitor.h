// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// How long work talks to whoever started it: progress, cancel, warnings.
///
/// \code
/// Collector warnings;
/// const io::Asset walk = io::read("walk.bvh", {}, warnings);
/// for (const Warning& warning : warnings.warnings()) std::puts(warning.text.c_str());
/// \endcode

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace sinew {

/// A recoverable oddity: something was off, a rule was applied, nothing was lost in silence.
/// Codes are kebab-case and stable, so that scripts can match them (`bvh-frame-count`).
struct Warning {
    std::string code;
    std::string text;
    bool operator==(const Warning&) const = default;
};

/// Receives progress and warnings, and may ask the work to stop. Calls can come from any thread.
class Monitor {
  public:
    Monitor() = default;
    Monitor(const Monitor&) = delete;
    Monitor& operator=(const Monitor&) = delete;
    virtual ~Monitor() = default;

    /// `fraction` of `stage` is done, from 0 to 1.
    virtual void progress(std::string_view stage, double fraction) {
        (void)stage;
        (void)fraction;
    }
    /// By value, because most monitors keep it.
    virtual void warn(Warning warning) { (void)warning; }  // NOLINT(performance-unnecessary-value-param)
    virtual bool cancelled() const { return false; }
};

/// A monitor that ignores everything.
Monitor& silent();

/// Warns with a formatted text.
template <class... Args>
void warn(Monitor& monitor, std::string_view code, fmt::format_string<Args...> text, Args&&... args) {
    monitor.warn({std::string(code), fmt::format(text, std::forward<Args>(args)...)});
}

/// Reports progress and throws Cancelled when the monitor asks for it.
void step(Monitor& monitor, std::string_view stage, double fraction);

/// Keeps the warnings it receives, and passes everything on to another monitor.
class Collector : public Monitor {
  public:
    explicit Collector(Monitor& next = silent()) : next_(next) {}
    void progress(std::string_view stage, double fraction) override { next_.progress(stage, fraction); }
    void warn(Warning warning) override;
    bool cancelled() const override { return next_.cancelled(); }

    const std::vector<Warning>& warnings() const { return warnings_; }
    /// True when a warning with this code was received.
    bool has(std::string_view code) const;

  private:
    Monitor& next_;
    std::vector<Warning> warnings_;
};

}  // namespace sinew
