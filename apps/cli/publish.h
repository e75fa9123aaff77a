#pragma once
// A page to share, made by publish, animate and demo.

#include "common.h"

namespace sinew::cli {

struct PageOptions {
    std::string title;                            ///< empty: the name of the page's file
    std::string clip;                             ///< by name or number; empty: all of them
    deform::Method method = deform::Method::dqs;  ///< the page knows dqs and lbs and can change between them
};

/// True when the suffix asks for a page.
bool is_page(const std::filesystem::path& path);

/// False when this program was built without the page; the demo then leaves it out.
bool can_publish();

/// Writes one HTML file that plays the asset in any browser and asks for nothing from anywhere. `source` is
/// the name shown for it. The report gets `bytes`.
/// \throws Error when there is nothing to show, or when this program was built without the page.
void write_page(Run& run, io::Asset asset, const PageOptions& options, const std::string& source,
                const std::filesystem::path& output);

}  // namespace sinew::cli
