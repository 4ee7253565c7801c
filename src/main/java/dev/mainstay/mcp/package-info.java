/**
 * Agents over MCP: one list of tools, resources and prompts, served over standard input and HTTP in
 * both eras of the protocol. Touches the domain, json, render, the feature rooms and the SDK.
 */
@NullMarked
package dev.mainstay.mcp;

import org.jspecify.annotations.NullMarked;
