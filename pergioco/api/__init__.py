"""The portal for programs: read-only, public, version 1."""
