package dev.mainstay.domain;

/** A journal entry and where a reader of the journal stands after it. */
public record Placed(JournalEntry entry, Position position) {}
