"""desktop.py MOTE [TEST...]: how `mote view` comes to a browser: by the desktop's own opener, by $BROWSER, or through a
tunnel of ssh. $MOTE_SSHD: an sshd that is not on the path."""
import getpass
import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from client import Socket, Viewer  # noqa: E402

MOTE = os.path.abspath(sys.argv[1])


# ---- opening ----

def program(folder, name, text):
    path = Path(folder) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def said_to_open(folder, variables, arguments=()):
    """What the fake openers were given, and the address that was printed."""
    path = f"{folder}:{os.environ['PATH']}"
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    note = Path(folder) / "opened"
    note.unlink(missing_ok=True)
    view = subprocess.Popen([MOTE, "view", "demo", "--paused", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env={**clean, "PATH": path, "NOTE": str(note), **variables})
    address = view.stdout.readline().strip()
    until = time.monotonic() + (20 if variables and not arguments else 1)
    while not note.exists() and time.monotonic() < until:
        time.sleep(0.05)
    view.terminate()
    _, error = view.communicate(timeout=60)
    assert view.returncode == 0 and address.startswith("http://127.0.0.1:"), (address, error)
    return note.read_text().split() if note.exists() else [], address


def the_browser_is_opened():
    with tempfile.TemporaryDirectory() as folder:
        for name in ["xdg-open", "my-browser"]:
            program(folder, name, f'echo "{name} $*" >"$NOTE.part"; mv "$NOTE.part" "$NOTE"')
        cases = [({"DISPLAY": ":9"}, "xdg-open"), ({"WAYLAND_DISPLAY": "wayland-9"}, "xdg-open"),
                 ({"BROWSER": "my-browser"}, "my-browser"), ({"BROWSER": "not-there:my-browser", "DISPLAY": ":9"}, "my-browser"),
                 ({"BROWSER": "not-there", "DISPLAY": ":9"}, "xdg-open")]
        for variables, name in cases:
            opened, address = said_to_open(folder, variables)
            assert opened == [name, address], (variables, opened, address)


def without_a_desktop_the_address_is_printed():
    with tempfile.TemporaryDirectory() as folder:
        program(folder, "xdg-open", 'echo "$*" >"$NOTE"')
        for variables, arguments in [({}, ()), ({"DISPLAY": ":9"}, ("--no-open",)), ({"BROWSER": "xdg-open"}, ("--no-open",))]:
            opened, _ = said_to_open(folder, variables, arguments)
            assert opened == [], (variables, opened)


# ---- ssh -L ----

def free_port():
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        return link.getsockname()[1]


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def wait_for(port):
    until = time.monotonic() + 30
    while not listens(port):
        assert time.monotonic() < until, f"nothing listens at {port}"
        time.sleep(0.1)


def a_tunnel_of_ssh_leads_there():
    sshd = os.environ.get("MOTE_SSHD") or shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if not sshd or not shutil.which("ssh") or not shutil.which("ssh-keygen"):
        return "there is no sshd"
    root = os.getuid() == 0  # sshd of root wants a user of its own; one of nobody does not
    user = "nobody" if root else getpass.getuser()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name in ["host", "own"]:
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(here / name)], check=True)
        shutil.copy(here / "own.pub", here / "known")
        port, forwarded = free_port(), free_port()
        (here / "config").write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {here}/host\nPidFile none\nUsePAM yes\n"
                                     f"AuthorizedKeysFile {here}/known\nStrictModes no\nAllowTcpForwarding yes\n")
        become = {}
        if root:
            nobody = pwd.getpwnam("nobody")
            here.chmod(0o755)
            os.chown(here / "host", nobody.pw_uid, nobody.pw_gid)
            become = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        server = subprocess.Popen([os.path.abspath(sshd), "-D", "-e", "-f", str(here / "config")], stderr=open(here / "log", "w"), **become)
        try:
            wait_for(port)
            with Viewer(MOTE, "demo") as v:
                tunnel = subprocess.Popen(["ssh", "-N", "-F", "none", "-i", str(here / "own"), "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no",
                                           "-o", f"UserKnownHostsFile={here}/hosts", "-o", "ExitOnForwardFailure=yes", "-p", str(port),
                                           "-L", f"127.0.0.1:{forwarded}:127.0.0.1:{v.port}", f"{user}@127.0.0.1"], stderr=subprocess.DEVNULL)
                try:
                    wait_for(forwarded)
                    v.port = forwarded  # as the browser at the near end has it, in Host and Origin too
                    assert v.http()[0] == 200
                    link = Socket(v, headers={"Origin": f"http://127.0.0.1:{forwarded}"})
                    link.ask("hello")
                    link.wait("state")
                    link.wait("frame")
                finally:
                    tunnel.terminate()
                    tunnel.wait()
        except AssertionError as error:
            raise AssertionError(f"{error}; sshd: {(here / 'log').read_text()[-500:]}") from error
        finally:
            server.terminate()
            server.wait()
    return None


def main():
    if subprocess.run([MOTE, "info"], capture_output=True, text=True).stdout.find("no view in the browser") >= 0:
        print("this build has no civetweb")
        return 77
    for function in [the_browser_is_opened, without_a_desktop_the_address_is_printed, a_tunnel_of_ssh_leads_there]:
        if len(sys.argv) > 2 and function.__name__ not in sys.argv[2:]:
            continue
        why = function()
        print(f"{'skipped' if why else 'ok'}: {function.__name__}{f': {why}' if why else ''}", flush=True)
    return 0


sys.exit(main())
