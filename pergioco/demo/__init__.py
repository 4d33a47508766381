"""An invented federation for trying out the portal."""
