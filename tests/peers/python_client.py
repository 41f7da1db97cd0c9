"""The official Python SDK as a client of awf: lists the tools, then calls each, as told by `builtins.json`.

    python_client.py <mode> <root> <server> [argument ...]

`mode` is the SDK's: `legacy`, or a revision of the protocol without sessions. `root` is the directory the server's
file tools work beneath. Prints one line for each check, `pass <check>` or `fail <check>: <why>`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

EXPECTED = json.loads(Path(__file__).with_name("builtins.json").read_text("utf-8"))
LEFT_FILE = "notes/first.txt"


class Wrong(Exception):
    """What a check found, where it expected something else."""


def equal(what, found, expected):
    if found != expected:
        raise Wrong(f"{what} is {found!r}, expected {expected!r}")


def hints(annotations):
    return {} if annotations is None else annotations.model_dump(by_alias=True, exclude_none=True)


async def lists_the_tools(client):
    tools = (await client.list_tools()).tools
    equal("the list", {tool.name: hints(tool.annotations) for tool in tools}, EXPECTED["annotations"])
    for tool in tools:
        equal(f"the schema type of {tool.name}", tool.input_schema.get("type"), "object")
        equal(f"{tool.name} has a description", bool(tool.description), True)


async def answers(client, root, call):
    result = await client.call_tool(call["tool"], call["arguments"])
    text = "".join(block.text for block in result.content)
    equal("is_error", bool(result.is_error), False)
    if call["answer"] not in text:
        raise Wrong(f"the answer is {text!r}, expected it to hold {call['answer']!r}")
    equal(LEFT_FILE, (root / LEFT_FILE).read_text("utf-8"), call["leaves"])


async def check(name, work):
    try:
        await work
        print(f"pass {name}", flush=True)
        return True
    except Exception as error:  # whatever the SDK raises, it refused what awf said
        print(f"fail {name}: {type(error).__name__}: {error}", flush=True)
        return False


async def main(mode, root, server, *arguments):
    # The SDK hands a server only a few variables unless told.
    parameters = StdioServerParameters(command=server, args=list(arguments), env=dict(os.environ))
    async with Client(parameters, mode=mode, read_timeout_seconds=30) as client:
        passed = [await check("lists the tools", lists_the_tools(client))]
        for call in EXPECTED["calls"]:
            passed.append(await check(f"calls {call['tool']}", answers(client, Path(root), call)))
    return 0 if all(passed) else 1


sys.exit(asyncio.run(main(*sys.argv[1:])))
