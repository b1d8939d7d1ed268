"""Writes digests of three errors each, over 30 days and ten releases, as NDJSON.

    fleet-digests.py MACHINE DIGESTS FAILURES FIRST

Half of the errors are of few failures (by Zipf's law), half of any. FIRST is the number of the first digest.
"""

import itertools
import random
import sys
from datetime import datetime, timezone

machine, digests, failures, first = (int(argument) for argument in sys.argv[1:5])
random.seed(machine * 1_000_000 + first)
begin = 1_761_955_200_000
weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(failures)))
# A tenth of the failures occurs on all machines.
shared = failures // 10


def errors():
    for _ in range(3):
        rank = (
            random.choices(range(failures), cum_weights=weights)[0]
            if random.random() < 0.5
            else random.randrange(failures)
        )
        failure = rank if rank < shared else rank + machine * failures
        yield (
            '{"path":"items[%d].p%d","kind":"unknownNovelValue","novelValue":"v%d","novelValueType":"String",'
            '"expectedType":"App.Kind","foundType":"string","foundValue":"v%d"}'
            % (failure % 9, failure % 400, failure, failure)
        )


for number in range(first, first + digests):
    time = begin + (number * 30 * 86_400_000 // 100_000) % (30 * 86_400_000)
    day = datetime.fromtimestamp(time / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.")
    print(
        '{"id":"%032x-%d-%d","recordedAt":"%s%03dZ","model":"App.M%d","release":"4.%d","errors":[%s]}'
        % (machine, number, time, day, time % 1000, number % 20, number * 10 // 100_000 % 10, ",".join(errors()))
    )
