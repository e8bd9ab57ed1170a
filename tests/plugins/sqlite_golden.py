"""sqlite_golden.py TEST. Writes a database by Python's sqlite3, beside each query the numbers that Python reads, as float32, and runs
TEST, which compares them."""
import os
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile

QUERIES = ["SELECT a, b, y FROM t", "SELECT b * 3 AS c, a, y FROM t WHERE a % 2 = 0 ORDER BY b DESC",
           "SELECT t.b, u.c, t.y FROM t JOIN u ON t.id = u.id", "SELECT avg(b) AS m, count(*) AS n, y FROM t GROUP BY a % 50, y"]


def write_database(path):
    draw = random.Random(1)
    database = sqlite3.connect(path)
    database.execute("PRAGMA encoding = 'UTF-16'")
    database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b REAL, y TEXT)")
    database.execute("CREATE TABLE u(id INTEGER, c)")
    for i in range(500):
        database.execute("INSERT INTO t VALUES (?, ?, ?, ?)", (i, draw.randrange(-2**40, 2**40), draw.gauss(0, 10**draw.randrange(-20, 20)),
                                                               draw.choice(["Katze", "Hündin", "鳥"])))
        database.execute("INSERT INTO u VALUES (?, ?)", (i, str(draw.random()) if i % 2 else draw.random()))
    database.commit()
    return database


with tempfile.TemporaryDirectory() as folder:
    set_path = folder + "/set.db"
    with open(folder + "/cases.txt", "w", encoding="utf-8") as cases:
        rows_of = write_database(set_path)
        for n, query in enumerate(QUERIES):
            with open(f"{folder}/{n}", "wb") as expected:
                for row in rows_of.execute(query):
                    expected.write(struct.pack(f"<{len(row) - 1}f", *map(float, row[:-1])))
            cases.write(f"{set_path} {folder}/{n} {query}\n")
        rows_of.close()
    sys.exit(subprocess.run([sys.argv[1], "[.sqlite]"], env={**os.environ, "LEVIN_SQLITE_CASES": folder}).returncode)
