# levin_rooms(LIBRARY ROOM...): every source in these folders of the current one belongs to the library. Folders below them are
# rooms of their own.
function(levin_rooms library)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARGN APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  target_sources(${library} PRIVATE ${sources})
endfunction()
