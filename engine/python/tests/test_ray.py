"""Experiments on Ray: equal to one machine's, whatever is lost on the way."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import motherlode as ml
import test_lab
from conftest import ROOT
from motherlode import lab
from motherlode._ship import ship_game
from motherlode.lab import Policy
from motherlode.ray import _play, _Shipped
from test_lab import PressCtrlC, RandomPolicy, first_policy

ray = pytest.importorskip("ray", reason="Ray is missing: pip install 'motherlode[ray]'")


@pytest.fixture(scope="module")
def embedded() -> Iterator[None]:
    """Ray on this machine."""
    ray.init(num_cpus=2, include_dashboard=False, logging_level="warning", log_to_driver=False)
    # Workers cannot import the modules of tests.
    for module in (test_lab, sys.modules[__name__]):
        ray.cloudpickle.register_pickle_by_value(module)
    yield
    ray.shutdown()


def equal(one: ml.Result, other: ml.Result) -> None:
    """Check that two results are equal, to the byte."""
    assert one.to_json(measurements=False) == other.to_json(measurements=False)
    if one.kind in ("compare", "effects"):
        assert one.text == other.text
    assert list(one.rows) == list(other.rows)
    assert all((one.rows[name] == other.rows[name]).all() for name in one.rows)


def test_simulations(embedded: None) -> None:
    arguments: dict[str, Any] = {"games": 103, "seed": 5, "rows": "decisions"}
    equal(ml.sim("photon", **arguments), ml.ray.sim("photon", unit=10, **arguments))


def test_arenas(embedded: None) -> None:
    bots = ["random", "first", "flat:20"]
    equal(ml.arena("krysis", bots, blocks=8, rows=True), ml.ray.arena("krysis", bots, blocks=8, rows=True))
    # A sequential test ends at the same block.
    until: dict[str, Any] = {"until": (0.5, 0.6), "blocks": 5000, "rows": True}
    one = ml.arena("photon", ["flat:20", "random"], **until)
    many = ml.ray.arena("photon", ["flat:20", "random"], unit=7, **until)
    assert one["blocks"] < 5000
    equal(one, many)


def test_policies(embedded: None) -> None:
    bots: list[str | Policy] = [first_policy, RandomPolicy(), "random"]
    equal(ml.arena("photon", bots, blocks=9, rows=True), ml.ray.arena("photon", bots, blocks=9, unit=2, rows=True))


def test_comparisons(embedded: None) -> None:
    # The same game with other options.
    game, base = ml.load("photon"), ml.load("photon")
    equal(ml.compare(game, base, blocks=30, rows=True), ml.ray.compare(game, base, blocks=30, unit=4, rows=True))


def test_effects(embedded: None) -> None:
    arguments: dict[str, Any] = {"blocks": 24, "forks": 10, "after": "first", "rows": True}
    equal(ml.effects("krysis", "random", **arguments), ml.ray.effects("krysis", "random", unit=5, **arguments))


def test_files_travel_with_the_work(embedded: None, tmp_path: Path) -> None:
    value = ml.train("photon", players=[2], games=20, iterations=1, matches=4).save(tmp_path / "a.value")
    for room in ("content", "scripts"):
        shutil.copytree(ROOT / room / "photon", tmp_path / room / "photon")
    bots = [value, f"look:5+{value}", "random"]
    one = ml.arena(tmp_path, bots, blocks=6, rows=True)
    # A worker has neither the files nor their folder.
    order = lab.arena_order(tmp_path, bots, 6, 1, None)
    shipped = _Shipped(order)
    shutil.rmtree(tmp_path)
    with pytest.raises(ValueError, match="a.value"):
        ml.arena("photon", bots, blocks=2)
    run = shipped.begin()
    pieces, _ = ray.get(ray.remote(_play).remote(("files", 0), shipped, [], 0, 6))
    run.add(pieces)
    assert json.loads(run.report(measured=False)[0])["seats"] == one["seats"]


def test_edits_during_a_run_change_nothing(embedded: None, tmp_path: Path) -> None:
    for room in ("content", "scripts"):
        shutil.copytree(ROOT / room / "photon", tmp_path / room / "photon")
    file = tmp_path / "content" / "photon" / "game.toml"
    old = file.read_text()
    first = ml.load(tmp_path)
    edits: list[int] = []

    def edit(done: int, total: int) -> None:
        """Edit the folder after each report, so that workers which read it would mix its versions."""
        edits.append(done)
        file.write_text(old.replace("start = 2 ", f"start = {3 + len(edits) % 5} "))

    arguments: dict[str, Any] = {"games": 400, "rows": "games"}
    many = ml.ray.sim(first, unit=20, progress=edit, **arguments)
    assert len(edits) > 1 and many["fingerprint"] == first.fingerprint
    equal(ml.sim(first, **arguments), many)
    # The same workers play the edited folder as it is when it is loaded.
    file.write_text(old.replace("start = 2 ", "start = 9 "))
    second = ml.load(tmp_path)
    file.write_text(old)
    assert second.fingerprint != first.fingerprint
    equal(ml.sim(second, **arguments), ml.ray.sim(second, unit=20, **arguments))
    equal(ml.compare(second, first, blocks=20, rows=True), ml.ray.compare(second, first, blocks=20, unit=3, rows=True))


def test_a_worker_with_other_content_raises() -> None:
    shipped = replace(ship_game(ml.load("photon")), fingerprint="0" * 64)
    with pytest.raises(ValueError, match="`photon` differs here: install the same version"):
        shipped.unpack()


INTERRUPTED = """
import sys
import motherlode as ml

def tell(done, total):
    if done:
        print("playing", flush=True)

try:
    ml.ray.sim("photon", games=10**8, unit=100, progress=tell)
except ml.Stopped as stopped:
    print(stopped.result.text)
"""


def test_ctrl_c_in_a_terminal_keeps_the_first_pieces() -> None:
    # A terminal sends the signal to all processes of the group, also to those of Ray.
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "playing\n":
                break
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 0
    result = json.loads(rest[rest.index("{") :])
    games = result["games"]
    assert result["stopped"] and 0 < games < 10**8
    assert ml.sim("photon", games=games)["seats"] == result["seats"]


def test_trainings(embedded: None) -> None:
    arguments: dict[str, Any] = {"players": [2], "games": 20, "iterations": 2, "matches": 8}
    one, many = ml.train("photon", **arguments), ml.ray.train("photon", unit=6, **arguments)
    assert one.value == many.value and one.text == many.text


def test_ctrl_c_keeps_the_first_pieces(embedded: None) -> None:
    with pytest.raises(ml.Stopped) as stopped:
        ml.ray.sim("photon", games=10**8, unit=200, progress=PressCtrlC(2000))
    result = stopped.value.result
    games = result["games"]
    assert result.stopped and 0 < games < 10**8
    whole = ml.sim("photon", games=games)
    assert whole["seats"] == result["seats"]


def test_ctrl_c_keeps_parts_of_long_tasks(embedded: None) -> None:
    timer = threading.Timer(4.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(ml.Stopped) as stopped:
        ml.ray.sim("photon", games=10**8, unit=10**7)
    result = stopped.value.result
    games = result["games"]
    assert 0 < games < 10**7
    # The tasks have ended: the next run need not wait for them.
    begin = time.monotonic()
    assert ml.ray.sim("photon", games=2)["games"] == 2
    assert time.monotonic() - begin < 10
    assert ml.sim("photon", games=games)["seats"] == result["seats"]


def test_a_killed_worker_costs_its_tasks_alone(embedded: None) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done and not killed:
            killed.append(ray.get(ray.remote(num_cpus=0)(worker_to_kill).remote()))

    many = ml.ray.arena("photon", ["flat:20", "random"], blocks=60, unit=2, rows=True, progress=kill)
    assert killed[0]
    equal(ml.arena("photon", ["flat:20", "random"], blocks=60, rows=True), many)


def worker_to_kill() -> int:
    """Kill a worker that plays. Returns its process."""
    import psutil

    own = psutil.Process()
    for process in psutil.process_iter():
        name = process.name()
        if name.startswith("ray::_play") and process.pid != own.pid:
            process.kill()
            return int(process.pid)
    return 0


def test_a_lost_node_costs_its_tasks_alone() -> None:
    from ray.cluster_utils import Cluster

    ray.shutdown()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
        ray.init(address=cluster.address, logging_level="warning", log_to_driver=False)
        assert len(ray.nodes()) == 3
        removed: list[int] = []

        def remove(done: int, total: int) -> None:
            if done > total // 4 and not removed:
                removed.append(done)
                cluster.remove_node(nodes[0], allow_graceful=False)

        bots = ["flat:60", "random"]
        many = ml.ray.arena("photon", bots, blocks=60, unit=1, rows=True, progress=remove, address=cluster.address)
        assert removed and removed[0] < 60
        equal(ml.arena("photon", bots, blocks=60, rows=True), many)
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_wrong_units_are_explained() -> None:
    wrong: Any
    for call in (lambda unit: ml.ray.sim("photon", unit=unit), lambda unit: ml.ray.train("photon", unit=unit)):
        for wrong in ("x", 1.5):
            with pytest.raises(TypeError, match="`unit` takes a whole number, not "):
                call(wrong)
        with pytest.raises(ValueError, match="`unit` is 0: use 1 or more"):
            call(0)
