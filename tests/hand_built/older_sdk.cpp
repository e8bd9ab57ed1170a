// What the headers of an SDK that did not hide itself led to.
#include "tests/bad_plugins/minimal.h"

namespace levin {
template <class T>
struct Shared {
  static inline int calls = 0;
};
}  // namespace levin

extern "C" int count_call() { return ++levin::Shared<int>::calls; }
