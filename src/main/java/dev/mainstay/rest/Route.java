package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One thing the server can be asked for, as data: how it is asked, by whom, and what answers. The
 * server mounts it and its description is generated from the same values, so neither can be without
 * the other.
 */
record Route(Target target, About about, Taking taking, Giving giving, Handling handling) {
  enum Verb {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE
  }

  /** A verb and a path; what stands for {@code {path}} may have slashes in it, as a file's has. */
  record Target(Verb verb, String path) {
    private static final String WITH_SLASHES = "<path>";
    private static final String DESCRIBED = "{path}";

    /** As the library writes it. */
    String mounted() {
      return path.replace(DESCRIBED, WITH_SLASHES);
    }

    /** The same back again. */
    static String described(String mounted) {
      return mounted.replace(WITH_SLASHES, DESCRIBED);
    }

    @Override
    public String toString() {
      return verb + " " + path;
    }
  }

  /** What it is for; nobody named in roles means that everybody may ask, without a token. */
  record About(String tag, String summary, Set<Role> roles) {}

  /** One word behind the question mark. */
  record Query(String name, Schema schema) {}

  /** What it takes: a body like the example, queries, and perhaps an expected version. */
  record Taking(
      @Nullable Schema body, @Nullable Object example, List<Query> queries, boolean matching) {}

  /** What it answers when all is well, with an example. */
  record Giving(int status, String mediaType, Schema schema, @Nullable Object example) {}

  @FunctionalInterface
  interface Handling {
    Reply handle(Request request);
  }

  static final String JSON = "application/json";

  private static final Set<Role> ALL = EnumSet.allOf(Role.class);
  private static final Set<Role> WRITERS = EnumSet.of(Role.PERSON, Role.AGENT);

  /** A route whose callers follow from its verb: who only looks may only get. */
  static Route of(Verb verb, String path, String tag, String summary) {
    return new Route(
        new Target(verb, path),
        new About(tag, summary, verb == Verb.GET ? ALL : WRITERS),
        new Taking(null, null, List.of(), false),
        new Giving(200, JSON, Schema.open("the answer"), null),
        request -> {
          throw new IllegalStateException(path + " has no handler");
        });
  }

  static Route get(String path, String tag, String summary) {
    return of(Verb.GET, path, tag, summary);
  }

  /** Everybody may ask. */
  Route open() {
    return with(new About(about.tag, about.summary, Set.of()));
  }

  /** Only these may ask. */
  Route only(Role role) {
    return with(new About(about.tag, about.summary, EnumSet.of(role)));
  }

  /** Not for those who only look, although nothing is sent: it leaves something behind. */
  Route notForViewers() {
    return with(new About(about.tag, about.summary, WRITERS));
  }

  private Route with(About other) {
    return new Route(target, other, taking, giving, handling);
  }

  private Route with(Taking other) {
    return new Route(target, about, other, giving, handling);
  }

  /** Takes a JSON object of this shape; other fields are refused. */
  Route takes(Schema body, Object example) {
    return with(new Taking(body.closed(), example, taking.queries, taking.matching));
  }

  Route query(String name, Schema schema) {
    List<Query> all = new ArrayList<>(taking.queries);
    all.add(new Query(name, schema));
    return with(new Taking(taking.body, taking.example, List.copyOf(all), taking.matching));
  }

  /** Lists in parts. */
  Route paged() {
    return query("cursor", Schema.text("where the part before ended; without it, the beginning"))
        .query("limit", Schema.number("at most so many"));
  }

  /** Takes {@code If-Match} with the version that is to be changed. */
  Route matching() {
    return with(new Taking(taking.body, taking.example, taking.queries, true));
  }

  Route gives(int status, Schema schema, Object example) {
    return new Route(target, about, taking, new Giving(status, JSON, schema, example), handling);
  }

  Route gives(Schema schema, Object example) {
    return gives(200, schema, example);
  }

  /** Answers something else than JSON. */
  Route givesText(String mediaType, String meaning) {
    var text = new Giving(200, mediaType, Schema.text(meaning), null);
    return new Route(target, about, taking, text, handling);
  }

  Route by(Handling handler) {
    return new Route(target, about, taking, giving, handler);
  }

  boolean isOpen() {
    return about.roles.isEmpty();
  }

  boolean isWrite() {
    return target.verb != Verb.GET;
  }
}
