# cmake --install: the host (its engine: host/engine), the plugins (levin_add_plugin), the default configuration to read, and
# an SDK that find_package(Levin) and pkg-config find, with examples and templates. Every path is relative to the prefix, so that an installation may be moved.
include(CMakePackageConfigHelpers)
set(_levin_package_dir lib/cmake/Levin)

install(TARGETS host EXPORT LevinTargets RUNTIME DESTINATION bin)
install(FILES ${PROJECT_SOURCE_DIR}/host/default.json DESTINATION share/levin)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/levin)
# Manual pages, which the host writes from its own tables and the descriptions of the plugins.
install(CODE "file(REMOVE_RECURSE ${PROJECT_BINARY_DIR}/man)
  execute_process(COMMAND $<TARGET_FILE:host> __man ${PROJECT_BINARY_DIR}/man COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION share/man)
# Completion scripts, where bash-completion, zsh and fish look for them.
install(FILES ${PROJECT_SOURCE_DIR}/host/complete/host.bash DESTINATION share/bash-completion/completions RENAME host)
install(FILES ${PROJECT_SOURCE_DIR}/host/complete/_host DESTINATION share/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/host/complete/host.fish DESTINATION share/fish/vendor_completions.d)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sdk/templates ${PROJECT_SOURCE_DIR}/sdk/rust DESTINATION share/levin USE_SOURCE_PERMISSIONS)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/levin USE_SOURCE_PERMISSIONS)
# What scripts/docs has made: the site, which links to the pages of the headers.
install(DIRECTORY ${PROJECT_BINARY_DIR}/site/ DESTINATION share/doc/levin/html OPTIONAL PATTERN api EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/api/html/ DESTINATION share/doc/levin/html/api OPTIONAL)
configure_file(${PROJECT_SOURCE_DIR}/cmake/levin.pc.in ${PROJECT_BINARY_DIR}/cmake/levin.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/levin_inference.pc.in ${PROJECT_BINARY_DIR}/cmake/levin_inference.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/levin_trainer.pc.in ${PROJECT_BINARY_DIR}/cmake/levin_trainer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/levin.pc ${PROJECT_BINARY_DIR}/cmake/levin_inference.pc
  ${PROJECT_BINARY_DIR}/cmake/levin_trainer.pc DESTINATION lib/pkgconfig)

install(EXPORT LevinTargets NAMESPACE Levin:: DESTINATION ${_levin_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/LevinConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/LevinConfig.cmake
  INSTALL_DESTINATION ${_levin_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/LevinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/LevinConfig.cmake ${PROJECT_BINARY_DIR}/cmake/LevinConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/LevinPlugin.cmake ${PROJECT_SOURCE_DIR}/cmake/LevinTorch.cmake ${PROJECT_SOURCE_DIR}/cmake/LevinInference.cmake
  ${PROJECT_SOURCE_DIR}/cmake/LevinTrainer.cmake
  ${PROJECT_SOURCE_DIR}/cmake/LevinRust.cmake ${PROJECT_SOURCE_DIR}/cmake/levin_plugin.map DESTINATION ${_levin_package_dir})
