"""The official Python SDK as a client of `awf serve`, over streamable HTTP.

    AWF_KEY=<key> python_web_client.py <mode> <url>

`mode` is the SDK's: `legacy`, or a revision of the protocol without sessions. Prints one line for each check,
`pass <check>` or `fail <check>: <why>`.
"""

import asyncio
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

TOOLS = ["call_tool_destructive", "call_tool_read", "call_tool_write", "retrieve_tools"]


class Wrong(Exception):
    """What a check found, where it expected something else."""


def equal(what, found, expected):
    if found != expected:
        raise Wrong(f"{what} is {found!r}, expected {expected!r}")


async def lists(client):
    tools = (await client.list_tools()).tools
    equal("the list", sorted(tool.name for tool in tools), TOOLS)
    hints = {tool.name: tool.annotations for tool in tools}
    equal("read-only", hints["call_tool_read"].read_only_hint, True)
    equal("destructive", hints["call_tool_destructive"].destructive_hint, True)


async def finds(client):
    result = await client.call_tool("retrieve_tools", {"query": "read a file"})
    equal("is_error", bool(result.is_error), False)
    found = {tool["name"].split(":")[-1]: tool["call_with"] for tool in result.structured_content["tools"]}
    equal("the variant of Read", found.get("Read"), "call_tool_read")


async def calls(client):
    arguments = {
        "name": "builtin:Read",
        "args": {"file_path": "marker.txt"},
        "intent": {"operation_type": "read"},
    }
    result = await client.call_tool("call_tool_read", arguments)
    text = "".join(block.text for block in result.content)
    equal("it holds the marker", "the marker is 7731" in text, True)


async def check(name, work):
    try:
        await work
        print(f"pass {name}", flush=True)
        return True
    except Exception as error:  # whatever the SDK raises, it refused what awf said
        print(f"fail {name}: {type(error).__name__}: {error}", flush=True)
        return False


async def main(mode, url):
    async with httpx2.AsyncClient(headers={"X-API-Key": os.environ["AWF_KEY"]}, timeout=30) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=30) as client:
            passed = [
                await check("lists the tools", lists(client)),
                await check("finds a tool", finds(client)),
                await check("calls it", calls(client)),
            ]
    return 0 if all(passed) else 1


sys.exit(asyncio.run(main(*sys.argv[1:])))
