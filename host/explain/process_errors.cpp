// Exit codes 7, 70 and those of signals: ranks, the host itself, and stopped runs.
#include "host/explain/error_rows.hpp"

namespace levin::core {

std::vector<ErrorRow> process_error_rows() {
  return {
      {ErrorCode::rank_lost, "Another rank is lost",
       "Another process of the run has died, was stopped for longer than the timeout, or its machine is not reached.",
       "Look for the first cause in the line of the launcher or the output of the lost rank. Then host resume RUN_DIR.",
       "lost rank 1 (host vm, pid 8686) in all_gather"},
      {ErrorCode::rank_missing, "A rank did not come to the rendezvous",
       "Not all ranks were started, they were given different addresses, or one was too late.",
       "Start all ranks with the same address, port and world size. --trainer.process_group_timeout waits longer.",
       "rank 1 did not come within 30 s (trainer.process_group_timeout)"},
      {ErrorCode::collective_failed, "Communication between the ranks failed",
       "A connection between two ranks broke during a collective operation, usually because a rank has ended.",
       "Look at the output of the other ranks for the first cause.",
       "all_reduce over the processes of the run failed: connection reset by peer"},
      {ErrorCode::deadlock, "The ranks are in a deadlock",
       "The ranks wait in different collectives, because a model or callback calls one on some ranks only.",
       "Call collectives on all ranks in the same order. The message names the call of each rank.",
       "deadlock: rank 0 waits in all_reduce (gradients); rank 1 waits in all_gather"},
      {ErrorCode::rendezvous_unreachable, "The address of the rendezvous cannot be reached",
       "The name of rank 0's machine is not known here, there is no way to it, or the rendezvous file is locked.",
       "Set MASTER_ADDR to an address that all machines reach, or name the network with --trainer.interface.",
       "the name 'node9' of the rendezvous cannot be resolved: Name or service not known"},
      {ErrorCode::rank_ended, "A rank was killed or ended without a report",
       "A signal ended a rank, often SIGKILL from the kernel because memory ran out, or the rank exited by itself. The "
       "exit code is 128 plus the signal, or the rank's own.",
       "Look for the kernel's message (dmesg) and the rank's last output. Then host resume RUN_DIR.",
       "rank 1 (host b, pid 4711) was killed by SIGKILL"},

      {ErrorCode::internal_error, "A defect of Levin", "The host met a state that it should not be able to reach.",
       "Report it with the command and the whole output.", "an internal error of the host: map::at"},
      {ErrorCode::crash, "The process crashed",
       "Code of a plugin or a library accessed memory that it does not own. The line names the plugin's call; the "
       "lines "
       "above it show the stack.",
       "--debug-plugins finds tensors that were released twice. See docs/debugging.md.",
       "crash: signal 11 (SIGSEGV) while plugin libnet.so was in net.training_step"},
      {ErrorCode::installation_incomplete, "A part of the installation is missing",
       "A program or file that belongs to Levin is not where the host looks, here or on another machine.",
       "Install Levin again, at the same path on each machine.",
       "cannot start the engine, which is a part of the installation"},
      {ErrorCode::system_call_failed, "The system refused a pipe, a process or memory",
       "Limits on processes, threads or open files are reached, or a system library failed.",
       "ulimit -a shows the limits. Close programs, or raise the limit.",
       "cannot start a process: Resource temporarily unavailable"},
      {ErrorCode::version_differs, "Another machine has another version of Levin",
       "The host and the agent on a machine of the run do not have the same version.",
       "Install the same version on each machine.",
       "node b: /usr/bin/host has another version there, 0.1; install the same version on every machine"},

      {ErrorCode::interrupted, "Stopped by a signal",
       "A second Ctrl-C, or a signal while a plugin's call hangs, ended the run at once, without saving. The exit code "
       "is 128 plus the signal. With levin::Trainer: a signal stopped the run, and the message names the saved state.",
       "host resume RUN_DIR resumes from the last checkpoint. One Ctrl-C alone finishes the batch and saves.",
       "interrupted twice: quits now without saving"},
  };
}

}  // namespace levin::core
