"""What is in the memory of the page cache."""

import pickle

from django.core.cache import caches

from pergioco.core.page_cache import CachedPage


def cached_pages() -> list[CachedPage]:
    packed = vars(caches["pages"])["_cache"].values()
    return [pickle.loads(one) for one in packed]  # noqa: S301 - our own process wrote it
