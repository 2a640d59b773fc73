"""What the tester of the API is told besides the document: who calls, and which values mean something.

Loaded by schemathesis (SCHEMATHESIS_HOOKS). run.mjs gives the address, the tokens' file and the known values.
"""

import json
import os
import random

import schemathesis

with open(os.environ["CABINET_FUZZ_FACTS"], encoding="utf-8") as file:
    FACTS = json.load(file)

#: Known values by the name of their field. Several calls are refused at once without them.
KNOWN = FACTS["known"]


@schemathesis.auth(refresh_interval=60)
class Session:
    """The access token of a notary, which run.mjs keeps fresh in a file."""

    def get(self, case, context):
        with open(FACTS["token_file"], encoding="utf-8") as file:
            return file.read()

    def set(self, case, data, context):
        # What ends a session has one of its own, or all other calls would be refused from then on.
        token = FACTS["own_tokens"].get(case.operation.path, data)
        if token and "/auth/refresh" not in case.operation.path:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


def filled(value, name=None, chance=0.6):
    """The value with some of its fields replaced by known ones."""
    if isinstance(value, dict):
        return {key: filled(inner, key, chance) for key, inner in value.items()}
    if name in KNOWN and random.random() < chance:
        return random.choice(KNOWN[name])
    return value


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict) or random.random() < 0.3:
        return body
    # Sometimes a request of the sort that succeeds, with some of its fields as they were generated.
    path = context.operation.path
    model = random.choice(FACTS["bodies"][path]) if path in FACTS["bodies"] and random.random() < 0.4 else {}
    return filled({**body, **{key: inner for key, inner in model.items() if random.random() < 0.93}}, chance=0.4)


@schemathesis.hook
def map_query(context, query):
    return filled(query) if isinstance(query, dict) else query


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not isinstance(path_parameters, dict):
        return path_parameters
    name = "item_id" if "/item/" in context.operation.path else "order_id"
    return {
        key: random.choice(KNOWN[name]) if KNOWN.get(name) and random.random() < 0.5 else value
        for key, value in path_parameters.items()
    }
