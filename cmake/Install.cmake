# SPDX-License-Identifier: Apache-2.0
#
# What `make install` installs: the programs with scenarios, man page and completion; the libraries
# of all layers with their headers for find_package(nvmearb); the RTL with its file lists.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS nvmearb nvmearb-trace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/share/nvmearb.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/share/nvmearb.bash RENAME nvmearb
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY sim_configs rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/nvmearb)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(TARGETS nvmearb_arbiter nvmearb_ssd nvmearb_host_driver nvmearb_trace nvmearb_harness
    nvmearb_rtl nvmearb_verilated_runtime
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CMAKE_BINARY_DIR}/tb/harness/Vnvmearb_sim_rtl/Vnvmearb_sim_rtl__ALL.a
  RENAME libnvmearb_rtl_model.a DESTINATION ${CMAKE_INSTALL_LIBDIR})

foreach(layer models/nvme models/arbiter models/ssd host_driver)
  cmake_path(GET layer FILENAME name)
  install(DIRECTORY ${layer}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nvmearb/${name}
    FILES_MATCHING PATTERN "*.h"
    PATTERN testing EXCLUDE PATTERN testdata EXCLUDE PATTERN "*_testing.h" EXCLUDE)
endforeach()
install(FILES tb/harness/rtl_front_end.h tb/harness/trace_request.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nvmearb/harness)

set(NVMEARB_DATA ${CMAKE_INSTALL_DATADIR}/nvmearb)
set(NVMEARB_INCLUDE ${CMAKE_INSTALL_INCLUDEDIR}/nvmearb)
set(NVMEARB_LIBRARIES ${CMAKE_INSTALL_LIBDIR})
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/nvmearb)
configure_package_config_file(cmake/nvmearbConfig.cmake.in
  ${CMAKE_BINARY_DIR}/nvmearbConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS NVMEARB_DATA NVMEARB_INCLUDE NVMEARB_LIBRARIES)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/nvmearbConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/nvmearbConfig.cmake
  ${CMAKE_BINARY_DIR}/nvmearbConfigVersion.cmake DESTINATION ${package})
