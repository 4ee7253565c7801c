package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The shape of a piece of JSON, in the words of JSON Schema. */
record Schema(JsonObject json) {
  private static final String REF = "#/components/schemas/";

  static Schema text(String about) {
    return typed("string", about);
  }

  static Schema number(String about) {
    return typed("integer", about);
  }

  static Schema truth(String about) {
    return typed("boolean", about);
  }

  static Schema oneOf(String about, String... values) {
    return new Schema(text(about).json.with("enum", List.of(values)));
  }

  static Schema list(Schema items) {
    return new Schema(JsonObject.of("type", "array", "items", items.json));
  }

  /** An object with whatever fields its writer likes; without the word no generator knows. */
  static Schema open(String about) {
    return new Schema(typed("object", about).json.with("additionalProperties", true));
  }

  /** An object with fields to be named; in a request, others are refused. */
  static Schema fields() {
    return new Schema(JsonObject.of("type", "object", "properties", JsonObject.EMPTY));
  }

  /** One that {@link Schemas#NAMED} explains. */
  static Schema ref(String name) {
    return new Schema(JsonObject.of("$ref", REF + name));
  }

  private static Schema typed(String type, String about) {
    return new Schema(JsonObject.of("type", type, "description", about));
  }

  Schema needs(String field, Schema schema) {
    List<Object> required = new ArrayList<>(json.list("required"));
    required.add(field);
    return new Schema(may(field, schema).json.with("required", required));
  }

  Schema may(String field, Schema schema) {
    return new Schema(json.with("properties", json.object("properties").with(field, schema.json)));
  }

  Schema orNull() {
    return new Schema(json.with("type", List.of(json.text("type"), "null")));
  }

  /**
   * Other fields than those named are a mistake. Beside a reference the word would forbid every
   * field, so what is referred to must be closed itself.
   */
  Schema closed() {
    if (!json.has("$ref")) return new Schema(json.with("additionalProperties", false));
    if (resolved().isClosed()) return this;
    throw new IllegalStateException(json.text("$ref") + " takes any field");
  }

  private boolean isClosed() {
    return Boolean.FALSE.equals(json.get("additionalProperties"));
  }

  /** The shape itself, when this only names it. */
  Schema resolved() {
    String ref = json.textOrNull("$ref");
    if (ref == null) return this;
    Schema named = Schemas.NAMED.get(ref.substring(REF.length()));
    if (named == null) throw new IllegalStateException("no schema " + ref);
    return named;
  }
}
