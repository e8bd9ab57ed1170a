// compare_runs A B: prints the difference between the folders of two runs that should be equal. Exit code 1 if they
// differ.
#include <iostream>

#include "tests/engine/run_rows.hpp"

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: compare_runs A B");
  const std::string rest = difference_of_runs(argv[1], argv[2]);
  std::cout << rest << (rest.empty() ? "" : "\n");
  return rest.empty() ? 0 : 1;
} catch (const std::exception& e) {
  std::cout << e.what() << "\n";
  return 1;
}
