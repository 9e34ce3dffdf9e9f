"""The head of the chain, which an admin notes and later has verified."""

import httpx


def test_a_head_that_was_noted_is_looked_for(http: httpx.Client) -> None:
    report = http.post("/v1/archive/check").json()
    assert report["fault_count"] == 0
    assert http.post("/v1/archive/check", params={"head": report["head"]}).json() == report
    other = "1-" + 32 * "0"
    again = http.post("/v1/archive/check", params={"head": other}).json()
    assert [(fault["what"], fault["message"]) for fault in again["faults"]] == [
        ("chain", f"the head {other} that was noted is not in it")
    ]
    wrong = http.post("/v1/archive/check", params={"head": "12"})
    assert wrong.status_code == 400
    assert wrong.json()["field"] == "head"
