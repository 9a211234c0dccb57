# SPDX-License-Identifier: Apache-2.0
#
# cmake -DDIR=folder -P verilated_triggers.cmake: makes eval_nba() of a model of Verilator 5.006
# load its triggers once.
#
# Verilator 5.006 asks "did one of these clocks rise?" with a load and a test for each clock, before
# each of its functions, some of which may write to the triggers for all the compiler knows. With
# the triggers in one word it is one test against a mask. What does not look as expected is left as
# it is: it is right, too.
file(GLOB headers ${DIR}/*.h)
foreach(header ${headers})
  file(STRINGS ${header} triggers REGEX "VlTriggerVec<[0-9]+> +__VnbaTriggered")
  string(REGEX REPLACE ".*VlTriggerVec<([0-9]+)>.*" "\\1" count "${triggers}")
  if(triggers AND count GREATER 7)
    return()  # a netlist, whose clocks are many
  endif()
endforeach()
file(GLOB sources ${DIR}/*.cpp)
foreach(source ${sources})
  file(READ ${source} text)
  string(REGEX MATCH "\nvoid [A-Za-z0-9_]+___eval_nba\\([A-Za-z0-9_]+\\* vlSelf\\) {\n"
    head "${text}")
  if(NOT head)
    continue()
  endif()
  string(FIND "${text}" "${head}" start)
  string(SUBSTRING "${text}" ${start} -1 rest)
  string(FIND "${rest}" "\n}\n" length)
  string(SUBSTRING "${rest}" 0 ${length} body)
  string(REGEX REPLACE "\n    if \\((\\(*vlSelf->__VnbaTriggered)" "\n    if (triggers & \\1"
    new_body "${body}")
  string(REGEX REPLACE "vlSelf->__VnbaTriggered\\.at\\(([0-7])U\\)" "(1U << \\1)"
    new_body "${new_body}")
  if(new_body MATCHES "__VnbaTriggered")
    continue()
  endif()
  string(REPLACE "${head}" "${head}    // Up to seven bools, one a byte, side by side in seven bits.
    static_assert(sizeof(vlSelf->__VnbaTriggered) <= 7);
    uint64_t bools = 0;
    memcpy(&bools, &vlSelf->__VnbaTriggered, sizeof(vlSelf->__VnbaTriggered));
    const unsigned triggers = static_cast<unsigned>((bools * 0x0102040810204000ULL) >> 56);
" new_body "${new_body}")
  string(REPLACE "${body}" "${new_body}" text "${text}")
  file(WRITE ${source} "${text}")
endforeach()
