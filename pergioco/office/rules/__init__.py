"""The languages of complaints and the terms of answers; pure."""
