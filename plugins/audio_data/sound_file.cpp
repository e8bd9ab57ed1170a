#include "sound_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "levin/error.hpp"

namespace audio {
namespace {

constexpr int most_channels = 64, most_rate = 1000000;

[[noreturn]] void refuse_sound(const std::string& path, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, path + " " + what);
}

// libsndfile reads a truncated WAV file as a shorter one. Throws levin::Error if the file ends before its data do.
void check_whole_wav(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  uint8_t chunk[12] = {};
  const auto read = [&](std::streamsize n) { return static_cast<bool>(in.read(reinterpret_cast<char*>(chunk), n)); };
  if (!read(12) || std::memcmp(chunk, "RIFF", 4) != 0 || std::memcmp(chunk + 8, "WAVE", 4) != 0) return;
  std::error_code error;
  const uint64_t all = std::filesystem::file_size(path, error);
  for (uint64_t at = 12; in.seekg(static_cast<std::streamoff>(at)) && read(8);) {
    const uint64_t size =
        uint64_t{chunk[4]} | uint64_t{chunk[5]} << 8 | uint64_t{chunk[6]} << 16 | uint64_t{chunk[7]} << 24;
    const bool known = size < 0x7ffff000;  // programs that write to a pipe do not know the size
    if (std::memcmp(chunk, "data", 4) == 0) {
      if (known && size > all - at - 8)
        refuse_sound(path, "is truncated: it has " + std::to_string(all - at - 8) + " of " + std::to_string(size) +
                               " bytes of sound");
      return;
    }
    at += 8 + size + size % 2;
  }
}

constexpr const char* endings[] = {".wav", ".flac", ".ogg", ".aif", ".aiff", ".au"};

// Returns why libsndfile has not opened a file.
std::string reason() {
  const std::string text = sf_strerror(nullptr);
  return text.compare(0, 8, "Internal") == 0 ? "its header is damaged: the rate or the number of channels is impossible"
                                             : text;
}

}  // namespace

SoundFile::SoundFile(const std::string& path)
    : path_(path), file_([&] {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) refuse_sound(path, "is not a file");
        check_whole_wav(path);
        return sf_open(path.c_str(), SFM_READ, &info_);
      }()) {
  if (!file_) refuse_sound(path, "cannot be read as sound: " + reason());
  if (info_.samplerate > most_rate)
    refuse_sound(path, "has " + std::to_string(info_.samplerate) + " samples a second; up to 1000000 are read");
  if (info_.frames < 1 || info_.samplerate < 1) refuse_sound(path, "has no samples");
  if (info_.channels < 1 || info_.channels > most_channels)
    refuse_sound(path, "has " + std::to_string(info_.channels) + " channels; 1 to 64 are read");
}

std::vector<float> SoundFile::read(int64_t begin, int64_t n) {
  std::vector<float> out(static_cast<size_t>(n), 0.0f);
  const int64_t wanted = std::max<int64_t>(0, std::min(n, samples() - begin));
  if (begin > 0 && sf_seek(file_.get(), begin, SEEK_SET) != begin)
    refuse_sound(path_, "is damaged: no sample " + std::to_string(begin));
  const auto channels = static_cast<size_t>(info_.channels);
  std::vector<float> piece(4096 * channels);
  for (int64_t done = 0; done < wanted;) {
    const int64_t got = sf_readf_float(file_.get(), piece.data(), std::min<int64_t>(4096, wanted - done));
    if (got <= 0)
      refuse_sound(path_, "is truncated or damaged: it ends after " + std::to_string(begin + done) + " of " +
                              std::to_string(samples()) + " samples");
    for (int64_t i = 0; i < got; ++i) {
      float sum = 0;
      for (size_t c = 0; c < channels; ++c) sum += piece[static_cast<size_t>(i) * channels + c];
      if (!std::isfinite(sum))
        refuse_sound(path_, "has a sample that is NaN or infinite, " + std::to_string(begin + done + i));
      out[static_cast<size_t>(done + i)] = sum / static_cast<float>(channels);
    }
    done += got;
  }
  return out;
}

std::string sound_endings() {
  std::string text;
  for (const char* ending : endings) text += (text.empty() ? "" : ", ") + std::string(ending);
  return text;
}

bool has_sound_ending(const std::string& name) {
  std::string ending = std::filesystem::path(name).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const char* known : endings)
    if (ending == known) return true;
  return false;
}

}  // namespace audio
