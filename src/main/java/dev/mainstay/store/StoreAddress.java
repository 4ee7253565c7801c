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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /**
   * A PostgreSQL database on one host or on several of which one is the primary; the properties
   * hold user and password.
   */
  record Server(String jdbcUrl, Properties login, @Nullable String schema) implements StoreAddress {
    private static final int PORT = 5432;
    private static final String HOST = "[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]";
    private static final String EXAMPLE = "postgresql://user@host/database";
    private static final String TARGET = "targetServerType";
    private static final String CONNECT_SECONDS_MAX = "3";

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
            "prepareThreshold",
            TARGET,
            "hostRecheckSeconds",
            "loadBalanceHosts");

    /** The values that the driver takes; a mistyped one would fail only when it connects. */
    private static final Map<String, String> VALUES =
        Map.of(
            TARGET,
            "any|primary|secondary|preferPrimary|preferSecondary",
            "hostRecheckSeconds",
            "[0-9]{1,4}",
            "loadBalanceHosts",
            "true|false");

    static Server parse(String text) {
      try {
        URI uri = new URI(text.replaceFirst("^postgres(ql)?://", "postgresql://"));
        String authority = uri.getRawAuthority();
        if (authority == null || uri.getPath() == null || uri.getPath().length() < 2) {
          throw Refusal.invalid("--db needs a host and a database, as in " + EXAMPLE);
        }
        int at = authority.lastIndexOf('@');
        Properties login = new Properties();
        credentials(at < 0 ? null : authority.substring(0, at), login);
        String schema = parameters(uri.getRawQuery(), login);
        String hosts = hosts(authority.substring(at + 1));
        Server server = new Server("jdbc:postgresql://" + hosts + uri.getRawPath(), login, schema);
        if (!server.hasSeveralHosts()) return server;
        // The driver would settle for the first host that answers, which may be a standby, and
        // would spend most of a request's time on one that does not answer at all.
        login.putIfAbsent(TARGET, "primary");
        login.putIfAbsent("connectTimeout", CONNECT_SECONDS_MAX);
        return server;
      } catch (URISyntaxException malformed) {
        throw Refusal.invalid(
            "--db is not a valid address ("
                + malformed.getReason()
                + "); it looks like "
                + EXAMPLE);
      }
    }

    /** Each host with its port, in their order. */
    private static String hosts(String given) {
      List<String> hosts = new ArrayList<>();
      for (String each : given.split(",", -1)) {
        int colon = each.lastIndexOf(':');
        boolean hasPort = colon > each.lastIndexOf(']');
        String host = hasPort ? each.substring(0, colon) : each;
        String port = hasPort ? each.substring(colon + 1) : Integer.toString(PORT);
        if (!host.matches(HOST) || !isPort(port)) {
          throw Refusal.invalid(
              Phrase.of(
                  "--db names no usable host: \"%s\"; several are written as host1:5432,host2:5432",
                  each));
        }
        hosts.add(host + ":" + port);
      }
      return String.join(",", hosts);
    }

    private static boolean isPort(String text) {
      if (!text.matches("[0-9]{1,5}")) return false;
      int port = Integer.parseInt(text);
      return port > 0 && port <= 0xffff;
    }

    /** Whether a host that is no primary may be passed over for another. */
    boolean hasSeveralHosts() {
      int hosts = jdbcUrl.indexOf("//") + 2;
      return jdbcUrl.substring(hosts, jdbcUrl.indexOf('/', hosts)).indexOf(',') >= 0;
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
        else if (PARAMETERS.contains(name)) login.setProperty(name, checked(name, value));
        else if (!name.isEmpty()) throw unknownParameter(name);
      }
      return schema;
    }

    private static String checked(String name, String value) {
      String allowed = VALUES.getOrDefault(name, ".*");
      if (value.matches(allowed)) return value;
      String words = allowed.startsWith("[") ? "a number of seconds" : allowed.replace("|", ", ");
      throw Refusal.invalid(
          Phrase.of("--db: %s cannot be \"%s\"; it takes %s", name, value, words));
    }

    private static Refusal unknownParameter(String name) {
      String advice =
          Nearest.slip(name, PARAMETERS)
              .map(meant -> "did you mean \"" + meant + "\"?")
              .orElse("it knows " + String.join(", ", PARAMETERS));
      return Refusal.invalid(Phrase.of("--db knows no parameter \"%s\"; %s", name, advice));
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
