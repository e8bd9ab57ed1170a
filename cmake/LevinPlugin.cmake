# levin_add_plugin(name SOURCES file... [TORCH] [LIBRARIES lib...])
#   Makes lib<name>.so, in which only the entry is visible. After linking, the plugin is described once and the description
#   is embedded as an ELF section. The folder of the project is embedded too if it is in a Git repository: runs record the
#   state of that folder. Levin's own plugins name none: runs record their versions. With TORCH the sources use LibTorch, which is searched for when it is first needed
#   (LevinTorch.cmake). Needs Levin::sdk and the imported or built program Levin::host.
#   LEVIN_PLUGIN_DIR, if set, is where the libraries are built. LEVIN_PLUGIN_INSTALL is OFF for plugins that are not
#   installed.
find_program(LEVIN_OBJCOPY objcopy REQUIRED)

function(levin_sources_of_plugin arguments)
  set(${arguments} --sources ${PROJECT_SOURCE_DIR} PARENT_SCOPE)
  if(PROJECT_SOURCE_DIR STREQUAL "${Levin_SOURCE_DIR}")
    set(${arguments} "" PARENT_SCOPE)
  endif()
endfunction()

function(levin_add_plugin name)
  cmake_parse_arguments(arg "TORCH" "" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "levin_add_plugin(${name}): SOURCES is empty")
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY LEVIN_PLUGINS ${name})
  set_target_properties(${name} PROPERTIES PREFIX lib OUTPUT_NAME ${name}
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # The run path is the same before and after the installation: the plugin's own folder, and those of the libraries that it
  # links. One that CMake would have to change it fills up with empty entries, which mean the current folder.
  set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  if(LEVIN_PLUGIN_DIR)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${LEVIN_PLUGIN_DIR})
  endif()
  if(CMAKE_CXX_COMPILER_LOADED)
    target_compile_features(${name} PRIVATE cxx_std_17)
  endif()
  target_link_libraries(${name} PRIVATE Levin::sdk ${arg_LIBRARIES})
  if(arg_TORCH)
    include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/LevinTorch.cmake)
    target_link_libraries(${name} PRIVATE Levin::torch)
    target_compile_definitions(${name} PRIVATE LEVIN_WITH_TORCH)
  endif()
  target_link_options(${name} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/levin_plugin.map -Wl,-z,defs
    $<$<NOT:$<BOOL:${LEVIN_SANITIZE}>>:-Wl,--as-needed>)
  if(LEVIN_SANITIZE)
    set_property(TARGET ${name} PROPERTY LINK_OPTIONS -Wl,--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/levin_plugin.map)
  endif()
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/levin_plugin.map)
  if(COMMAND levin_warnings)
    levin_warnings(${name})
  endif()
  levin_sources_of_plugin(sources)
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND Levin::host embed-description $<TARGET_FILE:${name}> --objcopy ${LEVIN_OBJCOPY} ${sources}
    COMMENT "Describing lib${name}.so")
  if(NOT DEFINED LEVIN_PLUGIN_INSTALL OR LEVIN_PLUGIN_INSTALL)
    install(PROGRAMS $<TARGET_FILE:${name}> DESTINATION lib/levin/plugins)  # install(TARGETS) would change the run path
  endif()
endfunction()
