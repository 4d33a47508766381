"""An oracle: the numbers of PerGioco Masters computed a second time, from the regulations and the
readings alone.

It reads the files of a bundle and shares no code with the portal. It is written to be understood,
not to be quick."""
