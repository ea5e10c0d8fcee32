"""view.py MOTE SOURCE [TEST...]: `mote view` as clients meet it, good ones and bad ones. Whatever they do, the world
goes on to the same bits."""
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import BINARY, Refused, Socket, Viewer  # noqa: E402

MOTE, SOURCE = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
SCENE = """{ mote: 1, // sparks in a box
  params: { rate: 4000 },
  world: { fps: 50, max_step: 0.01, duration: 1000, seed: 3 },
  systems: [{ name: "sparks", look: { color: { by: "speed", map: "viridis", range: [0, 6], title: "speed (m/s)" } } }],
  emitters: [{ name: "jet", system: "sparks", from: { type: "disc", radius: 0.1 }, rate: "=rate", velocity: [0, 5, 0],
    spread: 0.4, lifetime: 2, radius: 0.01 }],
  forces: [{ name: "air", type: "drag", systems: ["sparks"], linear: 0.2 }],
  colliders: [{ name: "floor", shape: { type: "plane" } }],
  probes: [{ name: "all", type: "total", system: "sparks" }],
}
"""
tests = []


def test(function):
    tests.append(function)
    return function


def scene_file(folder, text=SCENE, name="sparks.json5"):
    path = Path(folder) / name
    path.write_text(text)
    return path


def hello(viewer, **more):
    link = Socket(viewer, **more)
    link.ask("hello")
    return link, link.wait("state")


def step_to(link, frame):
    """Single steps, so that the frame is the one that is wanted."""
    link.ask("play", on=False)
    state = link.wait("state", when=lambda s: not s["running"])
    while state["frame"] < frame:
        before = state["frame"]
        link.ask("step", number=1)
        state = link.wait("state", when=lambda s: s["frame"] > before)
    return state


def hash_at(link, frame):
    step_to(link, frame)
    link.ask("hash")
    found = link.wait("hash")
    assert found["frame"] == frame, found
    return found["hash"]


# ---- who gets in ----

@test
def only_the_whole_address_gets_in():
    with Viewer(MOTE, "demo", "--paused") as v:
        assert v.http()[0] == 200
        wrong = "0" * len(v.token)
        for path in ["/", f"/{wrong}/", f"/{v.token}", f"/{v.token[:-1]}/", f"/{wrong}/draw.js", "/favicon.ico"]:
            assert v.http(path)[0] == 403, path
        for path in ["nothing", "file/", "file/..%2fx", "file/none.png", "%2e%2e/"]:
            assert v.http(f"/{v.token}/{path}")[0] in (404, 403), path
        assert v.http(method="POST")[0] == 405 and v.http(method="DELETE")[0] == 405
        try:
            Socket(v, token=wrong)
            assert False, "a wrong token got a socket"
        except Refused as refused:
            assert refused.status == 403
        assert v.http(f"/{v.token}/socket")[0] == 400


@test
def other_hosts_and_origins_are_turned_away():
    with Viewer(MOTE, "demo", "--paused") as v:
        for host in ["evil.example", "evil.example:80", f"127.0.0.1.evil.example:{v.port}", "", "10.0.0.1:80", "127.0.0.1:x"]:
            assert v.http(headers={"Host": host})[0] in (400, 403), host
        for host in ["127.0.0.1:9000", "localhost:1234", "localhost", "LOCALHOST:80"]:  # a forwarded port
            assert v.http(headers={"Host": host})[0] == 200, host
            Socket(v, headers={"Host": host, "Origin": f"http://{host}"}).close()
        for origin in ["http://evil.example", "https://127.0.0.1:%d" % v.port, "null", f"http://127.0.0.1:{v.port + 1}"]:
            try:
                Socket(v, headers={"Origin": origin})
                assert False, origin
            except Refused as refused:
                assert refused.status == 403
            assert v.http(headers={"Origin": origin})[0] == 403, origin
        Socket(v, headers={"Origin": None}).close()  # a program, not a page


@test
def the_page_is_complete_and_takes_nothing_from_elsewhere():
    with Viewer(MOTE, "demo", "--paused") as v:
        status, fields, body = v.http()
        policy = fields["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and fields["x-content-type-options"] == "nosniff"
        assert fields["referrer-policy"] == "no-referrer" and fields["cache-control"] == "no-store"
        files = sorted(p.name for p in (SOURCE / "view/page").iterdir())
        assert "index.html" in files and len(files) > 10
        for name in files:
            status, fields, body = v.http(f"/{v.token}/{name}")
            assert status == 200 and body == (SOURCE / "view/page" / name).read_bytes(), name
            for address in re.findall(rb"https?://[^\s'\"`)]*", body):
                assert address.startswith((b"http://www.w3.org/", b"http://${")), (name, address)


def open_files(pid):
    """What it has open, but for what it closes meanwhile."""
    links = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            links.add(os.readlink(link))
    return links


@test
def nothing_else_listens():
    with Viewer(MOTE, "demo", "--paused") as v:
        inodes = open_files(v.process.pid)
        found = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6", "/proc/net/udp", "/proc/net/udp6"]:
            for row in Path(table).read_text().splitlines()[1:] if os.path.exists(table) else []:
                parts = row.split()
                if f"socket:[{parts[9]}]" in inodes and (parts[3] == "0A" or "udp" in table):
                    found.append((table, parts[1]))
        assert found == [("/proc/net/tcp", "0100007F:%04X" % v.port)], found


@test
def binding_elsewhere_warns():
    with Viewer(MOTE, "demo", "--paused", "--bind", "127.0.0.1") as v:
        assert v.http()[0] == 200
        code, out, err = v.end()
        assert code == 0 and "warning" in err and "127.0.0.1" in err, err


# ---- what good clients do ----

@test
def a_scene_is_shown_and_steered():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        link, state = hello(v)
        assert (state["source"], state["name"], state["frame"], state["running"]) == ("scene", "sparks", 0, False)
        assert (state["planned"], state["fps"]) == (50000, 50)
        frame = link.wait("frame")
        assert frame["index"] == 0 and frame["systems"][0]["name"] == "sparks"
        assert frame["legends"][0]["title"] == "speed (m/s)" and frame["shapes"][0]["form"]["type"] == "plane"
        link.ask("step", number=1)
        assert link.wait("frame", when=lambda f: f["index"] == 1)["time"] == 0.02
        link.ask("speed", number=0)
        link.ask("play", on=True)
        link.wait("frame", when=lambda f: f["index"] > 30)
        link.ask("play", on=False)
        now = link.wait("state", when=lambda s: not s["running"])
        link.ask("seek", number=0)  # what was shown is kept
        link.wait("frame", when=lambda f: f["index"] == 0)
        link.ask("seek", number=1e9)
        link.wait("frame", when=lambda f: f["index"] == now["last"])
        link.ask("restart")
        link.wait("frame", when=lambda f: f["index"] == 0)
        assert link.wait("probes")["probes"][0]["name"] == "all"


@test
def sliders_come_from_the_tables_and_change_the_world():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        link, _ = hello(v)
        link.ask("hello")
        items = {i["key"]: i for g in link.wait("controls")["groups"] for i in g["items"]}
        air = items["forces.0.linear"]
        assert (air["unit"], air["live"], air["value"], air["given"]) == ("1/s", True, 0.2, True) and air["doc"], air
        assert items["rate"]["value"] == 4000 and not items["rate"]["live"]
        assert "emitters.0.rate" not in items  # an expression
        spread = items["emitters.0.spread"]
        assert spread["min"] == 0 and abs(spread["max"] - 3.1415927) < 1e-6 and spread["unit"] == "rad"
        step_to(link, 20)
        link.ask("set", key="forces.0.linear", text="30")  # at once: the world goes on
        state = link.wait("state")
        assert state["frame"] == 20
        braked = hash_at(link, 40)
        link.ask("restart")  # and from the start with it
        link.wait("state", when=lambda s: s["frame"] == 0)
        assert hash_at(link, 40) != braked
        link.ask("set", key="rate", text="100")  # a new start
        link.wait("state", when=lambda s: s["frame"] == 0)
        assert step_to(link, 20)["particles"] < 60
        link.ask("set", key="rate", text="nonsense(")
        assert "error" in link.wait("messages", when=lambda m: m.get("outcome") == "set")["text"]
        link.ask("unset")
        link.wait("state", when=lambda s: s["frame"] == 0)
        assert step_to(link, 20)["particles"] > 1000


@test
def a_particle_is_read():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        link, _ = hello(v)
        step_to(link, 30)
        link.ask("pick", key="sparks", number=0, place=[0, 0, 0])
        picked = link.wait("picked", when=lambda p: p["system"] == "sparks")
        columns = {c["name"]: c for c in picked["columns"]}
        assert picked["there"] and columns["id"]["values"] == [picked["id"]]
        assert len(columns["velocity"]["values"]) == 3 and columns["velocity"]["unit"] == "m/s"
        link.ask("step", number=1)  # and followed
        later = link.wait("picked", when=lambda p: p["there"] and p["columns"] != picked["columns"])
        assert later["id"] == picked["id"]
        link.ask("pick")
        assert link.wait("picked", when=lambda p: p["system"] == "")["there"] is False


@test
def two_clients_see_the_same():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        (one, _), (two, _) = hello(v), hello(v)
        one.ask("step", number=1)
        assert two.wait("frame", when=lambda f: f["index"] == 1)["systems"][0]["count"] > 0
        two.close()
        one.ask("step", number=1)
        one.wait("frame", when=lambda f: f["index"] == 2)


@test
def the_text_is_checked_and_saved_only_when_asked():
    with tempfile.TemporaryDirectory() as folder:
        path = scene_file(folder)
        with Viewer(MOTE, str(path), "--paused") as v:
            link, _ = hello(v)
            link.ask("hello")
            scene = link.wait("scene")
            assert scene["text"] == SCENE and scene["file"] and scene["editable"]
            link.ask("check", text=SCENE.replace("spread", "spraed"))
            wrong = link.wait("messages", when=lambda m: m.get("outcome") == "wrong")["text"]
            assert re.search(r"sparks\.json5:6:5: error: unknown key `spraed`", wrong) and "^~~~~~" in wrong and "`spread`" in wrong, wrong
            link.ask("check", text=SCENE)
            assert link.wait("messages", when=lambda m: m.get("outcome") == "right")["text"] == ""
            changed = SCENE.replace("rate: 4000", "rate: 10")
            link.ask("use", text=changed)
            link.wait("messages", when=lambda m: m.get("outcome") == "used")
            assert step_to(link, 30)["particles"] < 10
            assert path.read_text() == SCENE  # nobody asked for it
            os.chmod(path, 0o640)
            link.ask("save", text=changed)
            assert link.wait("scene")["outcome"] == "saved"
            assert path.read_text() == changed and path.stat().st_mode & 0o777 == 0o640
            path.write_text(SCENE + "// by somebody else\n")
            link.ask("save", text=changed + "// mine\n")
            assert "changed on the disk" in link.wait("note")["text"]
            assert path.read_text() == SCENE + "// by somebody else\n"
            assert sorted(os.listdir(folder)) == ["sparks.json5"]
            link.ask("reload")
            assert link.wait("scene")["text"].endswith("// by somebody else\n")
    with Viewer(MOTE, "demo", "--paused") as v:
        link, _ = hello(v)
        link.ask("save", text="{}")
        assert "no file" in link.wait("note")["text"]


@test
def a_scene_with_errors_is_shown_with_them():
    with tempfile.TemporaryDirectory() as folder:
        path = scene_file(folder, SCENE.replace("lifetime", "lifetme"))
        with Viewer(MOTE, str(path)) as v:
            link, state = hello(v)
            link.ask("hello")
            assert "lifetme" in link.wait("messages")["text"]
            link.ask("use", text=SCENE)
            link.wait("frame")


@test
def pictures_and_videos_are_the_renderers():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused", "--set", "render.width=320", "--set", "render.height=180") as v:
        link, _ = hello(v)
        step_to(link, 10)
        camera = {"from": [0, 1, 6], "to": [0, 1, 0], "up": [0, 1, 0], "fov": 40, "height": 0}
        link.ask("picture", camera=camera)
        name = link.wait("file")["name"]
        status, fields, body = v.http(f"/{v.token}/file/{name}")
        assert status == 200 and body[:8] == b"\x89PNG\r\n\x1a\n" and body[16:24] == b"\0\0\1\x40\0\0\0\xb4"
        assert "attachment" in fields["content-disposition"]
        link.ask("video", camera=camera)
        said = link.wait("state", when=lambda s: s["filming"] or s["frame"] > 30) if ffmpeg() else link.wait("note")
        if ffmpeg():
            link.wait("state", when=lambda s: s["frame"] >= 20)
            link.ask("video")
            clip = link.wait("file")["name"]
            status, fields, body = v.http(f"/{v.token}/file/{clip}")
            assert status == 200 and b"ftyp" in body[:16] and len(body) > 2000
        else:
            assert "ffmpeg" in said["text"]


def ffmpeg():
    return any(os.access(os.path.join(p, "ffmpeg"), os.X_OK) for p in os.environ["PATH"].split(":"))


@test
def a_run_is_shown_while_it_grows():
    with tempfile.TemporaryDirectory() as folder:
        path, out = scene_file(folder), os.path.join(folder, "out")
        command = [MOTE, "run", str(path), "-o", out, "--no-pictures", "-q", "--set", "world.duration=60"]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not os.path.exists(os.path.join(out, "frames", "frame_000003.npz")):
                assert run.poll() is None
                time.sleep(0.02)
            with Viewer(MOTE, out, "--paused") as v:
                link, state = hello(v)
                assert state["source"] == "run" and state["planned"] == 3000
                first = state["last"]
                deadline = time.monotonic() + 20
                while link.wait("state")["last"] <= first + 5 and time.monotonic() < deadline:
                    link.ask("seek", number=1e9)
                    time.sleep(0.3)
                link.ask("seek", number=2)
                assert link.wait("frame", when=lambda f: f["index"] == 2)["time"] == 0.04
                link.ask("hello")
                assert link.wait("controls")["groups"] == []
        finally:
            run.kill()
            run.wait()
        with Viewer(MOTE, out) as v:  # and what a killed run has left
            link, state = hello(v)
            link.wait("frame")


# ---- what bad clients do ----

@test
def what_is_no_request_ends_the_connection():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        good, _ = hello(v)
        bad = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"do": "explode"}', b'{"do": 3}', b'{"do": "set"}', b'{"do": "seek", "number": "x"}',
               b'{"do": "picture", "camera": {"from": [1, 2]}}', b'{"do": "seek", "number": 1e400}', b'{"do": "pick", "place": [NaN, 0, 0]}',
               json.dumps({"do": "set", "key": "k" * 300, "text": "1"}).encode(), b"[" * 100000]
        for payload in bad:
            link = Socket(v)
            link.send(payload)
            assert link.is_closed(), payload[:60]
        for opcode, last in [(BINARY, True), (1, False), (0, True), (5, True)]:
            link = Socket(v)
            link.send(b'{"do": "hello"}', opcode=opcode, last=last)
            assert link.is_closed(), (opcode, last)
        good.ask("step", number=1)
        good.wait("frame", when=lambda f: f["index"] == 1)


@test
def too_large_and_too_many_requests_end_the_connection():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        link = Socket(v)
        try:
            link.send(json.dumps({"do": "check", "text": "x" * (2 << 20)}).encode())
        except ConnectionError:
            pass  # it was ended while it was being sent
        assert link.is_closed()
        link = Socket(v)
        for claim in [(1 << 20) + 1, 1 << 30, 1 << 62]:  # said in the head: refused before it comes
            link = Socket(v)
            before = memory_of(v)
            link.send(b"x", claim=claim)
            assert link.is_closed(5) and memory_of(v) - before < 50, claim
        link = Socket(v)
        try:
            for _ in range(3000):
                link.ask("ready")
        except ConnectionError:
            pass
        assert link.is_closed()
        good, _ = hello(v)
        good.ask("step", number=1)
        good.wait("frame", when=lambda f: f["index"] == 1)


def memory_of(v):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{v.process.pid}/status").read_text())[1]) >> 10


@test
def who_never_reads_holds_nothing_up():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        good, _ = hello(v)
        stuck = [Socket(v, buffer=4096) for _ in range(8)]
        for link in stuck:
            link.ask("hello")
        good.ask("speed", number=0)
        good.ask("play", on=True)
        good.wait("frame", when=lambda f: f["index"] > 50)
        before = memory_of(v)
        good.wait("frame", when=lambda f: f["index"] > 400, seconds=40)
        assert memory_of(v) - before < 120, (before, memory_of(v))
        for link in stuck:
            link.kill()


@test
def a_client_that_dies_in_mid_frame_hurts_nobody():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        good, _ = hello(v)
        step_to(good, 60)
        for _ in range(10):
            link = Socket(v, buffer=4096)
            link.ask("hello")
            link.take(3000)  # of a frame of 50 kB
            link.kill()
        good.ask("step", number=1)
        good.wait("frame", when=lambda f: f["index"] == 61)


@test
def a_thousand_connections_are_borne():
    with tempfile.TemporaryDirectory() as folder, Viewer(MOTE, str(scene_file(folder)), "--paused") as v:
        good, _ = hello(v)
        sockets, refused = [hello(v)[0] for _ in range(99)], 0  # who has an answer is counted
        for _ in range(5):
            try:
                sockets.append(Socket(v))
            except Refused as answer:
                refused += answer.status in (503, 0)  # 0: the end of the connection overtook the answer
        assert refused == 5, refused
        good.ask("speed", number=0)
        good.ask("play", on=True)
        idle = []
        for _ in range(1000):
            idle.append(socket.socket())
            idle[-1].setblocking(False)
            idle[-1].connect_ex((v.host, v.port))
        state = good.wait("state", when=lambda s: s["frame"] > 5)
        good.wait("state", when=lambda s: s["frame"] > state["frame"] + 20)
        for link in idle + sockets:
            link.close()
        deadline = time.monotonic() + 30
        while True:  # and when they have gone, others get in
            try:
                again, _ = hello(v)
                break
            except (Refused, OSError):
                assert time.monotonic() < deadline
                time.sleep(0.2)
        again.wait("frame")


def misbehave(v, stop):
    """Every bad thing at once, again and again."""
    while not stop.is_set():
        try:
            slow, wrong, dying = Socket(v, buffer=4096), Socket(v), Socket(v, buffer=4096)
            for link in (slow, dying):
                link.ask("hello")
            wrong.send(b"{]")
            dying.take(1000)
            dying.kill()
            v.http("/wrong/")
            with v.connect() as half:
                half.sendall(b"GET /")
            stop.wait(0.05)
            slow.kill()
            wrong.close()
        except (OSError, EOFError, Refused):
            pass


@test
def the_world_goes_on_to_the_same_bits():
    frame, hashes = 150, []
    with tempfile.TemporaryDirectory() as folder:
        path = scene_file(folder)
        for bad in [0, 3]:
            with Viewer(MOTE, str(path), "--paused") as v:
                good, _ = hello(v)
                stop = threading.Event()
                threads = [threading.Thread(target=misbehave, args=(v, stop)) for _ in range(bad)]
                for thread in threads:
                    thread.start()
                hashes.append(hash_at(good, frame))
                stop.set()
                for thread in threads:
                    thread.join()
        out = os.path.join(folder, "out")  # what a run without anybody looking comes to
        subprocess.run([MOTE, "run", str(path), "-o", out, "--no-pictures", "-q", "--frames", str(frame)], check=True)
        with Viewer(MOTE, out, "--paused") as v:
            link, _ = hello(v)
            link.ask("seek", number=frame)
            link.wait("frame", when=lambda f: f["index"] == frame)
            link.ask("hash")
            hashes.append(link.wait("hash")["hash"])
    assert len(set(hashes)) == 1 and int(hashes[0], 16) != 0, hashes


@test
def it_ends_when_told():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        try:
            with Viewer(MOTE, "demo") as v:
                link, _ = hello(v)
                assert len(os.listdir(folder)) == 1
                code, out, err = v.end()
                assert code == 0 and link.is_closed() and os.listdir(folder) == []
        finally:
            del os.environ["TMPDIR"]
    for wrong, text in [(["nothing-like-it"], "no scene"), (["/none/at/all.json5"], "cannot read"), (["/tmp"], "no run")]:
        done = subprocess.run([MOTE, "view", "--no-open", *wrong], capture_output=True, text=True)
        assert done.returncode not in (0, -11) and text in done.stderr, done.stderr


def main():
    if subprocess.run([MOTE, "info"], capture_output=True, text=True).stdout.find("no view in the browser") >= 0:
        print("this build has no civetweb")
        return 77
    failed = 0
    for function in tests:
        if len(sys.argv) > 3 and function.__name__ not in sys.argv[3:]:
            continue
        start = time.monotonic()
        try:
            function()
            print(f"ok: {function.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # noqa: BLE001
            import traceback
            traceback.print_exc()
            print(f"FAILED: {function.__name__}: {error!r}", flush=True)
            failed += 1
    return 1 if failed else 0


sys.exit(main())
