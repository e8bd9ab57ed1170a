# Levin::inference (levin/inference.hpp, levin/load_weights.hpp), with the LibTorch that it needs.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/LevinTorch.cmake")
get_filename_component(_levin_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(Levin::inference SHARED IMPORTED GLOBAL)
set_target_properties(Levin::inference PROPERTIES IMPORTED_LOCATION "${_levin_prefix}/lib/liblevin_inference.so"
  INTERFACE_INCLUDE_DIRECTORIES "${_levin_prefix}/include" INTERFACE_LINK_LIBRARIES Levin::torch)
