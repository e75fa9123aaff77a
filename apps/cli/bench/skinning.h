#pragma once
#include "program.h"

namespace sinew::cli {

/// Tables of skinning speed. `quick` takes seconds and leaves out the long ones.
void bench_skinning(Run& run, bool quick);

}  // namespace sinew::cli
