"""An invented federation, so that a newcomer sees a living one: people, games, calendars, logins."""
