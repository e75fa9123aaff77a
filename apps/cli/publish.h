// SPDX-License-Identifier: MIT
#pragma once
// A page for sharing, made by publish, animate and demo.

#include "common.h"

#include "sinew/pipeline/publish.h"

namespace sinew::cli {

/// True when the suffix is that of a page.
bool is_page(const std::filesystem::path& path);

/// False when this program was built without the page; the demo then omits it.
bool can_publish();

/// Writes a page as stages of the run; its title is the name of the file when there is none. The report gets
/// `bytes`. \throws Error as pipeline::publish does.
void write_page(Run& run, io::Asset asset, pipeline::PublishOptions options,
                const std::filesystem::path& output);

}  // namespace sinew::cli
