package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.cli.Serving;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final String STORE_WORD = "changeit";

  @TempDir Path folder;
  private Path certificate;
  private Path key;
  private KeyStore keys;

  /** The JDK's own tool makes the pair; PEM is the same in other words. */
  @BeforeEach
  void aCertificate() throws Exception {
    Files.createDirectory(folder.resolve(".git"));
    Path store = folder.resolve("keys.p12");
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    var made =
        new ProcessBuilder(tool.toString(), "-genkeypair", "-alias", "server", "-keyalg", "EC")
            .redirectErrorStream(true);
    made.command().addAll(List.of("-dname", "CN=localhost", "-storetype", "PKCS12"));
    made.command().addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1"));
    made.command().addAll(List.of("-keystore", store.toString(), "-storepass"));
    made.command().add(STORE_WORD);
    Process process = made.start();
    process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_WORD.toCharArray());
    }
    certificate = pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
    key = pem("PRIVATE KEY", keys.getKey("server", STORE_WORD.toCharArray()).getEncoded());
  }

  private Path pem(String what, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    String dashes = "-----";
    return Files.writeString(
        folder.resolve(what.replace(' ', '-') + ".pem"),
        dashes + "BEGIN " + what + dashes + "\n" + text + "\n" + dashes + "END " + what + dashes);
  }

  private Serving serve(String host, Path withCertificate, Path withKey) {
    var wiring = new Wiring(Map.of("USER", "ada"), folder);
    return wiring.serve(null, new Serving.Wanted(host, 0, withCertificate, withKey));
  }

  @Test
  void with_a_certificate_others_may_call_it_over_tls() throws Exception {
    try (Serving serving = serve("0.0.0.0", certificate, key)) {
      assertThat(serving.address()).startsWith("https://");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", keys.getCertificate("server"));
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      HttpClient client = HttpClient.newBuilder().sslContext(context).build();
      String port = serving.address().replaceFirst(".*:", "");
      URI health = URI.create("https://127.0.0.1:" + port + "/health");
      var answer = client.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void half_a_pair_or_a_wrong_one_is_refused() {
    assertThatThrownBy(() -> serve("0.0.0.0", certificate, null)).hasMessageContaining("--tls-key");
    assertThatThrownBy(() -> serve("127.0.0.1", key, key)).hasMessageContaining("cannot be used");
    assertThatThrownBy(() -> serve("127.0.0.1", certificate, certificate))
        .hasMessageContaining("PKCS#8");
  }
}
