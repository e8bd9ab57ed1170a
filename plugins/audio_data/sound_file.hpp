// Sound files, read by libsndfile: WAV, FLAC and others.
#pragma once
#include <sndfile.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace audio {

class SoundFile {
 public:
  // Throws levin::Error that begins with the path if it is no sound file that can be read, or has no samples.
  explicit SoundFile(const std::string& path);

  int64_t rate() const { return info_.samplerate; }
  int64_t samples() const { return info_.frames; }  // of each channel, by the header
  // Returns n samples from `begin`, the mean of the channels; zeros behind the end. Throws levin::Error if samples that
  // the header promises are missing.
  std::vector<float> read(int64_t begin, int64_t n);

 private:
  struct Close {
    void operator()(SNDFILE* file) const { sf_close(file); }
  };
  std::string path_;
  SF_INFO info_{};
  std::unique_ptr<SNDFILE, Close> file_;
};

// Returns ".wav, .flac, .ogg, .aif, .aiff, .au".
std::string sound_endings();
// Returns true for names that end with one of them, in any letter case.
bool has_sound_ending(const std::string& name);

}  // namespace audio
