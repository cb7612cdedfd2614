"""The README's recipe for a checkpoint out of a preset's GGUF file, as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from gguf_writer import tiny_model

pytest.importorskip("torch", reason="the extra transformers is not installed")
pytest.importorskip("gguf", reason="the extra transformers is not installed")
transformers = pytest.importorskip("transformers", reason="the extra transformers is not installed")

ROOT = Path(__file__).parents[2]
RECIPE = re.search(r"```python\n(import transformers\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
PRESET, FOLDER = "qwen2.5-coder-0.5b-instruct-q4_k_m", "qwen2.5-coder-0.5b"


@pytest.mark.skipif(not hasattr(transformers, "GgufConfig"), reason="this transformers has no GgufConfig")
def test_the_recipe_makes_a_folder_with_the_template_the_tokens_and_plain_weights(tmp_path: Path) -> None:
    assert RECIPE is not None
    assert RECIPE[1].count(f'"{PRESET}"') == RECIPE[1].count(f'"{FOLDER}"') == 1
    file = tiny_model(tmp_path / "tiny.gguf")
    program = RECIPE[1].replace(f'"{PRESET}"', repr(str(file)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    made = tmp_path / FOLDER
    tokenizer = transformers.AutoTokenizer.from_pretrained(made)
    given = transformers.AutoTokenizer.from_pretrained(tmp_path, gguf_file=file.name)
    assert tokenizer.chat_template == given.chat_template
    assert tokenizer.encode("def f():") == given.encode("def f():")
    model = transformers.AutoModelForCausalLM.from_pretrained(made)
    assert str(model.dtype) == "torch.bfloat16"
    assert not hasattr(model.config, "quantization_config")
