// Symbols as the headers of an SDK without hidden visibility produce them.
#include "tests/bad_plugins/minimal.h"

namespace levin {
template <class T>
struct Shared {
  static inline int calls = 0;
};
}  // namespace levin

extern "C" int count_call() { return ++levin::Shared<int>::calls; }
