# Levin::torch is any LibTorch as one target with torch_cpu and c10 only. CUDA, if the LibTorch has it, is loaded at run time.
# LibTorch is searched for in LEVIN_TORCH (a folder with include/ and lib/, or one that contains such a folder as torch/), else
# by CMAKE_PREFIX_PATH, else in the system.
# Sets LEVIN_TORCH_VERSION (major.minor), LEVIN_TORCH_LIB_DIR and, if the loader does not search there, LEVIN_TORCH_RPATH.
include_guard(GLOBAL)

# What was found is searched for again only if the folders to search have changed. The environment's CMAKE_PREFIX_PATH is
# remembered, so that a shell without it, such as one that only builds, changes nothing.
set(_levin_environment "$ENV{CMAKE_PREFIX_PATH}")
if(NOT _levin_environment)
  set(_levin_environment "${LEVIN_TORCH_ENVIRONMENT}")
endif()
set(LEVIN_TORCH_ENVIRONMENT "${_levin_environment}" CACHE INTERNAL "the environment's CMAKE_PREFIX_PATH that was looked into")
set(_levin_sought "${LEVIN_TORCH}")
if(NOT LEVIN_TORCH)
  set(_levin_sought "${CMAKE_PREFIX_PATH}|${_levin_environment}")
endif()
if(DEFINED LEVIN_TORCH_FOUND_FOR AND NOT "${_levin_sought}" STREQUAL "${LEVIN_TORCH_FOUND_FOR}")
  unset(LEVIN_TORCH_INCLUDE CACHE)
  unset(LEVIN_TORCH_CPU CACHE)
  unset(LEVIN_TORCH_C10 CACHE)
endif()
set(LEVIN_TORCH_FOUND_FOR "${_levin_sought}" CACHE INTERNAL "the folders that were looked into")
set(_levin_hint "")
if(LEVIN_TORCH)
  set(_levin_hint HINTS ${LEVIN_TORCH} NO_DEFAULT_PATH)
endif()
find_path(LEVIN_TORCH_INCLUDE ATen/ATen.h ${_levin_hint} PATH_SUFFIXES include torch/include)
find_library(LEVIN_TORCH_CPU NAMES torch_cpu ${_levin_hint} PATH_SUFFIXES lib torch/lib)
find_library(LEVIN_TORCH_C10 NAMES c10 ${_levin_hint} PATH_SUFFIXES lib torch/lib)
if(NOT LEVIN_TORCH_INCLUDE OR NOT LEVIN_TORCH_CPU OR NOT LEVIN_TORCH_C10)
  set(_levin_where "in the system")
  if(LEVIN_TORCH)
    set(_levin_where "in ${LEVIN_TORCH}")
  endif()
  message(FATAL_ERROR "no LibTorch ${_levin_where}: install Debian's libtorch-dev, or give the folder of a wheel or zip "
    "(it has include/ATen and lib/libtorch_cpu.so): -DLEVIN_TORCH=.../site-packages/torch")
endif()
get_filename_component(LEVIN_TORCH_LIB_DIR ${LEVIN_TORCH_CPU} DIRECTORY)

set(_levin_version_h ${LEVIN_TORCH_INCLUDE}/torch/csrc/api/include/torch/version.h)
if(EXISTS ${LEVIN_TORCH_INCLUDE}/torch/headeronly/version.h)
  set(_levin_version_h ${LEVIN_TORCH_INCLUDE}/torch/headeronly/version.h)
endif()
file(STRINGS ${_levin_version_h} _levin_v REGEX "define TORCH_VERSION_(MAJOR|MINOR) [0-9]+")
string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" LEVIN_TORCH_VERSION "${_levin_v}")
file(STRINGS ${LEVIN_TORCH_INCLUDE}/ATen/ATen.h _levin_std REGEX "#error .*C\\+\\+[0-9]+")
set(_levin_cxx 17)
if(_levin_std MATCHES "C\\+\\+20")
  set(_levin_cxx 20)
endif()

# A LibTorch with the old C++11 ABI mangles std::string as Ss. Its library may still export std::__cxx11 symbols of a
# libstdc++ that is linked into it, so only c10's own functions are checked.
find_program(LEVIN_NM nm)
if(LEVIN_NM)
  execute_process(COMMAND ${LEVIN_NM} -D --defined-only ${LEVIN_TORCH_C10} OUTPUT_VARIABLE _levin_symbols ERROR_QUIET)
  if(_levin_symbols MATCHES "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs|_ZN3c105ErrorC1ENS_14SourceLocationESs")
    message(FATAL_ERROR "${LEVIN_TORCH_C10} (LibTorch ${LEVIN_TORCH_VERSION}) was built with the old C++11 ABI "
      "(_GLIBCXX_USE_CXX11_ABI=0), as pip's wheels before 2.6 or 2.7 were: what today's compilers make cannot be linked "
      "with it. Use a newer wheel, a 'cxx11-abi' zip, or Debian's libtorch-dev.")
  endif()
endif()

# A CUDA wheel's libtorch_cpu needs two small CUDA libraries; without them the linker says only "undefined reference".
find_program(LEVIN_LDD ldd)
if(LEVIN_LDD AND NOT CMAKE_CROSSCOMPILING)
  execute_process(COMMAND ${LEVIN_LDD} ${LEVIN_TORCH_CPU} OUTPUT_VARIABLE _levin_needed ERROR_QUIET)
  string(REGEX MATCHALL "[^ \t\n]+ => not found" _levin_missing "${_levin_needed}")
  if(_levin_missing)
    list(REMOVE_DUPLICATES _levin_missing)
    string(REPLACE " => not found" "" _levin_missing "${_levin_missing}")
    string(REPLACE ";" ", " _levin_missing "${_levin_missing}")
    message(FATAL_ERROR "${LEVIN_TORCH_CPU} needs ${_levin_missing}, not found. For libcudart and libcupti of a wheel: "
      "'pip install --no-deps nvidia-cuda-runtime nvidia-cuda-cupti' of the version that torch asks for, into the same folder.")
  endif()
endif()

add_library(levin_torch INTERFACE)
add_library(Levin::torch ALIAS levin_torch)
target_include_directories(levin_torch SYSTEM INTERFACE ${LEVIN_TORCH_INCLUDE} ${LEVIN_TORCH_INCLUDE}/torch/csrc/api/include)
target_compile_features(levin_torch INTERFACE cxx_std_${_levin_cxx})
if(_levin_cxx GREATER 17 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlaps and overflows in C++20's std::string that do not exist (its bugs 105329 and 105651).
  target_compile_options(levin_torch INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
target_compile_definitions(levin_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
target_link_libraries(levin_torch INTERFACE ${LEVIN_TORCH_CPU} ${LEVIN_TORCH_C10})
if(NOT LEVIN_TORCH_LIB_DIR MATCHES "^/usr/lib")
  set(LEVIN_TORCH_RPATH ${LEVIN_TORCH_LIB_DIR})
endif()
message(STATUS "LibTorch ${LEVIN_TORCH_VERSION} in ${LEVIN_TORCH_LIB_DIR} (C++${_levin_cxx})")
if(LEVIN_BUILT_FOR_TORCH AND NOT LEVIN_BUILT_FOR_TORCH STREQUAL LEVIN_TORCH_VERSION)
  message(WARNING "this Levin runs with LibTorch ${LEVIN_BUILT_FOR_TORCH} and will refuse plugins built for "
    "${LEVIN_TORCH_VERSION}; give its LibTorch by -DLEVIN_TORCH=FOLDER")
endif()
