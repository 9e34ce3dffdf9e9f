"""`claimlog serve` and `claimlog token` as users start them."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time

import commands
import httpx
import pytest
from forked import Claimlog
from games import game, games
from typer.testing import CliRunner
from waiting import PATIENCE, wait_until

from claimlog.api.tokens import TokenFile
from claimlog.cli.main import app
from claimlog.store import Archive

pytestmark = pytest.mark.only_file("the processes started here ignore --backend")

CLM = {"Content-Type": "text/x-claim"}


def claimlog(*words, check=True):
    """Run a command that ends by itself."""
    code, out, err = commands.claimlog(*words)
    assert not check or code == 0, err
    return subprocess.CompletedProcess(words, code, out.decode(), err.decode())


@contextlib.contextmanager
def running(*words, log=subprocess.DEVNULL, installed=False):
    words = ["serve", "--port", "0", *words]
    streams = {"stdout": subprocess.PIPE, "stderr": log}
    if installed:
        process = subprocess.Popen([commands.SCRIPT, *words], **streams)
    else:
        process = Claimlog(words, **streams)
    try:
        line = process.stdout.readline().decode()
        url = re.search(r"https?://\S+", line)
        assert url, line
        yield process, url[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def db(tmp_path):
    return tmp_path / "games.duckdb"


def test_it_says_where_it_listens_and_stops_politely(db, tmp_path):
    log = tmp_path / "log"
    with (
        log.open("wb") as file,
        running("--db", db, log=file, installed=True) as (process, url),
    ):
        assert url.startswith("http://127.0.0.1:")
        assert "writing: open on this machine" in process.stdout.readline().decode()
        stored = httpx.post(f"{url}/v1/games", content=game(1).encode(), headers=CLM)
        assert stored.status_code == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["path"] for line in lines if line["event"] == "request"] == ["/v1/games"]
    with running("--db", db) as (_, url):
        assert httpx.get(f"{url}/v1/stats/count").json() == {"games": 1}


def test_files_are_served_at_once_and_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    # The environment names the browser to open.
    opened = tmp_path / "opened"
    monkeypatch.setenv("BROWSER", f"sh -c 'echo %s > {opened}'")
    (tmp_path / "scratch").mkdir()
    files = tmp_path / "club"
    files.mkdir()
    (files / "one.clm").write_text(games(3))
    (files / "two.clm").write_text(game(7, Event="Spring") + "\n" + game(8).replace("G", "Q"))
    with (
        (tmp_path / "log").open("wb") as log,
        running(files, "--open", log=log) as (process, url),
    ):
        assert "writing: no" in process.stdout.readline().decode()
        assert httpx.get(f"{url}/v1/stats/count").json() == {"games": 4}
        page = httpx.get(f"{url}/", headers={"Accept": "text/html"})
        assert "This archive holds 4 games." in page.text
        wait_until(lambda: opened.exists() and opened.read_text())
        assert opened.read_text().strip() == url
        stored = httpx.post(f"{url}/v1/games", content=game(1).encode(), headers=CLM)
        assert stored.status_code == 401
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    assert list((tmp_path / "scratch").iterdir()) == []
    assert "1 of 5 games are not legal" in (tmp_path / "log").read_text()
    refused = claimlog("serve", files, "--db", tmp_path / "games.duckdb", check=False)
    assert (refused.returncode, "nothing is stored" in refused.stderr) == (2, True)
    missing = claimlog("serve", tmp_path / "none.clm", check=False)
    assert (missing.returncode, "none.clm cannot be read" in missing.stderr) == (2, True)


def test_an_import_ends_with_a_summary_when_the_server_stops(db):
    with running("--db", db) as (process, url):
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
            sock.sendall(
                b"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
                b"Content-Length: 100000000\r\n\r\n" + games(300).encode()
            )
            seen = b""
            while b'"stored"' not in seen:
                seen += sock.recv(65536)
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(OSError):
                while part := sock.recv(65536):
                    seen += part
        assert b'"finished":false' in seen
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)


def test_what_it_refuses(db):
    claimlog("token", "create", "Anna", "--db", db)
    refused = claimlog("serve", "--db", db, "--host", "0.0.0.0", "--local-writing", check=False)
    assert refused.returncode == 2
    assert "only for this machine" in refused.stderr
    other = db.with_name("other.duckdb")
    for words, why in (
        (["--host", "0.0.0.0"], "nobody could write"),
        (["--closed"], "needs a token"),
        (["--host", "203.0.113.1", "--read-only"], ""),
        (["--cors", "nope"], "--cors: nope is not an origin"),
        (["--cors", "*", "--cors", "https://club.example/"], "is not an origin"),
        (["--cors", "https://Club.example"], "is not an origin"),
        (["--cors", "https://club.example:443"], "is not an origin"),
        (["--name", "a b"], "--name: a b is not the name of a host"),
        (["--name", "club.example:8000"], "is not the name of a host"),
    ):
        refused = claimlog("serve", "--db", other, "--port", "0", *words, check=False)
        assert refused.returncode == 2
        assert why in refused.stderr
        assert "Traceback" not in refused.stderr
    db.with_name("bad.duckdb").write_text("nonsense" * 1000)
    refused = claimlog("serve", "--db", db.with_name("bad.duckdb"), check=False)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
    with running("--db", db):
        refused = claimlog("serve", "--db", db, check=False)
        assert refused.returncode == 2
        assert "Traceback" not in refused.stderr


def test_an_address_that_no_authority_can_vouch_for(db):
    """A new authority could not, either."""
    pytest.importorskip("ifaddr", reason="needs the packages of claimlog[lan]")
    pytest.importorskip("cryptography", reason="needs the packages of claimlog[lan]")
    words = ("--lan", "--host", "203.0.113.1", "--read-only", "--port", "0")
    Archive.open(db).close()
    refused = claimlog("serve", "--db", db, *words, check=False)
    assert refused.returncode == 2
    assert "--lan is for the addresses of private networks" in refused.stderr
    assert not db.with_name("games.duckdb.lan").exists()


@pytest.fixture
def certificate(tmp_path):
    """A certificate for this machine, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    files = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=claim.example",
            "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1],
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return files


def test_with_a_certificate_it_speaks_https_and_the_commands_find_it(db, certificate):
    file, key = certificate
    with running("--db", db, "--certificate", file, "--key", key) as (_, url):
        assert url.startswith("https://127.0.0.1:")
        trusted = ssl.create_default_context(cafile=file)
        with httpx.Client(verify=trusted, base_url=url) as client:
            stored = client.post("/v1/games", content=game(1).encode(), headers=CLM)
            assert stored.status_code == 201
            page = client.get("/tables").text
        assert "main.js" in page
        with pytest.raises(httpx.TransportError):
            httpx.get(url.replace("https", "http") + "/health")
        # A command on this machine asks the server, which has the archive open.
        assert stored.json()["id"] in claimlog("games", "--db", db, "--format", "json").stdout


def test_files_that_are_no_certificate_are_refused_at_once(db, certificate, tmp_path):
    file, key = certificate
    other = tmp_path / "other.pem"
    other.write_text("nonsense")
    for words, why in (
        (["--key", key], "--key needs --certificate"),
        (["--certificate", tmp_path / "none.pem"], "none.pem cannot be read"),
        (["--certificate", other, "--key", key], "HTTPS is not possible"),
        (["--certificate", file, "--key", other], "HTTPS is not possible"),
    ):
        refused = CliRunner().invoke(app, ["serve", "--db", str(db), *map(str, words)])
        assert refused.exit_code == 2
        assert why in refused.stderr
        assert not db.exists()


def test_a_port_that_is_taken(db):
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        port = sock.getsockname()[1]
        refused = claimlog("serve", "--db", db, "--port", port, check=False)
    assert refused.returncode == 2
    assert f"127.0.0.1:{port}" in refused.stderr


def test_beyond_localhost_with_a_token(db):
    text = claimlog("token", "create", "Anna", "--scope", "record", "--db", db).stdout.strip()
    with running("--db", db, "--host", "0.0.0.0") as (_, url):
        url = url.replace("0.0.0.0", "127.0.0.1")
        assert httpx.post(f"{url}/v1/games", content=b"*", headers=CLM).status_code == 401
        good = CLM | {"Authorization": f"Bearer {text}"}
        assert httpx.post(f"{url}/v1/games", content=game(1).encode(), headers=good).is_success


def test_read_only(db):
    with Archive.open(db) as archive:
        archive.store(game(1))
    with running("--db", db, "--read-only") as (_, url):
        assert httpx.get(f"{url}/v1/stats/count").json() == {"games": 1}
        assert (
            httpx.post(f"{url}/v1/games", content=game(2).encode(), headers=CLM).status_code == 401
        )


def test_a_server_that_only_reads_refuses_every_write(db):
    with Archive.open(db) as archive:
        id = archive.store(game(1)).id
    text, _ = TokenFile(db).create("Anna", "admin")
    who = {"Authorization": f"Bearer {text}"}
    record = game(2).encode()
    writes = (
        ("POST", "/v1/games", {"content": record, "headers": CLM}),
        ("PUT", f"/v1/games/{id}?why=w", {"content": record, "headers": CLM | {"If-Match": "*"}}),
        ("DELETE", f"/v1/games/{id}?why=w", {}),
        ("POST", f"/v1/games/{id}/undelete?why=w", {}),
        ("POST", "/v1/imports", {"content": record, "headers": CLM}),
        ("POST", "/v1/players/Anna/aliases", {"json": {"alias": "Ben"}}),
        ("DELETE", "/v1/players/Anna/aliases/Ben", {}),
        ("PUT", "/v1/events/Zurich/tiebreaks", {"json": {"tiebreaks": ["points"]}}),
        ("POST", "/v1/archive/compact", {}),
    )
    with running("--db", db, "--read-only") as (_, url):
        for method, path, how in writes:
            headers = {**how.get("headers", {}), **who}
            answer = httpx.request(method, url + path, **(how | {"headers": headers}))
            assert answer.status_code == 403, (method, path, answer.text)
            assert answer.json()["type"] == "urn:claimlog:read-only"
        assert httpx.get(f"{url}/v1/stats/count").json() == {"games": 1}


def test_tokens_on_the_command_line(db):
    made = claimlog("token", "create", "Anna Keller", "--scope", "direct", "--days", 3, "--db", db)
    assert made.stdout.startswith("clm_")
    id = made.stdout.split("_")[1]
    listed = claimlog("token", "list", "--db", db).stdout
    assert listed.split()[:3] == [id, "active", "direct"]
    assert made.stdout.strip() not in listed
    claimlog("token", "revoke", id, "--db", db)
    row = json.loads(claimlog("token", "list", "--format", "json", "--db", db).stdout)
    assert (row["state"], row["name"], row["scope"]) == ("revoked", "Anna Keller", "direct")
    assert claimlog("token", "revoke", "nobody", "--db", db, check=False).returncode == 2


KILLS = int(os.environ.get("CLAIMLOG_KILLS", "3"))
"""Rounds of the test below; CLAIMLOG_KILLS=200 for the long one."""


def test_kill_loses_nothing_acknowledged(db):
    """SIGKILL in the middle of single posts and an import; see docs/guarantees.md."""
    import random
    import threading

    chance = random.Random(KILLS)
    acknowledged = {}
    for number in range(KILLS):
        with running("--db", db, "--no-log-requests") as (process, url):
            if acknowledged:
                check = httpx.post(f"{url}/v1/archive/check", timeout=60).json()
                assert check["fault_count"] == 0, check
                for id in chance.sample(sorted(acknowledged), min(50, len(acknowledged))):
                    record = httpx.get(f"{url}/v1/games/{id}", headers={"Accept": "text/x-claim"})
                    assert f'"number {acknowledged[id]}"' in record.text, id

            def post(url=url, number=number):
                seed = 1_000_000 + number * 10_000
                with httpx.Client(base_url=url) as http, contextlib.suppress(httpx.HTTPError):
                    while True:
                        seed += 1
                        answer = http.post("/v1/games", content=game(seed).encode(), headers=CLM)
                        if answer.status_code == 201:
                            acknowledged[answer.json()["id"]] = seed

            def fill(url=url, number=number):
                base = number * 10_000
                body = (game(base + n).encode() + b"\n" for n in range(5000))
                with (
                    contextlib.suppress(httpx.HTTPError),
                    httpx.stream(
                        "POST", f"{url}/v1/imports", content=body, headers=CLM, timeout=PATIENCE
                    ) as answer,
                ):
                    for line in answer.iter_lines():
                        outcome = json.loads(line)
                        if outcome.get("status") == "stored":
                            acknowledged[outcome["id"]] = base + outcome["game"] - 1

            threads = [threading.Thread(target=post), threading.Thread(target=fill)]
            for thread in threads:
                thread.start()
            before, until = len(acknowledged), time.monotonic() + 30
            while len(acknowledged) == before and time.monotonic() < until:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.6))
            process.kill()
            process.wait()
            for thread in threads:
                thread.join()
    assert acknowledged
    with running("--db", db) as (_, url):
        assert httpx.post(f"{url}/v1/archive/check", timeout=60).json()["fault_count"] == 0
        with httpx.Client(base_url=url) as http:
            for id in acknowledged:
                assert http.head(f"/v1/games/{id}").status_code == 200
