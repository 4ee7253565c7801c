package dev.mainstay.cli;

import picocli.CommandLine;

/** {@code mainstay mcp}: speak MCP on standard input and output until the input ends. */
@CommandLine.Command(
    name = "mcp",
    description =
        "Speak MCP on standard input and output; agents start it, 'mainstay init' wires it.",
    footer = {"", "Example:", "  mainstay mcp"})
final class McpCommand extends Command {
  McpCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    return session.services().mcp(db);
  }
}
