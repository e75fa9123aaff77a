// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Communication of long-running work with its caller: progress, cancellation and warnings.
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

/// A problem that a rule could repair: what was found and what was done about it. Codes are in kebab-case and
/// stable, so that scripts can match them (`bvh-frame-count`).
struct Warning {
    std::string code;
    std::string text;
    bool operator==(const Warning&) const = default;
};

/// Receives progress and warnings, and can ask the work to stop. Its functions may be called from any thread.
class Monitor {
  public:
    Monitor() = default;
    Monitor(const Monitor&) = delete;
    Monitor& operator=(const Monitor&) = delete;
    virtual ~Monitor() = default;

    /// Reports that `fraction` (0 to 1) of the stage named `stage` is done.
    virtual void progress(std::string_view stage, double fraction) {
        (void)stage;
        (void)fraction;
    }
    /// Receives a warning; by value, because most monitors store it.
    virtual void warn(Warning warning) { (void)warning; }  // NOLINT(performance-unnecessary-value-param)
    virtual bool cancelled() const { return false; }
};

/// A monitor that ignores everything.
Monitor& silent();

/// Sends a warning with a formatted text.
template <class... Args>
void warn(Monitor& monitor, std::string_view code, fmt::format_string<Args...> text, Args&&... args) {
    monitor.warn({std::string(code), fmt::format(text, std::forward<Args>(args)...)});
}

/// Reports progress. \throws Cancelled when the monitor asks to stop
void step(Monitor& monitor, std::string_view stage, double fraction);

/// Stores the warnings it receives and forwards warnings, progress and cancellation to another monitor.
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
