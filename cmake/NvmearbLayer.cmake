# SPDX-License-Identifier: Apache-2.0
#
# nvmearb_layer(NAME name DIR dir SOURCES ... [LINKS ...] [FORBID systemc verilator ...])
#
# One library target per layer of the architecture, with an include path of its own: only headers of
# layers it links to can be included, as "name/header.h". The path is a folder in the build tree
# that holds one symbolic link, so that headers stay beside their sources. FORBID puts headers that
# refuse to compile in front of system-wide ones (SystemC, Verilator).
#
# nvmearb_test(NAME name SOURCES ... LINKS ...): a GoogleTest program run by ctest.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")

# Builds of their own: make sanitize, make fuzz. Verilated code stays as it is.
set(NVMEARB_SANITIZE "" CACHE STRING "sanitizers of all C++, as for -fsanitize=")
if(NVMEARB_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
  add_compile_options(-fsanitize=${NVMEARB_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  string(REPLACE "fuzzer-no-link" "" link "${NVMEARB_SANITIZE}")
  add_link_options(-fsanitize=${link})
endif()

# The build of `make coverage`: gcov's counters in models/ and host_driver/, Verilator's in the RTL.
option(NVMEARB_COVERAGE "count what is run" OFF)
if(NVMEARB_COVERAGE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g0")
  set(NVMEARB_CXX_COVERAGE --coverage -fprofile-update=single)  # nothing here has threads
  add_link_options(--coverage)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_package(fmt REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

set(NVMEARB_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Werror)
if(NVMEARB_SANITIZE)  # also by other compilers, whose warnings differ
  set(NVMEARB_WARNINGS)
endif()

# A build that knows what is run often (GCC): configure with "generate", build, run what it shall be
# good at, configure the same folder with "use", build again. `make fast` does that.
set(NVMEARB_PROFILE "" CACHE STRING "'generate' or 'use': the two steps of a profile-guided build")
if(NVMEARB_PROFILE)
  set(profile_generate -fprofile-generate=${CMAKE_BINARY_DIR}/profile -fprofile-update=single)
  set(profile_use -fprofile-use=${CMAKE_BINARY_DIR}/profile -fprofile-partial-training)
  if(NOT NVMEARB_PROFILE MATCHES "^(generate|use)$" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(FATAL_ERROR "NVMEARB_PROFILE=${NVMEARB_PROFILE}: 'generate' or 'use', with GCC")
  endif()
  set(NVMEARB_PROFILE_OPTIONS ${profile_${NVMEARB_PROFILE}})
  add_compile_options(${NVMEARB_PROFILE_OPTIONS})
  add_link_options(${NVMEARB_PROFILE_OPTIONS})
  set(NVMEARB_WARNINGS -w)  # other inlining, other guesses
  unset(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CCACHE_PROGRAM "")
endif()

function(nvmearb_layer)
  cmake_parse_arguments(ARG "" "NAME;DIR" "SOURCES;LINKS;FORBID" ${ARGN})
  set(include_root ${CMAKE_BINARY_DIR}/include/${ARG_NAME})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${ARG_DIR} ${include_root}/${ARG_NAME} SYMBOLIC)
  if(ARG_SOURCES)
    add_library(nvmearb_${ARG_NAME} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_compile_options(nvmearb_${ARG_NAME} PRIVATE ${NVMEARB_WARNINGS})
    foreach(what ${ARG_FORBID})
      target_include_directories(nvmearb_${ARG_NAME} BEFORE PRIVATE
        ${CMAKE_SOURCE_DIR}/cmake/forbidden/${what})
    endforeach()
  else()
    add_library(nvmearb_${ARG_NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(nvmearb_${ARG_NAME} ${scope} ${include_root})
  target_link_libraries(nvmearb_${ARG_NAME} ${scope} ${ARG_LINKS})
endfunction()

# Headers that nearly every test reads, compiled once: a fifth of the tests' compile time. Not with
# ccache, which keeps more than that and knows nothing of them; so a missing #include shows there.
if(CCACHE_PROGRAM OR NVMEARB_SANITIZE OR NVMEARB_PROFILE)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
set(NVMEARB_TEST_HEADERS <gtest/gtest.h> <fmt/format.h> <algorithm> <array> <cstdint> <functional>
  <map> <memory> <optional> <random> <string> <string_view> <vector>)
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cc "")
  add_library(nvmearb_test_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/test_headers.cc)
  target_precompile_headers(nvmearb_test_headers PRIVATE ${NVMEARB_TEST_HEADERS})
  target_compile_options(nvmearb_test_headers PRIVATE ${NVMEARB_WARNINGS})
  target_link_libraries(nvmearb_test_headers PRIVATE GTest::gtest fmt::fmt Threads::Threads)
endif()

function(nvmearb_test)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;LINKS" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_compile_options(${ARG_NAME} PRIVATE ${NVMEARB_WARNINGS})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gtest_main
    fmt::fmt Threads::Threads)
  if(TARGET nvmearb_test_headers)
    target_precompile_headers(${ARG_NAME} REUSE_FROM nvmearb_test_headers)
  endif()
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME})
endfunction()
