// Writes files of one folder as a tar archive (ustar). The same members give the same bytes.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

class TarFile {
 public:
  void add(const std::string& name, const std::string& bytes) {
    char head[512] = {};
    std::snprintf(head, 100, "%s", name.c_str());
    std::memcpy(head + 100,
                "0000644\0"
                "0000000\0"
                "0000000",
                23);  // mode, user, group
    std::snprintf(head + 124, 12, "%011llo", static_cast<unsigned long long>(bytes.size()));
    std::memcpy(head + 136, "00000000000", 11);  // time
    std::memcpy(head + 148, "        0", 9);     // the checksum counts as spaces; a plain file
    std::memcpy(head + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    std::snprintf(head + 148, 8, "%06o", sum);
    bytes_.append(head, sizeof head);
    bytes_ += bytes;
    bytes_.append((512 - bytes.size() % 512) % 512, '\0');
  }
  std::string finished() && {
    bytes_.append(1024, '\0');
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};
