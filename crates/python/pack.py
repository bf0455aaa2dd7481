"""Packs a module that cargo has built, with the package's Python files, as a wheel: what maturin does, without building anything.

python3 crates/python/pack.py MODULE FOLDER prints the wheel that it writes. The tests install it; for others `cargo xtask wheel` builds one.
"""

import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def field(file, name):
    """The first line `name = "value"` of a file; Python 3.9 reads no TOML."""
    lines = (line.partition("=") for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
    return next(value.strip().strip('"') for key, _, value in lines if key.strip() == name)


def pack(module, folder):
    version = field("Cargo.toml", "version")
    tag = "cp39-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"quadrille-{version}.dist-info"
    package = ROOT / "crates/python/python/quadrille"
    files = {f"quadrille/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files["quadrille/_quadrille.abi3.so"] = pathlib.Path(module).read_bytes()
    program = field("pyproject.toml", "quadrille")
    texts = {
        "METADATA": f"Metadata-Version: 2.1\nName: quadrille\nVersion: {version}\nRequires-Python: {field('pyproject.toml', 'requires-python')}\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: quadrille\nRoot-Is-Purelib: false\nTag: {tag}\n",
        "entry_points.txt": f"[console_scripts]\nquadrille={program}\n",
    }
    files.update({f"{info}/{name}": text.encode() for name, text in texts.items()})
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = pathlib.Path(folder) / f"quadrille-{version}-{tag}.whl"
    # Nothing is compressed: it is installed at once.
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: pack.py MODULE FOLDER")
    print(pack(*sys.argv[1:]))
