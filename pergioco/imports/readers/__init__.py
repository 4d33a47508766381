"""One reader a source: bytes in, `canonical.Result` or `canonical.Unreadable` out."""
