"""bench/turns.hpp for Python: runs an epoch when it is told, and answers with its cost."""

import json, resource, time


def cost():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "wall": time.monotonic(), "cpu": time.process_time(), "user": usage.ru_utime, "system": usage.ru_stime,
        "faults": usage.ru_minflt, "preempted": usage.ru_nivcsw, "peak_mib": usage.ru_maxrss / 1024
    }


class Turns:
    def __init__(self, folder):
        self.go, self.answer, self.end = open(f"{folder}/go"), open(f"{folder}/done", "w"), cost()

    def wait(self):
        told = self.go.readline() != ""
        self.begin = time.monotonic()
        return told

    def done(self):
        now = cost()
        spent = {key: now[key] - self.end[key] for key in now}
        spent.update(wall=now["wall"] - self.begin, peak_mib=now["peak_mib"])
        self.end = now
        print(json.dumps(spent), file=self.answer, flush=True)
