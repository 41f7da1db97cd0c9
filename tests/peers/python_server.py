"""A server of the official Python SDK, as a peer for awf to stand before.

    python_server.py              over stdio
    python_server.py <port>       over streamable HTTP, on loopback

Its tools answer with what an SDK can send: structured content, an image, a sound, an embedded resource, a link, an
error, and a question to the client, which awf answers for nobody.
"""

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    Annotations,
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    SamplingMessage,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

server = MCPServer("workshop", version="1.0.0")

# A picture of one pixel, and a sound of no samples.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


class Point(BaseModel):
    """A place on a plane."""

    x: int
    y: float
    label: str | None = Field(default=None, description="What stands there")


@server.tool(
    title="Locate",
    description="Finds the place of a thing – ünïcode and \"quotes\" included.",
    annotations=ToolAnnotations(title="Locate a thing", read_only_hint=True, open_world_hint=False),
    meta={"example.org/rank": 7, "example.org/tags": ["a", "b"]},
)
def locate(label: str, scale: float = 1.5) -> Point:
    return Point(x=9007199254740993, y=scale * 2, label=label)


@server.tool(annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True))
def picture() -> CallToolResult:
    """A picture and a sound, for the person only."""
    person = Annotations(audience=["user"], priority=0.25)
    return CallToolResult(
        content=[
            ImageContent(type="image", data=PIXEL, mime_type="image/png", annotations=person),
            AudioContent(type="audio", data=SILENCE, mime_type="audio/wav"),
        ]
    )


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def document(name: str) -> CallToolResult:
    """A text that comes along, and a link to another; with metadata at each level."""
    text = TextResourceContents(
        uri=f"note://{name}", mime_type="text/markdown", text="# Title\n\n\u2028 – \t\"x\"\n", _meta={"line": 1}
    )
    return CallToolResult(
        content=[
            EmbeddedResource(type="resource", resource=text),
            ResourceLink(type="resource_link", uri="note://other", name="other", size=12, _meta={"seen": False}),
        ],
        structured_content={"parts": [text.uri, None, 1e-7]},
        _meta={"example.org/source": "shelf"},
    )


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False))
def note(text: str, tags: list[str] | None = None) -> str:
    """Writes a note down."""
    return f"noted {text} {tags}"


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True))
def erase(name: str) -> list[str]:
    """Erases what has this name."""
    return ["erased", name]


@server.tool()
def silent() -> None:
    """Says nothing of what it is, and answers nothing."""


@server.tool()
def fails(why: str) -> str:
    """Fails always."""
    raise ValueError(why)


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def asks_a_model(ctx: Context) -> str:
    """Asks the client for a model's words."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text="say something"))
    answer = await ctx.session.create_message(messages=[message], max_tokens=10)
    return f"it said {answer}"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def asks_for_roots(ctx: Context) -> str:
    """Asks the client where it works."""
    answer = await ctx.session.list_roots()
    return f"they are {answer}"


class Choice(BaseModel):
    """What a person is asked."""

    agreed: bool


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def asks_a_person(ctx: Context) -> str:
    """Asks the client's person."""
    answer = await ctx.elicit("Do you agree?", Choice)
    return f"they said {answer}"


match sys.argv[1:]:
    case []:
        server.run("stdio")
    case [port]:
        server.run("streamable-http", host="127.0.0.1", port=int(port))
    case _:
        sys.exit(__doc__)
