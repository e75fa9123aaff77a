# sinew_unity(TARGET)
#
# Most of what a compiler does for a file is to instantiate templates (Eigen, the standard library, GoogleTest, CLI11) that
# the next file instantiates again. So a clean build compiles the files of a target many at a time, in less than half the
# processor time. Under ccache it is off, as precompiled headers are: small files there are compiled once and for all, and
# such a build proves that each file stands by itself. Which files go together is decided by unity_groups.awk, so that
# names of unnamed namespaces never meet.
option(SINEW_UNITY "Compile the files of a target many at a time" ON)
set(SINEW_UNITY_FILES 48 CACHE STRING "How many files are compiled at a time")

function(sinew_unity target)
  if(NOT SINEW_UNITY OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(files)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    if(source MATCHES "\\.cpp$" AND EXISTS ${source})
      list(APPEND files ${source})
    endif()
  endforeach()
  list(LENGTH files count)
  if(count LESS 2)
    return()
  endif()
  # As many in each group, and not a small rest in the last.
  math(EXPR groups "(${count} + ${SINEW_UNITY_FILES} - 1) / ${SINEW_UNITY_FILES}")
  math(EXPR size "(${count} + ${groups} - 1) / ${groups}")
  execute_process(COMMAND awk -v size=${size} -f ${PROJECT_SOURCE_DIR}/cmake/unity_groups.awk ${files}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    if(CMAKE_MATCH_1 EQUAL 0)
      set_property(SOURCE ${CMAKE_MATCH_2} DIRECTORY ${folder} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_property(SOURCE ${CMAKE_MATCH_2} DIRECTORY ${folder} PROPERTY UNITY_GROUP "${target}_${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set_property(DIRECTORY ${folder} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A local name may well be that of a constant in another file, and sources are read as if they were headers.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
