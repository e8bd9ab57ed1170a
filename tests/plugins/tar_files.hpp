// Tar archives for tests.
#pragma once
#include <cstdio>
#include <cstring>
#include <string>

class TarBytes {
 public:
  // type: '0' = file, '2' = symbolic link, 'x' = pax header, ... declared: the size in the header; -1 = that of the
  // body.
  TarBytes& add(const std::string& name, const std::string& body, char type = '0', long long declared = -1) {
    char header[512] = {};
    std::memcpy(header, name.data(), name.size() < 100 ? name.size() : 100);
    std::memcpy(header + 100, "0000644", 7);
    const long long size = declared < 0 ? static_cast<long long>(body.size()) : declared;
    std::snprintf(header + 124, 12, "%011llo", static_cast<unsigned long long>(size));
    std::memset(header + 148, ' ', 8);
    header[156] = type;
    std::memcpy(header + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    std::snprintf(header + 148, 8, "%06o", sum);
    bytes_.append(header, sizeof header);
    bytes_ += body;
    bytes_.append((512 - body.size() % 512) % 512, '\0');
    return *this;
  }
  std::string open() const { return bytes_; }  // without its end
  std::string bytes() const { return bytes_ + std::string(1024, '\0'); }

 private:
  std::string bytes_;
};
