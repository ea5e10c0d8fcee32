"""check_manifest.py FILE REAL_BYTES: another JSON reader sees what test_manifest.c wrote."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
assert data["format"] == 1 and data["real_bytes"] == int(sys.argv[2])
assert data["scene"] == 'dam "break"\t\u00e9' and data["scene_hash"] == "fedcba9876543210"
assert data["fps"] == 30000 / 1001 and data["frames_planned"] == 250 and data["state"] == "stopped"
assert [(r["first"], r["last"], r["bytes"]) for r in data["frames"]] == [
    (0, 2, [1001, 1007, 1003]), (4, 5, [1005, 1000]), (9, 10, [1004, 1006])], data["frames"]
assert [c["file"] for c in data["checkpoints"]] == ["checkpoint_000004.npz", "c9.npz"]
assert {i["path"]: int(i["hash"], 16) for i in data["items"]} == {
    "systems.water.viscosity": 1, "gravity": 2}
