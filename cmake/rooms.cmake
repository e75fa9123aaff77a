# sinew_room(NAME [USES rooms...] [LINKS public libraries...] [PRIVATE_LINKS libraries...])
#
# One folder of src/sinew is one static library `sinew_NAME`, one alias `sinew::NAME` and one namespace.
# USES is the whole truth about which rooms it may include: the build links them, the installed package
# exports them, and tests/house checks every #include against the table this function records.
define_property(GLOBAL PROPERTY SINEW_ROOMS BRIEF_DOCS "Rooms" FULL_DOCS "All rooms in order")
define_property(GLOBAL PROPERTY SINEW_ROOM_TABLE BRIEF_DOCS "Room table" FULL_DOCS "Lines: room: used rooms")

function(sinew_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h")
  if(sources)
    add_library(sinew_${name} STATIC ${sources} ${headers})
    set(scope PUBLIC)
  else()
    add_library(sinew_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(sinew::${name} ALIAS sinew_${name})
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(sinew_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sinew_${name} ${scope} cxx_std_20)
  list(TRANSFORM ROOM_USES PREPEND sinew_ OUTPUT_VARIABLE used)
  target_link_libraries(sinew_${name} ${scope} ${used} ${ROOM_LINKS})
  if(ROOM_PRIVATE_LINKS AND sources)
    target_link_libraries(sinew_${name} PRIVATE ${ROOM_PRIVATE_LINKS})
  endif()
  install(TARGETS sinew_${name} EXPORT sinew-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY SINEW_ROOMS ${name})
  list(JOIN ROOM_USES " " uses)
  set_property(GLOBAL APPEND PROPERTY SINEW_ROOM_TABLE "${name}: ${uses}")
endfunction()
