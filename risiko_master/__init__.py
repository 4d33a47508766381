"""RisiKo! Master: the draws of a day, its points, semifinals and final order."""
