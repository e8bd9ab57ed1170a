# A plain `cmake -B build` is what the presets are: optimized, several sources compiled as one unit, and what was compiled before
# taken from ccache. Whatever is given by an option or the environment stays.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON CACHE BOOL "compile several sources as one unit")
endif()
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16 CACHE STRING "how many sources one unit has at most")
find_program(LEVIN_CCACHE ccache)
foreach(language C CXX)
  if(LEVIN_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
    # What ccache needs to cache files that use a precompiled header, which it cannot be told by an option.
    set(CMAKE_${language}_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${LEVIN_CCACHE}
      CACHE STRING "what runs the compiler")
  endif()
endforeach()
if(CMAKE_GENERATOR STREQUAL "Unix Makefiles" AND NOT DEFINED ENV{CMAKE_BUILD_PARALLEL_LEVEL})
  message(STATUS "make compiles one file at a time: cmake --build FOLDER -j N, or configure with -G Ninja")
endif()
