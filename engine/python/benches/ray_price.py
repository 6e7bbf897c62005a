"""The price of Ray: the same arena by threads, by processes and by Ray.

    python engine/python/benches/ray_price.py

Each row plays the same blocks on the same number of cores. `start` is the time until a pool or a cluster can take
work; `run` is the time of the experiment, with loading the game in every process.
"""

import argparse
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

import motherlode as ml
from motherlode import lab
from motherlode import ray as cluster
from motherlode.ray import _play_pieces, _Shipped


def by_processes(pool: ProcessPoolExecutor, order: lab.Order, unit: int) -> ml.Result:
    """The tasks of `motherlode.ray` by a pool of processes."""
    run, shipped = order.begin(rows=False, threads=1), _Shipped(order)
    for first, end in run.stages:
        key = (str(time.monotonic()), first)
        units = [(start, min(start + unit, end)) for start in range(first, end, unit)]
        tasks = [pool.submit(_play_pieces, key, shipped, [], *one) for one in units]
        for task in tasks:
            run.add(task.result())
    return order.end(run, rows=False, measured=False)


def show(name: str, start: float, run: float) -> None:
    """Print a row, in seconds."""
    print(f"{name:16} {start:7.2f}s {run:7.2f}s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="photon")
    parser.add_argument("--bots", default="flat:30,random")
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--unit", type=int, default=10)
    parser.add_argument("--cores", type=int, default=2)
    args = parser.parse_args()
    order = lab.arena_order(args.game, args.bots, args.blocks, 1, None)
    print(f"{args.game}, {args.bots}, {args.blocks} blocks in tasks of {args.unit}, {args.cores} cores")
    print(f"{'':16} {'start':>8} {'run':>8}")

    begin = time.perf_counter()
    expected = lab.perform(order, False, args.cores, False).to_json(measurements=False)
    show("threads", 0.0, time.perf_counter() - begin)

    begin = time.perf_counter()
    with ProcessPoolExecutor(args.cores, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(abs, range(args.cores)))
        started = time.perf_counter()
        assert by_processes(pool, order, args.unit).to_json(measurements=False) == expected
        show("processes", started - begin, time.perf_counter() - started)

    import ray

    begin = time.perf_counter()
    ray.init(num_cpus=args.cores, include_dashboard=False, logging_level="warning", log_to_driver=False)
    started = time.perf_counter()
    for name in ("Ray, first run", "Ray, second run"):
        start = time.perf_counter()
        result = cluster._perform(order, False, None, args.unit, False)
        assert result.to_json(measurements=False) == expected
        show(name, started - begin if name.endswith("first run") else 0.0, time.perf_counter() - start)
    ray.shutdown()


if __name__ == "__main__":
    main()
