# Levin::trainer (levin/trainer.hpp), with the LibTorch that it needs.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/LevinTorch.cmake")
get_filename_component(_levin_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(Levin::trainer SHARED IMPORTED GLOBAL)
set_target_properties(Levin::trainer PROPERTIES IMPORTED_LOCATION "${_levin_prefix}/lib/liblevin_trainer.so"
  INTERFACE_INCLUDE_DIRECTORIES "${_levin_prefix}/include" INTERFACE_LINK_LIBRARIES Levin::torch
  INTERFACE_COMPILE_DEFINITIONS LEVIN_WITH_TORCH INTERFACE_COMPILE_OPTIONS -fvisibility=hidden)
