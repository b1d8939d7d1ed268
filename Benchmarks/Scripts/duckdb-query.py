"""Loads a CSV file into DuckDB, or says how many milliseconds a query takes in process.

duckdb-query.py load CSV DATABASE
duckdb-query.py query DATABASE SQL
"""

import sys
import time

import duckdb

if sys.argv[1] == "load":
    with duckdb.connect(sys.argv[3]) as database:
        # Moments as they are, which is milliseconds; texts as texts.
        database.execute(
            "CREATE TABLE occurrence AS SELECT * FROM read_csv(?, header = true)", [sys.argv[2]]
        )
        database.execute("CHECKPOINT")
else:
    with duckdb.connect(sys.argv[2], read_only=True) as database:
        database.execute(sys.argv[3]).fetchall()
        times = []
        for _ in range(9):
            start = time.perf_counter()
            database.execute(sys.argv[3]).fetchall()
            times.append(time.perf_counter() - start)
        print(sorted(times)[len(times) // 2] * 1_000)
