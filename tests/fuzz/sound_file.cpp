// A sound file.
#include "plugins/audio_data/sound_file.hpp"
#include "levin/error.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(sound_file) {
  const levin::fuzz::MemoryFile file(std::string_view(reinterpret_cast<const char*>(data), size));
  for (const int64_t begin : {0, 100}) try {
      audio::SoundFile sound(file.path());
      sound.read(begin, 4000);
    } catch (const levin::Error&) {
    }
}
