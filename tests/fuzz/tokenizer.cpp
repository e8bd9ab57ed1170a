// A tokenizer.json and, behind a zero byte, a text for it.
#include "levin/error.hpp"
#include "plugins/common/utf8.hpp"
#include "plugins/text_data/bpe/tokenizer_file.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(tokenizer) {
  const std::string all = levin::fuzz::text_of(data, size);
  const size_t zero = all.find('\0');
  std::string text = zero == all.npos ? "some text" : all.substr(zero + 1);
  if (!common::is_utf8(text)) text = "not UTF-8";
  try {
    std::vector<int32_t> ids;
    text::parse_tokenizer(all.substr(0, zero), "tokenizer.json")->encode(text, ids);
  } catch (const levin::Error&) {
  }
}
