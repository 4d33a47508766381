"""How days, times and numbers are written in each language, where Django's own way is not ours."""
