"""National finals in public, and the page on which somebody who is called answers."""
