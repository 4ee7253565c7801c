package dev.mainstay.domain;

/** A journal entry that was read: where it is, and its stream. */
public record ReadEntry(Position position, String stream) {}
