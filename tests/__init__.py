"""Tests: statements about the domain."""
