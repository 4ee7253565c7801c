package dev.mainstay.upkeep;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.ErasureTable.Found;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Erases a text that should never have been written: from the journal's payloads, every table, the
 * files of state directories, logs and views, and from the bytes of the database. What it cannot
 * reach it names. Only a person forgets; that something was forgotten is never forgotten.
 */
public final class Forgetting {
  private static final int TAG_BYTES = 2;

  /** Somebody may write it again while it is erased; then it is looked for again. */
  private static final int ROUNDS_MAX = 3;

  /** A text that can be guessed must not be confirmed by what is kept beside a key. */
  private static final int KEY_ROUNDS = 200_000;

  private static final int KEY_BITS = 128;

  private final Store store;
  private final OwnFiles files;
  private final StateFiles stateFiles;
  private final Copies copies;

  /** Keeps the files of state directories from being read while the store and they change. */
  public interface StateFiles {
    /** Which directories can be rewritten, by their ids. */
    Set<String> reached();

    /** Does the work for those it reaches, then erases the text there; how many files had it. */
    long around(Erasure erasure, Consumer<Set<String>> work);

    /** How many files have it. */
    long holding(Erasure erasure);

    /** Which directories may have it for ever: some of which the store knows, and what is here. */
    Set<String> beyondReach(Collection<StateDirectory> unreached);
  }

  /** The online backups of the store, which are removed whole. */
  public interface Copies {
    /** What a database on a server has. */
    Copies NONE =
        new Copies() {
          @Override
          public long count() {
            return 0;
          }

          @Override
          public long removeAll() {
            return 0;
          }
        };

    long count();

    long removeAll();
  }

  public Forgetting(Store store, OwnFiles files, StateFiles stateFiles, Copies copies) {
    this.store = store;
    this.files = files;
    this.stateFiles = stateFiles;
    this.copies = copies;
  }

  /**
   * Where it was found that can be rewritten: rows by table, those of them that have only its
   * beginning, since a text was cut there, and a number of files.
   */
  public record Stood(Map<String, Long> rows, Map<String, Long> cut, long files) {}

  /**
   * What stays as it is: names by column, by which something is found again; files that are not
   * ours to rewrite; and why old bytes may still be in the files of the database.
   */
  public record Beyond(Map<String, Long> names, List<String> files, @Nullable String left) {}

  /** Where the text stands, or stood before it was erased, and the mark that has its place. */
  public record Report(boolean applied, String mark, Stood stood, Beyond beyond) {
    public boolean isNothing() {
      return stood.rows().isEmpty()
          && stood.files() == 0
          && beyond.names().isEmpty()
          && beyond.files().isEmpty();
    }

    /** Whether it is nowhere any more that Mainstay knows of. */
    public boolean isComplete() {
      return applied
          && beyond.names().isEmpty()
          && beyond.files().isEmpty()
          && beyond.left() == null;
    }

    public JsonObject toJson() {
      return JsonObject.of("applied", applied, "mark", mark)
          .with("rows", stood.rows())
          .with("cut", stood.cut())
          .with("files", stood.files())
          .with("names", beyond.names())
          .with("others", beyond.files())
          .with("left", beyond.left());
    }

    static Report fromJson(JsonObject json) {
      return new Report(
          Boolean.TRUE.equals(json.get("applied")),
          json.text("mark"),
          new Stood(counts(json.object("rows")), counts(json.object("cut")), json.number("files")),
          new Beyond(
              counts(json.object("names")),
              json.list("others").stream().map(String::valueOf).toList(),
              json.textOrNull("left")));
    }

    private static Map<String, Long> counts(JsonObject json) {
      Map<String, Long> counts = new TreeMap<>();
      for (String name : json.asMap().keySet()) counts.put(name, json.number(name));
      return counts;
    }
  }

  /** Tells where it stands; changes nothing. */
  public Report plan(String text, Call call) {
    refuseAgents(call);
    Erasure erasure = erasure(text);
    Found found = look(erasure);
    long count = files.holding(erasure) + stateFiles.holding(erasure);
    if (!found.rows().isEmpty()) count += copies.count();
    var beyond = new Beyond(found.names(), beyondReach(erasure, found.unreached()), null);
    return new Report(false, "", new Stood(found.rows(), found.cut(), count), beyond);
  }

  private Found look(Erasure erasure) {
    Set<String> reached = stateFiles.reached();
    return store.reading(tx -> tx.erasures().look(erasure, reached));
  }

  private List<String> beyondReach(Erasure erasure, Collection<StateDirectory> unreached) {
    Set<String> beyond = new TreeSet<>(files.beyondReach(erasure));
    beyond.addAll(stateFiles.beyondReach(unreached));
    return List.copyOf(beyond);
  }

  /** Erases it wherever it can be erased. */
  public Report apply(String text, Call call) {
    refuseAgents(call);
    Erasure erasure = erasure(text);
    Once<Report> once = Once.known(call, fingerprint(text, call), Report::toJson, Report::fromJson);
    var before = store.answered(once);
    if (before.isPresent()) return before.get();
    Map<String, Long> rows = new TreeMap<>();
    Map<String, Long> cut = new TreeMap<>();
    Set<StateDirectory> unreached = new LinkedHashSet<>();
    long changed = 0;
    for (int round = 1; round <= ROUNDS_MAX; round++) {
      changed += files.erase(erasure);
      changed +=
          stateFiles.around(
              erasure,
              reached -> {
                Found found = erased(erasure, reached, call);
                found.rows().forEach((table, count) -> rows.merge(table, count, Long::sum));
                found.cut().forEach((table, count) -> cut.merge(table, count, Long::sum));
                unreached.addAll(found.unreached());
              });
      changed += files.erase(erasure); // what was logged meanwhile
      if (look(erasure).rows().isEmpty()) break;
    }
    String left = store.scrub().orElse(null);
    changed += copies.removeAll(); // they were made before, and the next one has it no more
    var beyond = new Beyond(look(erasure).names(), beyondReach(erasure, unreached), left);
    Report report = new Report(true, erasure.mark(), new Stood(rows, cut, changed), beyond);
    return store.inTransaction(once, tx -> report);
  }

  private Found erased(Erasure erasure, Set<String> reached, Call call) {
    return store.inTransaction(
        Once.<Found>unkeyed(), tx -> tx.erasures().erase(erasure, reached, call.withKey(null)));
  }

  private static void refuseAgents(Call call) {
    if (call.actor().isPerson()) return;
    throw Refusal.conflict(
            "only a person makes Mainstay forget something; ask one to run 'mainstay forget'")
        .reserved();
  }

  private static Erasure erasure(String text) {
    byte[] tag = new byte[TAG_BYTES];
    new SecureRandom().nextBytes(tag);
    String once = inJson(text);
    String xml = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return Erasure.of(
        text,
        List.of(
            once,
            inJson(once),
            inJson(inJson(once)),
            xml,
            xml.replace("\"", "&quot;"),
            xml.replace("\"", "&quot;").replace("'", "&#39;"),
            URLEncoder.encode(text, StandardCharsets.UTF_8),
            URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20")),
        HexFormat.of().formatHex(tag));
  }

  /** As it stands between the quotes of a JSON text. */
  private static String inJson(String text) {
    String quoted = JsonText.write(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  /** What a key is known by must not tell what was forgotten under it. */
  private static String fingerprint(String text, Call call) {
    if (call.key() == null) return "";
    try {
      byte[] salt = ("mainstay forget " + call.key()).getBytes(StandardCharsets.UTF_8);
      var spec = new PBEKeySpec(text.toCharArray(), salt, KEY_ROUNDS, KEY_BITS);
      byte[] hash =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
      return "forget " + HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has PBKDF2", impossible);
    }
  }

  /**
   * The text that stands at one place of the journal: a stream, a number, and where in its payload,
   * such as {@code decisions.0}; without the latter the payload must hold one text only.
   */
  public String textAt(String stream, long number, String where, Call call) {
    refuseAgents(call);
    JournalEntry entry =
        store
            .reading(tx -> tx.journal().find(stream, number))
            .orElseThrow(
                () ->
                    Refusal.notFound(
                        Phrase.of(
                            "there is no entry %d of %s; see 'mainstay journal'", number, stream)));
    Object value = JsonText.object(entry.content().payload());
    for (String step : where.split("\\.")) value = inside(value, step);
    if (value instanceof String text) return text;
    throw Refusal.invalid(
        Phrase.of(
            "at \"%s\" of entry %d of %s is no text; 'mainstay journal --json' shows its payload",
            where, number, stream));
  }

  private static @Nullable Object inside(@Nullable Object value, String step) {
    if (value instanceof JsonObject object) return object.get(step);
    if (value instanceof List<?> list && step.matches("[0-9]{1,6}")) {
      int place = Integer.parseInt(step);
      return place < list.size() ? list.get(place) : null;
    }
    return null;
  }
}
