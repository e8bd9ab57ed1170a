# levin_warnings(target) sets the warnings that every target of the project is built with, the sanitizers of LEVIN_SANITIZE,
# and the option that lets ccache cache files that use a precompiled header. -Wdangling-reference is off, because GCC 14
# takes any reference returned by a function with temporary arguments for a dangling one.
function(levin_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
    $<$<BOOL:${LEVIN_WERROR}>:-Werror> "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;-Wno-dangling-reference>")
  if(LEVIN_SANITIZE)
    # -Wmaybe-uninitialized is wrong about code that GCC 12 has instrumented.
    target_compile_options(${target} PRIVATE -fsanitize=${LEVIN_SANITIZE} -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PRIVATE -fsanitize=${LEVIN_SANITIZE})
  endif()
endfunction()
