# levin_add_rust_plugin(name SOURCE file.rs)
#   Makes lib<name>.so of a crate whose root is file.rs, described and installed as by levin_add_plugin(). The crate begins with
#   include!(env!("LEVIN_RS")): the ABI, which bindgen makes of levin/abi.h, and a few helpers (sdk/rust/levin.rs).
#   Needs rustc and bindgen (Debian has packages of these names); no cargo.
set(_levin_rust_dir ${CMAKE_CURRENT_LIST_DIR}/../sdk/rust)
if(NOT EXISTS ${_levin_rust_dir})  # installed: lib/cmake/Levin
  set(_levin_rust_dir ${CMAKE_CURRENT_LIST_DIR}/../../../share/levin/rust)
endif()
get_filename_component(LEVIN_RUST_DIR ${_levin_rust_dir} ABSOLUTE)

function(levin_add_rust_plugin name)
  cmake_parse_arguments(arg "" "SOURCE" "" ${ARGN})
  find_program(LEVIN_RUSTC rustc)
  find_program(LEVIN_BINDGEN bindgen)
  if(NOT LEVIN_RUSTC OR NOT LEVIN_BINDGEN)
    message(FATAL_ERROR "levin_add_rust_plugin(${name}) needs rustc and bindgen: apt install rustc bindgen")
  endif()
  get_filename_component(source ${arg_SOURCE} ABSOLUTE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(LEVIN_PLUGIN_DIR)
    set(folder ${LEVIN_PLUGIN_DIR})
  endif()
  set(file ${folder}/lib${name}.so)
  set(work ${CMAKE_CURRENT_BINARY_DIR}/${name}_rust)
  file(WRITE ${work}/abi.h "#include <levin/abi.h>\n")
  add_custom_command(OUTPUT ${work}/abi.rs VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${LEVIN_BINDGEN} ${work}/abi.h --output ${work}/abi.rs --allowlist-file .*levin/abi\\.h
      --blocklist-function levin_plugin_v0 --with-derive-default --no-layout-tests
      -- "-I$<JOIN:$<TARGET_PROPERTY:Levin::sdk,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
    DEPENDS ${work}/abi.h COMMENT "Making Rust of levin/abi.h")
  levin_sources_of_plugin(sources)
  add_custom_command(OUTPUT ${file} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E env LEVIN_ABI_RS=${work}/abi.rs LEVIN_RS=${LEVIN_RUST_DIR}/levin.rs
      ${LEVIN_RUSTC} --edition 2021 --crate-type cdylib --crate-name levin_plugin_${name} -O -o ${file} ${source}
    COMMAND Levin::host embed-description ${file} --objcopy ${LEVIN_OBJCOPY} ${sources}
    DEPENDS ${source} ${work}/abi.rs ${LEVIN_RUST_DIR}/levin.rs COMMENT "Building lib${name}.so")
  add_custom_target(${name} ALL DEPENDS ${file})
  if(NOT DEFINED LEVIN_PLUGIN_INSTALL OR LEVIN_PLUGIN_INSTALL)
    install(PROGRAMS ${file} DESTINATION lib/levin/plugins)
  endif()
endfunction()
