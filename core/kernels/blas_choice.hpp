// Makes OpenBLAS run the fastest kernels that the processor can.
#pragma once

namespace levin::core {

// If OpenBLAS runs slower kernels than the processor could (see core/kernels/blas), sets OPENBLAS_CORETYPE and executes
// this program again with the same arguments. Without a verdict, and with may_try, a child process first multiplies
// with the faster kernels, and the verdict is kept: kernels that crash, compute wrong products or are not faster are
// not used. A process of a run of several never tries, because all of them have to run the same kernels. Leaves the
// user's own OPENBLAS_CORETYPE. Throws nothing. Call it first in main(), before threads and files that execv() would
// lose.
void choose_blas_kernels(bool may_try);

}  // namespace levin::core
