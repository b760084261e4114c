"""bootlint: what an OpenClaw agent really receives of its workspace files."""

__version__ = "0.1.0"
