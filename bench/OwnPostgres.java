import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A PostgreSQL of a bench's own that keeps its promises: the builder turns durability off. */
final class OwnPostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  OwnPostgres() throws IOException {
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "200")
            .setServerConfig("shared_buffers", "512MB")
            .start();
  }

  String url() {
    return "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
  }

  String jdbc() {
    return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
