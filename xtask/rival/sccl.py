"""The satisfiability encoding of SCCL (Z. Cai et al., PPoPP 2021, section 3), stated for z3, one round a step.

Reads an instance from standard input, a line each: `steps S`, `nodes N`, `channel FROM TO BANDWIDTH`, `message FROM TO...`.
Prints `sat` and the sends (`send STEP MESSAGE FROM TO`), or `unsat`; last `seconds`, the processor time it took. Its argument
is the most processor seconds it may take.

For a message c and a node n, time(c, n) is the number of steps after which n has c; for a channel, send(c, n, m) says that c
crosses it. A node that comes to have a message gets it over exactly one channel; what is sent was there before; of all sends
of a channel at most its bandwidth arrive at the end of each step.
"""

import resource
import sys
import time as clock

import z3


def read(lines):
    steps, nodes, channels, messages = 0, 0, [], []
    for line in lines:
        word, *numbers = line.split()
        numbers = [int(n) for n in numbers]
        if word == "steps":
            (steps,) = numbers
        elif word == "nodes":
            (nodes,) = numbers
        elif word == "channel":
            channels.append(numbers)
        elif word == "message":
            messages.append((numbers[0], numbers[1:]))
        else:
            sys.exit(f"unknown line: {line}")
    return steps, nodes, channels, messages


def encode(steps, nodes, channels, messages):
    solver = z3.Solver()
    sources = [[a for a, b, _ in channels if b == n] for n in range(nodes)]
    time = [[z3.Int(f"time_{c}_{n}") for n in range(nodes)] for c in range(len(messages))]
    send = [{(a, b): z3.Bool(f"send_{c}_{a}_{b}") for a, b, _ in channels} for c in range(len(messages))]
    for c, (origin, destinations) in enumerate(messages):
        for n in range(nodes):
            if n == origin:
                solver.add(time[c][n] == 0)
                continue
            once = z3.PbEq([(send[c][a, n], 1) for a in sources[n]], 1)
            solver.add(z3.Implies(time[c][n] <= steps, once))
            if n in destinations:
                solver.add(time[c][n] <= steps)
        for a, b, _ in channels:
            solver.add(z3.Implies(send[c][a, b], time[c][a] < time[c][b]))
    for a, b, bandwidth in channels:
        for step in range(1, steps + 1):
            arrivals = [z3.And(send[c][a, b], time[c][b] == step) for c in range(len(messages))]
            solver.add(z3.PbLe([(arrival, 1) for arrival in arrivals], bandwidth))
    return solver, time, send


def main():
    limit = float(sys.argv[1])
    # Whole seconds only, so up to one more; then the process ends by a signal.
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
    steps, nodes, channels, messages = read(sys.stdin)
    solver, time, send = encode(steps, nodes, channels, messages)
    answer = solver.check()
    print(answer)
    if answer == z3.sat:
        tell(solver.model(), steps, messages, time, send)
    print("seconds", clock.process_time())


def tell(model, steps, messages, time, send):
    for c in range(len(messages)):
        for (a, b), crosses in send[c].items():
            step = model.eval(time[c][b], model_completion=True).as_long()
            # Sends that would arrive too late, or reach the origin, are free to be anything.
            if z3.is_true(model.eval(crosses)) and 1 <= step <= steps:
                print("send", step, c, a, b)


if __name__ == "__main__":
    main()
