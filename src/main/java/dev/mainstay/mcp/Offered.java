package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;

/** One tool as it is written here: what it is called, what it takes, and what it does. */
interface Offered {
  String name();

  /** When to call it, for a model that has read nothing else. */
  String description();

  JsonObject schema();

  Tool.Hints hints();

  /** Answers arguments that were held to the schema. A refusal is told by whoever calls this. */
  Reply call(Visit visit, JsonObject arguments);

  /** How much the reply may take. */
  default int budget(JsonObject arguments) {
    return Portion.REPLY_TOKENS_MAX;
  }

  /** What only looks. */
  Tool.Hints LOOKS = new Tool.Hints(true, true);

  /** What changes something each time. */
  Tool.Hints WRITES = new Tool.Hints(false, false);

  /** What is done once however often it is asked for. */
  Tool.Hints SETS = new Tool.Hints(false, true);
}
