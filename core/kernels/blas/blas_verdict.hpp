// The kernels of OpenBLAS that runs on this machine use, kept in the user's cache folder: they have to be chosen before
// LibTorch is loaded.
#pragma once
#include <optional>
#include <string>

#include "core/base/environment.hpp"

namespace levin::core {

// Chooses the kernels.
inline constexpr const char* blas_core_variable = "OPENBLAS_CORETYPE";
// Set beside it if the value is from a verdict and not from the user: the value and the library, separated by a space.
inline constexpr const char* chosen_core_variable = "LEVIN_BLAS_CORE";

struct BlasVerdict {
  std::string library;                // the file of OpenBLAS
  std::string own_core;               // the core that OpenBLAS chooses by itself
  std::string core;                   // the value of OPENBLAS_CORETYPE for runs; "" = the choice of OpenBLAS stays
  std::string problem;                // why a core that the processor could run is not used; "" = none
  double own_gflops = 0, gflops = 0;  // of a float matrix product in one thread, with own_core and with core
};

// Returns the verdict for a program that is linked to OpenBLAS; nullopt if there is none, or if the processor, the
// library's file or the format has changed since. program: the path of the executable.
std::optional<BlasVerdict> read_blas_verdict(const std::string& program);

// Returns false if there is no folder for verdicts that this user can write; a trial would be repeated at each start.
bool can_keep_blas_verdicts();
// A verdict that cannot be written is not an error: the next run tries again.
void keep_blas_verdict(const std::string& program, const BlasVerdict& verdict);

// Sets both variables for a program, as its verdict says; removes those of another verdict. The user's own
// OPENBLAS_CORETYPE stays.
void add_blas_variables(EnvironmentVariables& variables, const std::string& program);
void add_blas_variables(EnvironmentVariables& variables, const BlasVerdict& verdict);

}  // namespace levin::core
