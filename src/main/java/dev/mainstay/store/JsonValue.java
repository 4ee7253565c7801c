package dev.mainstay.store;

/** Marks a list that is bound as JSON, where a bare list would stand for several values. */
record JsonValue(Object value) {}
