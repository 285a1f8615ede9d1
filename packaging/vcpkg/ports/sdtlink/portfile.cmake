# SPDX-License-Identifier: BSD-2-Clause
# An overlay port: vcpkg install sdtlink --overlay-ports=packaging/vcpkg/ports
# It builds the tree that it is in. For another one, fetch that by vcpkg_from_git() instead.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options
  FEATURES
    tools SDT_BUILD_TOOLS
    tools SDT_BUILD_SDT)
if("tools" IN_LIST FEATURES)
  message(STATUS "sdtlink[tools] needs what the system has: "
                 "apt-get install bison libelf-dev libncurses-dev pkg-config")
endif()

# One build: libsdt is the same for programs that are debugged.
set(VCPKG_BUILD_TYPE release)
# sdtlink finds its other parts relative to itself, so it stays in bin/.
set(VCPKG_POLICY_ALLOW_EXES_IN_BIN enabled)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DBUILD_TESTING=OFF ${feature_options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sdtlink)
vcpkg_fixup_pkgconfig()

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
