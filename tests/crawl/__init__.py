"""The demo federation, crawled by every role: what every page says, in files that two trees can be
compared by.

    python -m tests.crawl write FOLDER [--like BASE] [--only ROLE]
    python -m tests.crawl compare BASE FOLDER [--only ROLE] [--without-admin] [--map OLD=NEW]

It imports no module of the product, so the same script runs before and after modules move.
"""
