"""The version of wsdlist, which models and pages bear."""

from __future__ import annotations

__version__ = "0.1.0"
