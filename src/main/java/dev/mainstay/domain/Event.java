package dev.mainstay.domain;

/** Something that happened, in the past tense. Its kind and payload are what the journal keeps. */
public interface Event {
  /** A dotted name such as {@code task.created}: the aspect of the dossier, then what happened. */
  String kind();

  JsonObject payload();
}
