package dev.mainstay.rules;

/** Why an expression has no answer, in one sentence. */
final class Unanswered extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sentence;

  Unanswered(String sentence) {
    super(sentence, null, false, false);
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
