# sinew_module(NAME [APART] [FOLDER folder] [WITHOUT regex] [USES modules...] [LINKS public libraries...]
#   [PRIVATE_LINKS libraries...])
#
# One folder of src/sinew is one static library `sinew_NAME`, one alias `sinew::NAME` and one namespace.
# USES is the whole truth about which modules it may include: the build links them, the installed package
# exports them, and tests/conventions checks every #include against the table this function records.
# The top folder of a module holds its public headers; only these are installed. What stands APART from the
# library (methods kept for comparison, samples, figures) is neither installed nor part of sinew::sinew.
# FOLDER: where it is, when not in the folder of its name. WITHOUT: files of the folder that belong to another target.
define_property(GLOBAL PROPERTY SINEW_MODULES BRIEF_DOCS "Modules" FULL_DOCS "All modules of the library in order")
define_property(GLOBAL PROPERTY SINEW_MODULE_TABLE BRIEF_DOCS "Module table" FULL_DOCS "Lines: module: used modules")

# Which component of find_package(sinew COMPONENTS ...) a module belongs to: the first that lists it.
set(SINEW_COMPONENTS runtime solid io rig motion collide fit render pipeline)
set(SINEW_COMPONENT_runtime base math geometry model deform)
set(SINEW_COMPONENT_solid geometry_queries)
set(SINEW_COMPONENT_io io)
set(SINEW_COMPONENT_rig articulated rig)
set(SINEW_COMPONENT_motion motion gait)
set(SINEW_COMPONENT_collide collide)
set(SINEW_COMPONENT_fit fit)
set(SINEW_COMPONENT_render render)
set(SINEW_COMPONENT_pipeline pipeline)

function(sinew_install_library name)
  foreach(component ${SINEW_COMPONENTS})
    if(name IN_LIST SINEW_COMPONENT_${component})
      install(TARGETS sinew_${name} EXPORT sinew-${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "the module ${name} belongs to no component")
endfunction()

function(sinew_library name)
  cmake_parse_arguments(LIB "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(sinew_${name} STATIC ${LIB_SOURCES})
  add_library(sinew::${name} ALIAS sinew_${name})
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(sinew_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sinew_${name} PUBLIC cxx_std_20)
  target_link_libraries(sinew_${name} PUBLIC ${LIB_LINKS} PRIVATE ${LIB_PRIVATE_LINKS})
  sinew_unity(sinew_${name})
endfunction()

function(sinew_module name)
  cmake_parse_arguments(MODULE "APART" "FOLDER;WITHOUT" "USES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(NOT MODULE_FOLDER)
    set(MODULE_FOLDER ${name})
  endif()
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${MODULE_FOLDER})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
  if(MODULE_WITHOUT)
    list(FILTER sources EXCLUDE REGEX ${MODULE_WITHOUT})
    list(FILTER headers EXCLUDE REGEX ${MODULE_WITHOUT})
  endif()
  list(TRANSFORM MODULE_USES PREPEND sinew_ OUTPUT_VARIABLE used)
  sinew_library(${name} SOURCES ${sources} LINKS ${used} ${MODULE_LINKS} PRIVATE_LINKS ${MODULE_PRIVATE_LINKS})
  if(NOT MODULE_APART)
    sinew_install_library(${name})
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew/${name})
    set_property(GLOBAL APPEND PROPERTY SINEW_MODULES ${name})
  endif()
  list(JOIN MODULE_USES " " uses)
  set_property(GLOBAL APPEND PROPERTY SINEW_MODULE_TABLE "${name}: ${uses}")
endfunction()
