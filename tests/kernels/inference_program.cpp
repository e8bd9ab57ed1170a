// Prints the chosen kernels and its arguments.
#include <cstdio>
#include <cstdlib>

#include <levin/inference.hpp>

int main(int count, char** arguments) {
  levin::choose_blas_kernels();
  const char* const core = std::getenv("OPENBLAS_CORETYPE");
  std::printf("OPENBLAS_CORETYPE=%s\n", core ? core : "");
  for (int i = 1; i < count; ++i) std::printf("%s\n", arguments[i]);
  std::printf("end\n");
}
