"""Small files as other tools write them, member by member as theirs are."""

import json
import struct
import zipfile
import zlib

PROMPT = 'def add(x, y):\n    """The sum."""\n'
BODY = "    return x + y\n"
TASK = "HumanEval/53"


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def lm_eval_row(*responses, shown=PROMPT, task_id=TASK, **changes):
    """As lm-evaluation-harness 0.4 logs one document with its responses."""
    row = {
        "doc_id": 0,
        "doc": {"task_id": task_id, "prompt": PROMPT, "entry_point": "add", "canonical_solution": BODY, "test": "…"},
        "target": "…\ncheck(add)",
        "arguments": {"gen_args_0": {"arg_0": shown, "arg_1": {"until": ["\nclass"], "do_sample": False}}},
        "resps": [list(responses)],
        "filtered_resps": [[PROMPT + response for response in responses]],
        "filter": "create_test",
        "metrics": ["pass@1"],
        "doc_hash": "8b029adb",
        "pass@1": 1.0,
    }
    return row | changes


def inspect_sample(content, value="C", sample_id=TASK, epoch=1, stop="stop", **changes):
    """As inspect 0.3 logs one sample of one epoch."""
    message = {"id": "a", "content": content, "source": "generate", "role": "assistant"}
    sample = {
        "id": sample_id,
        "epoch": epoch,
        "input": PROMPT,
        "target": BODY,
        "messages": [{"role": "user", "content": PROMPT}, message],
        "output": {"model": "m", "choices": [{"message": message, "stop_reason": stop}], "completion": "…"},
        "scores": {"verify": {"value": value, "answer": "…", "history": []}},
        "metadata": {"prompt": PROMPT, "entry_point": "add"},
    }
    return sample | changes


HEAD = {
    "version": 2,
    "status": "success",
    "eval": {"model": "lab/m", "created": "2026-11-30", "task": "inspect_evals/humaneval"},
}


def inspect_json(path, *samples):
    path.write_text(json.dumps({**HEAD, "plan": {}, "samples": list(samples)}, indent=2))
    return path


def inspect_members(*samples):
    names = [f"samples/{sample['id']}_epoch_{sample['epoch']}.json" for sample in samples]
    members = dict(zip(names, samples, strict=True))
    return {"_journal/start.json": HEAD, **members, "summaries.json": [], "header.json": HEAD}


def inspect_archive(path, *samples, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, value in inspect_members(*samples).items():
            archive.writestr(name, json.dumps(value))
    return path


def zstd_archive(path, *samples, told=None):
    """Packed as inspect does from 0.3.140 on; `told` is the size that the directory gives in place of the true one."""
    import zstandard

    content, directory = b"", b""
    members = inspect_members(*samples)
    for name, value in members.items():
        plain = json.dumps(value).encode()
        packed = zstandard.ZstdCompressor().compress(plain)
        sizes = struct.pack("<IIIHH", zlib.crc32(plain), len(packed), told or len(plain), len(name), 0)
        common = struct.pack("<HHHHH", 63, 0, 93, 0, 33) + sizes
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(content))
        directory += name.encode()
        content += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(content), 0)
    path.write_bytes(content + directory + b"PK\x05\x06" + end)
    return path
