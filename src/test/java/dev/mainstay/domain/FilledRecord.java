package dev.mainstay.domain;

import dev.mainstay.domain.Criterion.Met;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.JournalEntry.Origin;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * A record of any type with something in every field of it and of all that it holds, and a text of
 * one's own in one of them. The fields are found by reflection, so that a new one is filled, too.
 */
public final class FilledRecord {
  /** Texts that are no words: the domain has a shape for each and refuses all else. */
  private static final Map<String, String> SHAPED =
      Map.ofEntries(
          Map.entry("Identity.id", "exec_20260131T120000Z_00000000-0000-0000-0000-000000000001"),
          Map.entry("TaskId.value", "T-001"),
          Map.entry("TaskType.name", "CODE"),
          Map.entry("Pages.layouts", "plan.md"));

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final String target;
  private final String text;
  private final Map<Class<?>, Supplier<Object>> made = new LinkedHashMap<>();

  /** Every field has a word of its own, and the target this text. */
  public FilledRecord(String target, String text) {
    this.target = target;
    this.text = text;
    made.put(Actor.class, () -> Actor.agent(word("Actor.name")));
    made.put(Settings.class, this::settings);
    made.put(RunPhase.class, () -> RunPhase.SUSPENDED);
    made.put(ExecutionStatus.class, () -> ExecutionStatus.PAUSED);
    made.put(TaskStatus.class, () -> TaskStatus.ASSIGNED);
    made.put(ExecutionType.class, () -> ExecutionType.values()[0]);
    made.put(Proposal.Kind.class, () -> Proposal.Kind.STEP);
    made.put(StepStatus.class, () -> StepStatus.ACTIVE);
    made.put(Waiting.class, () -> Waiting.NOTHING);
    made.put(Terms.class, () -> Terms.NONE);
  }

  /** The names of all fields with text, as {@code Note.text}, of a record and all that it holds. */
  public static Set<String> fields(Class<?> root) {
    Set<String> fields = new TreeSet<>();
    collect(root, "", fields, new HashSet<>());
    fields.removeAll(SHAPED.keySet());
    return fields;
  }

  private static void collect(Type type, String name, Set<String> fields, Set<Type> seen) {
    if (type == String.class || type == Object.class) fields.add(name);
    else if (type == JsonObject.class) fields.addAll(List.of(name, name + " key"));
    else if (type instanceof WildcardType any) collect(any.getUpperBounds()[0], name, fields, seen);
    else if (type instanceof ParameterizedType of) {
      for (Type each : of.getActualTypeArguments()) collect(each, name, fields, seen);
    } else if (type instanceof Class<?> known && known.isRecord() && seen.add(known)) {
      for (RecordComponent each : known.getRecordComponents()) {
        collect(each.getGenericType(), named(known, each), fields, seen);
      }
    }
  }

  private static String named(Class<?> type, RecordComponent field) {
    return type.getSimpleName() + "." + field.getName();
  }

  private String word(String name) {
    if (name.equals(target)) return text;
    return SHAPED.getOrDefault(name, "w" + Integer.toString(name.hashCode() & 0xffffff, 36));
  }

  /** A record of this type. */
  public <T> T of(Class<T> type) {
    return type.cast(value(type, type.getSimpleName()));
  }

  private Object value(Type type, String name) {
    if (type instanceof ParameterizedType of) return many(of, name);
    Class<?> known = (Class<?>) type;
    Supplier<Object> own = made.get(known);
    if (own != null) return own.get();
    if (known == String.class || known == Object.class) return word(name);
    if (known == JsonObject.class) return JsonObject.of(word(name + " key"), word(name));
    if (known == long.class || known == Long.class) return 1L;
    if (known == int.class || known == Integer.class) return 1;
    if (known == boolean.class) return false;
    if (known == BigDecimal.class) return BigDecimal.ONE;
    if (known == Instant.class) return NOON;
    if (known.isEnum()) return known.getEnumConstants()[0];
    if (known.isRecord()) return record(known);
    throw new IllegalStateException(name + " is of a kind that nobody fills: " + known);
  }

  private Object many(ParameterizedType type, String name) {
    Type[] of = type.getActualTypeArguments();
    if (of[0] == Criterion.class) return criteria();
    if (of[0] == Passage.class) return passages();
    if (of[0] == Directive.class) return directives();
    if (of[0] == Behaviour.class) return behaviours();
    if (type.getRawType() == List.class) return List.of(value(of[0], name));
    if (type.getRawType() != Map.class) throw new IllegalStateException(name + ": " + type);
    Map<Object, Object> map = new LinkedHashMap<>();
    if (of[0] instanceof Class<?> keys && keys.isEnum()) {
      for (Object key : keys.getEnumConstants()) map.put(key, value(of[1], name));
    } else map.put(word(name), value(of[1], name));
    return map;
  }

  /** One with a check and one that somebody's word says is met: none has both. */
  private List<Criterion> criteria() {
    return List.of(
        new Criterion("x" + word("Criterion.text"), word("Criterion.check"), null),
        new Criterion(word("Criterion.text"), null, of(Met.class)));
  }

  /** One that binds, which is a person's, and one that does not. */
  private List<Directive> directives() {
    var person = new Origin(Actor.person("ada"), word("Origin.source"), NOON);
    return List.of(
        new Directive("x" + word("Directive.text"), true, person),
        new Directive(word("Directive.text"), false, of(Origin.class), 3));
  }

  /** Only the one of this kind of work is shown. */
  private List<Behaviour> behaviours() {
    return List.of(
        new Behaviour(ExecutionType.values()[0].behaviour(), word("Behaviour.text")),
        new Behaviour(word("Behaviour.name"), "x"));
  }

  /** Only what stands under one heading is shown in a prompt. */
  private List<Passage> passages() {
    return List.of(
        new Passage("### Key Findings", word("Passage.body")),
        new Passage(word("Passage.heading"), "x"));
  }

  private Settings settings() {
    String tool = word("Settings.values");
    return new Settings(Map.of(Setting.PREFERRED_TOOLS, List.of(tool, word("Settings.tool"))));
  }

  private Object record(Class<?> type) {
    RecordComponent[] fields = type.getRecordComponents();
    List<Object> values = new ArrayList<>();
    for (RecordComponent each : fields) values.add(value(each.getGenericType(), named(type, each)));
    try {
      Class<?>[] types = Arrays.stream(fields).map(RecordComponent::getType).toArray(Class[]::new);
      return type.getDeclaredConstructor(types).newInstance(values.toArray());
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof RuntimeException why) throw why;
      throw new IllegalStateException(refused);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
