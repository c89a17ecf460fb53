"""A real OpenSearch server with k-NN on loopback, for tests: `python server.py start|stop|status`.

Maven brings what pom.xml names, once; SHA256SUMS says what it has to be; the newest Java that is installed runs it. A
server starts empty. `start` finds one that runs already and prints its address.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FOLDER = ROOT / ".build/opensearch"
OLDEST_JAVA = 21
START_SECONDS = 120
STOP_SECONDS = 20

_MODULES = {
    "analysis-common": ("org.opensearch.analysis.common.CommonAnalysisModulePlugin", ["analysis-common"]),
    "lang-painless": (
        "org.opensearch.painless.PainlessModulePlugin",
        ["lang-painless", "opensearch-scripting-painless-spi"],
    ),
    "transport-netty4": ("org.opensearch.transport.Netty4ModulePlugin", ["transport-netty4-client"]),
}
"""Of each module its class, and the archives that have to lie in its folder."""

_SETTINGS = """\
cluster.name: palimpsest-tests
node.name: one
discovery.type: single-node
network.host: 127.0.0.1
http.port: 0
transport.port: 0
node.portsfile: true
path.data: {run}/data
path.logs: {run}/logs
cluster.routing.allocation.disk.threshold_enabled: false
cluster.max_shards_per_node: 5000
"""
_LOGGING = """\
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %c{1.} %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
"""


def newest_java() -> Path:
    """The newest Java that is installed; what JAVA_HOME names counts as well."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    homes += [*Path("/usr/lib/jvm").glob("*"), *Path("/Library/Java/JavaVirtualMachines").glob("*/Contents/Home")]
    found = []
    for home in homes:
        with contextlib.suppress(OSError):
            stated = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(), re.MULTILINE)
            if stated and (home / "bin/java").exists():
                found.append((int(stated[1]), str(home)))
    if not found or max(found)[0] < OLDEST_JAVA:
        raise SystemExit(f"a Java of version {OLDEST_JAVA} or newer is needed; set JAVA_HOME")
    return Path(max(found)[1]) / "bin/java"


def install() -> Path:
    """The folder with the server's program, laid out once for this pom.xml."""
    made_of = b"".join((HERE / name).read_bytes() for name in ("pom.xml", "SHA256SUMS", "server.py"))
    home = FOLDER / f"program-{hashlib.sha256(made_of).hexdigest()[:12]}"
    if home.exists():
        return home
    work = FOLDER / "unfinished"
    shutil.rmtree(work, ignore_errors=True)
    lib = work / "lib"
    maven = ["mvn", "-B", "-q", "-ntp", "-f", str(HERE / "pom.xml"), "dependency:copy-dependencies"]
    subprocess.run([*maven, f"-DoutputDirectory={lib}"], check=True, stdout=sys.stderr)
    check(lib)
    version = _unpack_plugin(next(lib.glob("opensearch-knn-*.zip")), work)
    for name, (program, archives) in _MODULES.items():
        folder = work / "modules" / name
        folder.mkdir(parents=True)
        for archive in archives:
            (lib / f"{archive}-{version}.jar").rename(folder / f"{archive}-{version}.jar")
        stated = {"name": name, "description": name, "version": version, "opensearch.version": version}
        stated |= {"java.version": str(OLDEST_JAVA), "classname": program}
        (folder / "plugin-descriptor.properties").write_text("".join(f"{k}={v}\n" for k, v in stated.items()))
    work.rename(home)
    return home


def check(lib: Path) -> None:
    """See that Maven brought exactly the files that SHA256SUMS lists."""
    lines = [line.split() for line in (HERE / "SHA256SUMS").read_text().splitlines()]
    listed = {name: digest for digest, name in lines}
    brought = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in lib.iterdir()}
    if brought != listed:
        differing = sorted(dict(brought.items() ^ listed.items()))
        raise SystemExit(f"not the files that this was tested with: {', '.join(differing)}")


def _unpack_plugin(archive: Path, work: Path) -> str:
    """Lay out the k-NN plugin; the server's version. A library that lies in lib/ already is refused a second time."""
    with zipfile.ZipFile(archive) as packed:
        text = packed.read("plugin-descriptor.properties").decode()
        plugin = work / "plugins/opensearch-knn"
        packed.extractall(plugin, [name for name in packed.namelist() if not (work / "lib" / name).exists()])
    (plugin / "plugin-descriptor.properties").write_text(text.replace(",transport-grpc", ""))
    archive.unlink()
    stated = re.search(r"^opensearch\.version=(.+)$", text, re.MULTILINE)
    if stated is None:
        raise SystemExit(f"{archive.name} does not say for which version it is")
    return stated[1].strip()


def living() -> int | None:
    """The process of the server that was started here, if it lives."""
    with contextlib.suppress(OSError, ValueError):
        pid = int((FOLDER / "run/pid").read_text())
        os.kill(pid, 0)
        return pid
    return None


def status() -> str | None:
    """The address of the server that was started here, if it answers."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with contextlib.suppress(OSError, ValueError, IndexError):
        url = f"http://{(FOLDER / 'run/logs/http.ports').read_text().split()[0]}"
        with direct.open(f"{url}/_cluster/health", timeout=5) as answer:
            if living() and json.load(answer)["status"] != "red":
                return url
    return None


def start() -> str:
    """The address of a server that answers; one is started unless it runs already."""
    home, run = install(), FOLDER / "run"
    if url := status():
        return url
    stop()
    shutil.rmtree(run, ignore_errors=True)
    for name in ("config", "data", "logs", "tmp"):
        (run / name).mkdir(parents=True)
    (run / "config/opensearch.yml").write_text(_SETTINGS.format(run=run))
    (run / "config/log4j2.properties").write_text(_LOGGING)
    log = run / "logs/console.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            _command(home, run),
            cwd=run,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    (run / "pid").write_text(str(process.pid))
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        if url := status():
            _hurry(url)
            return url
        time.sleep(0.2)
    stop()
    raise SystemExit("OpenSearch did not start:\n" + "\n".join(log.read_text(errors="replace").splitlines()[-40:]))


def _hurry(url: str) -> None:
    """Let indexes of tests not wait for the disk at each write, and have no copies that nobody could hold."""
    settings = {"index": {"translog": {"durability": "async"}, "number_of_replicas": 0}}
    body = json.dumps({"index_patterns": ["*"], "template": {"settings": settings}}).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{url}/_index_template/tests", body, headers, method="PUT")
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).close()


def _command(home: Path, run: Path) -> list[str]:
    return [
        *(str(newest_java()), "-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *("--enable-native-access=ALL-UNNAMED", "-Dlog4j2.disable.jmx=true", "-Dlog4j.shutdownHookEnabled=false"),
        *(f"-Djava.io.tmpdir={run / 'tmp'}", "-Dopensearch.distribution.type=tar"),
        *(f"-Dopensearch.path.home={home}", f"-Dopensearch.path.conf={run}/config"),
        # The server refuses to run as root, which it can't tell without JNA's native half.
        *(("-Djna.nosys=true", "-Djna.nounpack=true") if os.geteuid() == 0 else ()),
        *("-cp", f"{home}/lib/*", "org.opensearch.bootstrap.OpenSearch"),
    ]


def stop() -> None:
    """End the server that was started here, if it lives."""
    ends = time.monotonic() + STOP_SECONDS
    while pid := living():
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGTERM if time.monotonic() < ends else signal.SIGKILL)
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.2)


def main() -> None:
    """Do what the command line says, one process at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["install", "start", "stop", "status"])
    action = parser.parse_args().action
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if action == "stop":
            stop()
            return
        done = {"install": install, "start": start, "status": status}[action]()
        if done is None:
            raise SystemExit("no server runs")
        sys.stdout.write(f"{done}\n")


if __name__ == "__main__":
    main()
