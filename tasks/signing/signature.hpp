// The text of a signature, as it stands beside a library (FILE.so.sig) and travels with a job.
#pragma once
#include <string>

namespace levin::core::tasks {

struct Signature {
  std::string platform;  // the processor of the library, without spaces
  std::string sha256;    // of the library
  std::string bytes;     // 64 bytes, of statement()

  // What is signed.
  std::string statement() const;
  std::string text() const;
};

// Throws Error{plugin}, which says what is wrong with the text.
Signature read_signature(const std::string& text);

}  // namespace levin::core::tasks
