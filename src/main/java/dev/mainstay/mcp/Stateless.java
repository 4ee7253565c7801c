package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The revision in which each request stands for itself: it names its version, its client and what
 * the client can do, and the answer says what kind of result it is and how long it may be kept.
 */
final class Stateless {
  static final String META = "io.modelcontextprotocol/";
  static final String VERSION = META + "protocolVersion";
  static final String CLIENT = META + "clientInfo";
  static final String CAPABILITIES = META + "clientCapabilities";
  static final String LOG_LEVEL = META + "logLevel";
  static final String SERVER = META + "serverInfo";
  static final String SUBSCRIPTION = META + "subscriptionId";
  static final String LISTEN = "subscriptions/listen";
  static final String DISCOVER = "server/discover";

  /** The lists are part of the program; another version of it may have others. */
  static final int LIST_MILLIS_MAX = 300_000;

  private static final Set<String> LISTS =
      Set.of("tools/list", "resources/list", "resources/templates/list", "prompts/list", DISCOVER);

  private final Desk desk;

  Stateless(Desk desk) {
    this.desk = desk;
  }

  /** The version that a request names; one that names none is refused. */
  static String version(Message request) {
    if (!(request.params().get("_meta") instanceof JsonObject meta)) {
      throw WireError.invalid(
          "\"_meta\" is missing; each request names its protocol version there");
    }
    if (meta.get(VERSION) instanceof String version) return version;
    throw WireError.invalid("\"_meta\" must name \"" + VERSION + "\"");
  }

  /** Refuses a request that does not say what each must say, or says it in another revision. */
  static void check(Message request) {
    String version = version(request);
    if (!version.equals(Revision.STATELESS)) throw unsupported(version);
    JsonObject meta = request.meta();
    if (!(meta.get(CAPABILITIES) instanceof JsonObject)) {
      throw WireError.invalid("\"_meta\" must hold \"" + CAPABILITIES + "\", empty or not");
    }
    Object client = meta.get(CLIENT);
    if (client != null && !(client instanceof JsonObject)) {
      throw WireError.invalid("\"" + CLIENT + "\" must be an object");
    }
    if (meta.get(LOG_LEVEL) instanceof String level) Connection.level(level);
  }

  static WireError unsupported(String version) {
    return new WireError(
        WireError.UNSUPPORTED_VERSION,
        "this protocol version is not spoken here; those before 2026-07-28 begin with initialize",
        JsonObject.of("supported", Revision.ALL, "requested", version));
  }

  static @Nullable String client(Message request) {
    return request.meta().get(CLIENT) instanceof JsonObject client
        ? client.textOrNull("name")
        : null;
  }

  static JsonObject capabilities(Message request) {
    return request.meta().get(CAPABILITIES) instanceof JsonObject given ? given : JsonObject.EMPTY;
  }

  /** Which lines of the log a request wants: none, unless it says so. */
  static Predicate<String> logged(Message request) {
    if (!(request.meta().get(LOG_LEVEL) instanceof String wanted)) return level -> false;
    int least = Connection.level(wanted);
    return level -> Connection.LEVELS.indexOf(level) >= least;
  }

  boolean knows(String method) {
    return method.equals(DISCOVER) || method.equals(LISTEN) || desk.knows(method);
  }

  /** The result, or a {@link WireError}; not for {@link #LISTEN}, whose answer is its end. */
  JsonObject answer(Message request, Asking asking) {
    String method = request.called();
    try {
      JsonObject result = method.equals(DISCOVER) ? discovered() : desk.answer(request, asking);
      if (LISTS.contains(method)) return complete(kept(result, LIST_MILLIS_MAX, "public"));
      if (method.equals("resources/read")) return complete(kept(result, 0, "private"));
      return complete(result);
    } catch (WireError error) {
      boolean missing = error.code() == WireError.RESOURCE_NOT_FOUND;
      throw missing ? error.withCode(WireError.INVALID_PARAMS) : error;
    }
  }

  private JsonObject discovered() {
    return JsonObject.of("supportedVersions", Revision.ALL)
        .with("capabilities", Desk.capabilities())
        .with("instructions", desk.registry().instructions());
  }

  private static JsonObject kept(JsonObject result, int millis, String scope) {
    return result.with("ttlMs", millis).with("cacheScope", scope);
  }

  private JsonObject complete(JsonObject result) {
    return result
        .with("resultType", "complete")
        .with("_meta", JsonObject.of(SERVER, desk.serverInfo()));
  }

  /** The answer to a subscription that ends in order. */
  JsonObject listened(Object id) {
    return JsonObject.of("resultType", "complete")
        .with("_meta", JsonObject.of(SERVER, desk.serverInfo(), SUBSCRIPTION, id));
  }

  /** The addresses that a subscription is about; lists never change here, so they are not heard. */
  static Set<String> wanted(Message request) {
    JsonObject filter =
        request.params().get("notifications") instanceof JsonObject given
            ? given
            : JsonObject.EMPTY;
    List<String> uris = filter.texts("resourceSubscriptions");
    if (uris.size() > Connection.WATCHED_MAX) {
      throw WireError.invalid(
          "at most " + Connection.WATCHED_MAX + " resources are watched at once");
    }
    return Set.copyOf(uris);
  }

  static JsonObject acknowledged(Object id, Set<String> uris) {
    Map<String, Object> honoured = new LinkedHashMap<>();
    if (!uris.isEmpty()) honoured.put("resourceSubscriptions", new ArrayList<>(uris));
    return Message.notice(
        "notifications/subscriptions/acknowledged",
        JsonObject.of("notifications", honoured, "_meta", JsonObject.of(SUBSCRIPTION, id)));
  }

  static JsonObject updated(Object id, String uri) {
    return Message.notice(
        "notifications/resources/updated",
        JsonObject.of("uri", uri, "_meta", JsonObject.of(SUBSCRIPTION, id)));
  }
}
