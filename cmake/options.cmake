# Compiler settings shared by every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

option(SINEW_CCACHE "Compile through ccache where it is installed" ON)
find_program(CCACHE ccache)
if(SINEW_CCACHE AND CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Contraction is off so that results do not depend on the instruction set the compiler was given.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
if(SINEW_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives of these three inside Eigen and libstdc++ when it inlines deeply.
  add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
  # GCC looks for garbage from 128 MB on. With as much memory as a large file takes in the end, it looks once or twice.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:SHELL:--param> $<$<COMPILE_LANGUAGE:CXX>:ggc-min-heapsize=786432>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 uses std::get_temporary_buffer inside std::stable_sort.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  # An index past the end of a vector or a span may well lie in memory that is owned: the library checks it.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(SINEW_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
