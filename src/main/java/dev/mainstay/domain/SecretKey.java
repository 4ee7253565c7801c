package dev.mainstay.domain;

import java.util.regex.Pattern;

/** Tells names of secrets from names that only contain the same words. */
final class SecretKey {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i).*?(?:password|passwort|kennwort|passwd|passphrase|pwd|mot[ _-]?de[ _-]?passe"
              + "|contrase(?:\u00f1|n)a|(?<![a-z])(?:pass|pw|psk|senha)|secret|token"
              + "|credential|authorization|(?<![a-z])auth|cookie|(?:api|access|auth|private|secret"
              + "|encryption|signing|master|account)[_ .-]?key)"
              + "s?(?:[_-]?(?:value|base|[0-9]{1,2}))?");
  // Tokens that walk pages, stop a computation or are counted.
  private static final Pattern OTHER =
      Pattern.compile(
          "(?i).*(?:next|page|pagination|continuation|cancellation|sync|resume|max|min|num|total"
              + "|prompt|completion|input|output|cached|reasoning|stop|count|public)"
              + "[_ .-]?(?:page[_-]?)?(?:tokens?|keys?)");

  private SecretKey() {}

  static boolean names(String key) {
    return key.length() <= 128 && SECRET.matcher(key).matches() && !OTHER.matcher(key).matches();
  }
}
