# Installation, find_package(sinew COMPONENTS ...) and the .deb. Public headers are installed by sinew_module.
include(CMakePackageConfigHelpers)
set(sinew_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
foreach(component ${SINEW_COMPONENTS})
  install(EXPORT sinew-${component} NAMESPACE sinew:: DESTINATION ${sinew_cmake_dir})
endforeach()
set(sinew_component_modules "")
foreach(component ${SINEW_COMPONENTS})
  list(JOIN SINEW_COMPONENT_${component} " " modules)
  string(APPEND sinew_component_modules "set(sinew_modules_${component} ${modules})\n")
endforeach()
string(REPLACE ";" " " SINEW_COMPONENTS "${SINEW_COMPONENTS}")
configure_package_config_file(cmake/sinew-config.cmake.in sinew-config.cmake INSTALL_DESTINATION ${sinew_cmake_dir})
write_basic_package_version_file(sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  DESTINATION ${sinew_cmake_dir})

# `cpack` in the build folder packs what is built: programs, library, Python module, Blender add-on, manual, completions.
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The Sinew authors <sinew@example.org>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, blender")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Finds skeletons and skin weights for meshes, moves captured motions onto them, deforms them without
collapsing joints, and writes glTF, FBX, VRM and web pages. A command line, a desktop studio, a C++ library and a Python
module.")
include(CPack)
