# An overlay port that builds the clone it lies in: vcpkg install levin --overlay-ports=packaging/vcpkg
# LibTorch and the other libraries are the system's (scripts/packages).
set(VCPKG_BUILD_TYPE release)
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)  # on x64-linux too: plugins are shared libraries
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DLEVIN_BUILD_TESTS=OFF -DCMAKE_UNITY_BUILD=ON)
vcpkg_cmake_install()
# Programs, plugins and the CMake package find each other by relative paths, so the installation stays as it is.
set(VCPKG_POLICY_ALLOW_EXES_IN_BIN enabled)
set(VCPKG_POLICY_SKIP_MISPLACED_CMAKE_FILES_CHECK enabled)
set(VCPKG_POLICY_SKIP_LIB_CMAKE_MERGE_CHECK enabled)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
