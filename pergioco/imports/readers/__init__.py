"""One reader for each source. Bytes in, `canonical.Result` out, or `canonical.Unreadable`; nothing else leaves them."""
