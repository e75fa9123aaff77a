# sinew_precompile(TARGET [FROM OTHER] [headers...])
#
# Eigen and the standard library are two thirds of what most files read, so they are parsed once: a clean build takes
# about a third less time. Under ccache there is nothing to gain and its hits would be lost, so there it is off; such a
# build also proves that no file leans on the precompiled headers.
option(SINEW_PRECOMPILE "Parse heavy headers once" ON)

function(sinew_precompile target)
  cmake_parse_arguments(ARG "" "FROM" "" ${ARGN})
  if(NOT SINEW_PRECOMPILE OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(ARG_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARG_FROM})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory>
      <numeric> <optional> <span> <string> <unordered_map> <vector> <Eigen/Core> <Eigen/Geometry> <fmt/format.h>
      ${ARG_UNPARSED_ARGUMENTS})
  endif()
endfunction()
