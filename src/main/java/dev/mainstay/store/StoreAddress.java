package dev.mainstay.store;

import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Where a store is: a SQLite file, or a PostgreSQL database with an optional schema. */
public sealed interface StoreAddress {
  /** How people are told of it: never with a password. */
  String shown();

  /** Reads {@code postgresql://...}, {@code sqlite:FILE} or a plain file name. */
  static StoreAddress parse(String text) {
    if (text.startsWith("postgresql://") || text.startsWith("postgres://"))
      return Server.parse(text);
    String file = text.startsWith("sqlite:") ? text.substring("sqlite:".length()) : text;
    if (file.isBlank() || file.contains("://")) {
      throw Refusal.invalid(
          "--db takes a file name or postgresql://user@host/database; this is neither: "
              + withoutSecrets(file));
    }
    try {
      return new File(Path.of(file));
    } catch (InvalidPathException malformed) {
      throw Refusal.invalid("--db names no usable file: " + malformed.getReason());
    }
  }

  private static String withoutSecrets(String text) {
    return text.replaceFirst("://[^@/]*@", "://***@");
  }

  /** A SQLite file. */
  record File(Path path) implements StoreAddress {
    public File {
      path = real(path.toAbsolutePath().normalize()); // one file has one name, and one lock
    }

    /** Without links: SQLite follows them too, and puts its logs beside the file itself. */
    private static Path real(Path path) {
      try {
        return path.toRealPath();
      } catch (IOException notThere) {
        Path parent = path.getParent();
        return parent == null ? path : real(parent).resolve(path.getFileName());
      }
    }

    @Override
    public String shown() {
      return path.toString();
    }
  }

  /** A PostgreSQL database; the properties hold user and password. */
  record Server(String jdbcUrl, Properties login, @Nullable String schema) implements StoreAddress {
    private static final int PORT = 5432;

    /** Only these reach the driver: some of its own load classes by name. */
    private static final List<String> PARAMETERS =
        List.of(
            "schema",
            "sslmode",
            "sslrootcert",
            "sslcert",
            "sslkey",
            "connectTimeout",
            "socketTimeout",
            "loginTimeout",
            "tcpKeepAlive",
            "prepareThreshold");

    static Server parse(String text) {
      try {
        URI uri = new URI(text.replaceFirst("^postgres(ql)?://", "postgresql://"));
        if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
          throw Refusal.invalid(
              "--db needs a host and a database, as in postgresql://user@host/database");
        }
        int port = uri.getPort() < 0 ? PORT : uri.getPort();
        Properties login = new Properties();
        credentials(uri.getRawUserInfo(), login);
        String schema = parameters(uri.getRawQuery(), login);
        return new Server(
            "jdbc:postgresql://" + uri.getHost() + ":" + port + uri.getRawPath(), login, schema);
      } catch (URISyntaxException malformed) {
        throw Refusal.invalid(
            "--db is not a valid address ("
                + malformed.getReason()
                + "); it looks like postgresql://user@host/database");
      }
    }

    private static void credentials(@Nullable String userInfo, Properties login) {
      if (userInfo == null) return;
      int colon = userInfo.indexOf(':');
      login.setProperty("user", decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)));
      if (colon >= 0) login.setProperty("password", decoded(userInfo.substring(colon + 1)));
    }

    private static @Nullable String parameters(@Nullable String query, Properties login) {
      String schema = null;
      for (String pair : query == null ? new String[0] : query.split("&")) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        if (name.equals("schema")) schema = schemaName(value);
        else if (PARAMETERS.contains(name)) login.setProperty(name, value);
        else if (!name.isEmpty()) throw unknownParameter(name);
      }
      return schema;
    }

    private static Refusal unknownParameter(String name) {
      return Refusal.invalid(
          Phrase.of(
              "--db knows no parameter \"%s\"; did you mean \"%s\"?",
              name, Nearest.to(name, PARAMETERS)));
    }

    private static String schemaName(String name) {
      if (name.matches("[a-z_][a-z0-9_]{0,62}")) return name;
      throw Refusal.invalid("a schema's name has small letters, digits and underscores: " + name);
    }

    private static String decoded(String text) {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The same database, another schema of it. */
    public Server withSchema(String other) {
      return new Server(jdbcUrl, login, schemaName(other));
    }

    @Override
    public String shown() {
      String address = jdbcUrl.substring("jdbc:".length());
      return schema == null ? address : address + "?schema=" + schema;
    }
  }
}
