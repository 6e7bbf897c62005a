"""The price of Ray: the same arena by threads, by processes of `lode` and of Python, and by Ray.

    python engine/python/benches/ray_price.py --lode target/release/lode

Each row plays the same blocks on the same number of cores, and its report is compared with that of the threads. `start`
is the time until a pool or a cluster can take work; `run` is the time of the experiment, with loading the game in every
process. `processor` is the time that all processes of the row spend on cores during the run, in seconds, those of Ray
itself included. Without --lode, its rows are left out.
"""

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import motherlode as ml
from motherlode import lab
from motherlode import ray as cluster
from motherlode.ray import _begin, _Shipped


def spent() -> float:
    """Processor seconds of this process, of its children that have ended, and of those that run. Reads /proc."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    parents, ticks = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(file.parent.name)
        parents[process], ticks[process] = int(fields[1]), int(fields[11]) + int(fields[12])
    for process in ticks:
        above = parents.get(process)
        while above is not None and above != os.getpid():
            above = parents.get(above)
        if above is not None:
            total += ticks[process] / os.sysconf("SC_CLK_TCK")
    return total


def show(name: str, start: float, work: Callable[[], Any]) -> Any:
    """Do work and print a row, in seconds."""
    begin, before = time.perf_counter(), spent()
    done = work()
    run = time.perf_counter() - begin
    print(f"{name:22} {start:8.2f} {run:8.2f} {spent() - before:10.2f}", flush=True)
    return done


def play_unit(key: tuple[str, int], shipped: _Shipped, first: int, end: int) -> list[str]:
    """Play pieces in a process."""
    return _begin(key, shipped, []).play(first, end)


def by_processes(pool: ProcessPoolExecutor, order: lab.Order, unit: int) -> ml.Result:
    """The tasks of `motherlode.ray` by a pool of processes."""
    run, shipped = order.begin(rows=False, threads=1), _Shipped(order)
    for first, end in run.stages:
        key = (str(time.monotonic()), first)
        units = [(start, min(start + unit, end)) for start in range(first, end, unit)]
        tasks = [pool.submit(play_unit, key, shipped, *one) for one in units]
        for task in tasks:
            run.add(task.result())
    return order.end(run, rows=False, measured=False)


def by_lode(command: list[str], shares: int, threads: int) -> dict[str, Any]:
    """The run of the command in `shares` processes, merged if there are several."""
    lode, *arguments = command
    with tempfile.TemporaryDirectory() as folder:
        if shares == 1:
            arguments += ["--threads", str(threads), "--format", "json"]
            return dict(json.loads(subprocess.run([lode, *arguments], check=True, stdout=subprocess.PIPE).stdout))
        out = str(Path(folder) / "run")
        parts = [
            [lode, *arguments, "--threads", str(threads), "--shard", f"{share}/{shares}", "--out", out]
            for share in range(1, shares + 1)
        ]
        running = [subprocess.Popen(part, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for part in parts]
        assert not any([one.wait() for one in running])
        merge = [lode, "merge", out, "--format", "json"]
        return dict(json.loads(subprocess.run(merge, check=True, stdout=subprocess.PIPE).stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="photon")
    parser.add_argument("--bots", default="flat:5,random")
    parser.add_argument("--blocks", type=int, default=1500)
    parser.add_argument("--unit", type=int, default=25)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--lode", type=Path, help="the program `lode`")
    args = parser.parse_args()
    order = lab.arena_order(args.game, args.bots, args.blocks, 1, None)
    print(f"{args.game}, {args.bots}, {args.blocks} blocks in tasks of {args.unit}, {args.cores} cores")
    print(f"{'':22} {'start':>8} {'run':>8} {'processor':>10}")

    result = show("threads", 0.0, lambda: lab.perform(order, False, args.cores, False))
    expected = result.to_json(measurements=False)
    if args.lode:
        command = [str(args.lode), "arena", args.game, "--bots", args.bots, "--blocks", str(args.blocks)]
        one = show("lode", 0.0, lambda: by_lode(command, 1, args.cores))
        many = show(f"{args.cores} shares of lode", 0.0, lambda: by_lode(command, args.cores, 1))
        assert one["seats"] == many["seats"] == result["seats"]

    begin = time.perf_counter()
    with ProcessPoolExecutor(args.cores, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(abs, range(args.cores)))
        start = time.perf_counter() - begin
        result = show("processes of Python", start, lambda: by_processes(pool, order, args.unit))
        assert result.to_json(measurements=False) == expected

    import ray

    begin = time.perf_counter()
    ray.init(num_cpus=args.cores, include_dashboard=False, logging_level="warning", log_to_driver=False)
    start = time.perf_counter() - begin
    for name in ("Ray, first run", "Ray, second run"):
        result = show(name, start, lambda: cluster._perform(order, False, None, args.unit, False))
        assert result.to_json(measurements=False) == expected
        start = 0.0
    ray.shutdown()


if __name__ == "__main__":
    main()
