package dev.mainstay.rest;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** A certificate and its key, from the PEM files that everybody has. */
public final class Tls {
  private static final String DASHES = "-----";
  private static final String LABEL = "PRIVATE KEY";
  private static final Pattern KEY =
      Pattern.compile(
          DASHES + "BEGIN " + LABEL + DASHES + "([A-Za-z0-9+/=\\s]+)" + DASHES + "END " + LABEL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
  private static final String NO_PASSWORD = "";

  private final KeyStore keys;

  private Tls(KeyStore keys) {
    this.keys = keys;
  }

  /** Reads both; what cannot be used is refused before the server starts. */
  public static Tls of(Path certificate, Path key) {
    try {
      byte[] pem = Files.readAllBytes(certificate);
      var chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
      if (chain.isEmpty()) throw Refusal.invalid(certificate + " holds no certificate in PEM");
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "mainstay",
          key(key, Files.readString(key, StandardCharsets.US_ASCII)),
          NO_PASSWORD.toCharArray(),
          chain.toArray(Certificate[]::new));
      return new Tls(keys);
    } catch (IOException | GeneralSecurityException fault) {
      throw Refusal.invalid(
          Phrase.of(
              "the certificate %s and the key %s cannot be used: %s",
              certificate, key, fault.getMessage()));
    }
  }

  private static PrivateKey key(Path file, String pem) throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(pem);
    if (!matcher.find()) {
      throw Refusal.invalid(
          file
              + " holds no private key in PKCS#8; convert it with 'openssl pkcs8 -topk8 -nocrypt'");
    }
    var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException another) {
        continue;
      }
    }
    throw Refusal.invalid(file + " holds a key of a kind that is not known; use RSA or EC");
  }

  SslContextFactory.Server factory() {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setKeyStore(keys);
    factory.setKeyStorePassword(NO_PASSWORD);
    return factory;
  }
}
