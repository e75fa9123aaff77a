# sinew_unity(TARGET)
#
# Most of what a compiler does for a file is to instantiate templates (Eigen, the standard library, GoogleTest, CLI11) that
# the next file instantiates again. So a clean build compiles the files of a target many at a time, in less than half the
# processor time. Under ccache it is off, as precompiled headers are: small files there are compiled once and for all, and
# such a build proves that each file stands by itself. `tests/house` keeps names from meeting in either.
option(SINEW_UNITY "Compile the files of a target many at a time" ON)
set(SINEW_UNITY_FILES 32 CACHE STRING "How many files are compiled at a time")

function(sinew_unity target)
  if(NOT SINEW_UNITY OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(together 0)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    if(NOT source MATCHES "\\.cpp$" OR NOT EXISTS ${source})
      continue()
    endif()
    # Macros and names brought in for a whole file would reach into its neighbours: such a file stays alone.
    file(STRINGS ${source} reaches REGEX "^(#[ ]*define|using namespace)" LIMIT_COUNT 1)
    if(reaches)
      set_property(SOURCE ${source} DIRECTORY ${folder} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      math(EXPR together "${together} + 1")
    endif()
  endforeach()
  if(together LESS 2)
    return()
  endif()
  # As many in each batch, and not a small rest in the last.
  math(EXPR batches "(${together} + ${SINEW_UNITY_FILES} - 1) / ${SINEW_UNITY_FILES}")
  math(EXPR files "(${together} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  # A local name may well be that of a constant in another file, and sources are read as if they were headers.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
