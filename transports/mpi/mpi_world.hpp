// MPI in this process: started by the first group, finalized by the last one.
#pragma once
#include <mpi.h>

#include <mutex>
#include <vector>

namespace levin::core {

// Throws std::runtime_error with MPI's error text unless the code is MPI_SUCCESS.
void check_mpi(int code, const char* call);

// The lock to hold around each MPI call: MPI may be called by one thread at a time.
std::mutex& mpi_calls();

// A communicator of some of the processes that mpirun has started. Collective among them.
class MpiCommunicator {
 public:
  // ranks: global ranks of the members. Throws std::runtime_error if mpirun did not start the run's processes.
  MpiCommunicator(const std::vector<int>& ranks, int rank);
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

}  // namespace levin::core
