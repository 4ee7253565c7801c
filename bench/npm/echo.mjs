// The least that a server of MCP can be, with the official SDK: one tool that says its text again.
//
//   node echo.mjs stdio
//   node echo.mjs http     prints its port, then answers at /mcp until its input ends
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function echo() {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool('echo', { description: 'Say it again.', inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: 'text', text }] }));
  return server;
}

if (process.argv[2] === 'stdio') {
  await echo().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: true,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await echo().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
  process.stdin.on('end', () => process.exit(0)).resume();
}
