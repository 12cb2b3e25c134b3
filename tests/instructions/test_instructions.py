"""The hot loops need as many instructions as benches/instructions.toml says."""

from __future__ import annotations

import platform
import shutil

import instructions
import pytest

HERE = (platform.system(), platform.machine())


@pytest.fixture(scope="module")
def counts() -> dict[str, float]:
    if HERE != ("Linux", "x86_64"):
        pytest.skip(f"the file's counts are Linux's on x86_64, this is {' on '.join(HERE)}")
    assert shutil.which("valgrind"), "no valgrind: tests/environment.sh valgrind installs it"
    return instructions.count_all()


@pytest.mark.parametrize("loop", instructions.ROUNDS)
def test_a_loop_needs_the_instructions_that_the_file_says(loop, counts):
    file, made = instructions.written(), instructions.compiler()
    same = file["compiler"] == made
    tolerance = file["tolerance" if same else "tolerance_other_compiler"]
    if loop not in counts:
        assert loop in ("playouts_bmi2", "playouts_avx2")
        pytest.skip("this processor has not the instructions that the loop needs")
    expected, found = file["instructions"][loop], counts[loop]
    change = found / expected - 1
    assert abs(change) <= tolerance, (
        f"{loop}: {found:.2f} instructions, {100 * change:+.1f} %: the file says {expected}, and at most "
        f"{100 * tolerance:.0f} % more or less; if it is meant, write the file anew by "
        f"tests/instructions/instructions.py --write. The file is of {file['compiler']}, the program of {made}"
    )


def test_the_file_has_these_loops_and_no_others():
    assert set(instructions.written()["instructions"]) == set(instructions.ROUNDS)
