// SPDX-License-Identifier: MIT
#pragma once
// sinew render A [B] --contacts: the triangles in contact, and the spheres that the query refitted.

#include "picture.h"

namespace sinew::cli {

struct ContactOptions {
    bool wanted = false;
    std::filesystem::path second;  ///< empty: the first body with itself
    std::vector<double> move{0, 0, 0};
    std::optional<int> level;  ///< of the spheres beside the bodies
};
void add_contact_options(CLI::App& verb, ContactOptions& options);

/// A picture of one instant, or a film of the clip of the first.
void write_contacts(Run& run, const std::filesystem::path& first, const io::ReadOptions& read,
                    const Instant& instant, deform::Method method, const ContactOptions& options,
                    const PictureOptions& picture, const std::filesystem::path& output);

}  // namespace sinew::cli
