package dev.mainstay.access;

import dev.mainstay.domain.JournalEntry;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Random texts that nobody guesses, and comparing them without telling how far they agree. */
public final class Secret {
  public static final int SECRET_BYTES = 32;
  public static final int SECRET_CHARS_MAX = 200;
  private static final String PREFIX = "mst_";
  private static final String SEAL = "HmacSHA256";
  private static final int ID_BYTES = 5;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secret() {}

  /** A token's text; its beginning says what it is to those who find one lying about. */
  static String token() {
    return PREFIX + random();
  }

  /** 32 random bytes in letters that fit into addresses and cookies. */
  public static String random() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String id() {
    byte[] bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    return "tok-" + HexFormat.of().formatHex(bytes);
  }

  public static String hash(String secret) {
    return JournalEntry.sha256(secret);
  }

  /** The HMAC of a text. */
  static String seal(String key, String text) {
    try {
      Mac mac = Mac.getInstance(SEAL);
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), SEAL));
      byte[] sealed = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Takes as long for a text that is nearly right as for one that is all wrong. */
  public static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
