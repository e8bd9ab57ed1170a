// Makes OpenBLAS run the fastest kernels that the processor can.
#pragma once

namespace levin::core {

// If OpenBLAS runs slower kernels than the processor could (see core/kernels/blas), sets OPENBLAS_CORETYPE and executes
// this program again with the same arguments. At the first time, a child process first multiplies with the faster
// kernels, and a verdict is kept: kernels that crash, compute wrong products or are not faster are not used. Leaves the
// user's own OPENBLAS_CORETYPE. Call it first in main(), before threads and files that execv() would lose.
void choose_blas_kernels();

}  // namespace levin::core
