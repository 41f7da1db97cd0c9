"""A server that no SDK would make, over stdio: what it lists and answers is legal, and unlike what others send.

Each tool and each result is a text, sent as it stands: order of keys, spaces, escapes, numbers beyond what a double can
hold, content of kinds nobody has defined, and annotations of a vendor.
"""

import json
import sys

TOOLS = [
    r'{"annotations":{"x-vendor":{"cost":12345678901234567890,"unit":"\u00a2"},"readOnlyHint":true,"vendorHint":1.50},'
    r'"inputSchema":{"properties":{"id":{"type":"integer","maximum":18446744073709551615}},"type":"object"},'
    r'"x-first":[1.0,1e3,-0.0],"name":"count","description":"Counts \u0062eyond \ud83d\ude00"}',
    r'{"name":"chart","title":"Chart","inputSchema":{"type":"object","x-order":["b","a"]},"icons":[{"src":"data:,"}],'
    r'"_meta":{"b":1,"a":2}}',
]
RESULTS = {
    "count": r'{"content":[{"type":"text","text":"\u0041 and A"}],"structuredContent":{"n":12345678901234567890,'
    r'"z":1.0,"a":1e400},"isError":false,"x-trailer":null}',
    "chart": r'{"_meta":{"vendor/trace":"q"},"content":[{"type":"hologram","frames":[[1,2],[3.0,4]],"codec":"x\/y"},'
    r'{"mimeType":"image\/png","data":"AA==","type":"image","alt":"a"},{"type":"text","text":"","tone":"dry"}]}',
}


def answer(message):
    params = message.get("params", {})
    match message["method"]:
        case "initialize":
            version = params["protocolVersion"]
            return '{"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}' % version
        case "tools/list":
            # A page each.
            at = int(params.get("cursor", 0))
            more = ',"nextCursor":"%d"' % (at + 1) if at + 1 < len(TOOLS) else ""
            return '{"tools":[%s]%s}' % (TOOLS[at], more)
        case "tools/call":
            return RESULTS[params["name"]]
        case _:
            return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    result = answer(message)
    tail = '"result":%s' % result if result else '"error":{"code":-32601,"message":"no such method"}'
    sys.stdout.write('{"jsonrpc":"2.0","id":%s,%s}\n' % (json.dumps(message["id"]), tail))
    sys.stdout.flush()
