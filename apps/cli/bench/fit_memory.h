#pragma once
// The most memory that `sinew fit` takes, as a program of its own, on sequences of several sizes.

#include "program.h"

namespace sinew::cli {

void show_memory(Run& run, bool quick);

}  // namespace sinew::cli
