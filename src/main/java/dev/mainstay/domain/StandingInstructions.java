package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the sentences of a prompt that are to hold for longer than this turn: "from now on use
 * tabs", "never push to main", "always run the tests first". English alone is understood. A report
 * ("this never worked"), a question, a quotation and code are no instructions; in doubt a sentence
 * is none.
 */
public final class StandingInstructions {
  public static final int OF_A_PROMPT_MAX = 4;
  public static final int SENTENCE_CHARS_MAX = 400;
  private static final int PROMPT_CHARS_MAX = 10_000;
  private static final int WORDS_MIN = 3;

  private static final Pattern FENCED = Pattern.compile("(?s)(```|~~~).*?(\\1|\\z)");
  private static final Pattern TAGGED =
      Pattern.compile("(?s)<([A-Za-z][\\w-]{0,60})(?: [^>]{0,200})?>.*?</\\1>");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?;])\\s+|\\n+");
  private static final Pattern BULLET = Pattern.compile("^(?:[-*+•]|\\d{1,3}[.)]|#{1,6})\\s+");

  /** What people say before they come to the point. */
  private static final String POLITE =
      "(?:(?:please|and|also|but|so|ok|okay|oh|then|again|important|note|remember|reminder|rule)"
          + "[,:]?\\s+){0,3}";

  private static final String BEGIN =
      "(?:^" + POLITE + "|[,:]\\s+(?:please\\s+)?|\\b(?:and|but)\\s+)";

  /** "always VERB", "never VERB", at the beginning of a sentence or of a part of it. */
  private static final Pattern ORDER =
      Pattern.compile(BEGIN + "(?:always|never ever|never|only ever)\\s+(?:please\\s+)?([a-z'-]+)");

  /** "you must never", "make sure to always", "I want you to never". */
  private static final Pattern DUTY =
      Pattern.compile(
          "\\b(?:you (?:must|should|shall|need to|have to|are to)"
              + "|(?:make|be) sure (?:that )?(?:to|you)"
              + "|remember to|(?:want|need|expect|like) you to)\\s+(?:always|never)\\s+([a-z'-]+)");

  /** "we always use": a custom of the house, by verbs that are seldom a complaint. */
  private static final Pattern CUSTOM =
      Pattern.compile(
          BEGIN
              + "we (?:always|never) (?:use|run|write|commit|push|prefer|keep|name|put|add|test"
              + "|format|squash|rebase|merge|deploy|document|review|import|mock)\\b");

  private static final Pattern NOT_AGAIN =
      Pattern.compile(
          BEGIN
              + "(?:do not|don't|dont|stop)\\s+(?:ever\\s+.+|.+\\b(?:ever again|anymore|any more|again"
              + "|in (?:the )?future)[.!]?$)");

  private static final Pattern EACH_TIME =
      Pattern.compile("^" + POLITE + "(?:whenever|every time|each time) (?:you|we) [^,]+, \\w+.*");

  private static final Pattern REMEMBER = Pattern.compile("^(?:please\\s+)?remember:\\s+\\S");

  /** Words that make whatever order goes with them a standing one. */
  private static final Pattern HENCEFORTH =
      Pattern.compile(
          "\\b(?:from now on|from here on(?: out)?|going forward|henceforth|in (?:the )?future"
              + "|as a (?:general )?rule|until i (?:say|tell you) otherwise"
              + "|for the rest of (?:this|the) (?:session|task|project|work|conversation))\\b[,:]?\\s*");

  /** How an order begins that is not just a verb. */
  private static final Pattern ORDERLY =
      Pattern.compile(
          "^(?:you|we|let's|lets|let us|i (?:want|need|expect|would like|prefer)|i'd (?:like|prefer)"
              + "|no |only |all )\\b?.*");

  /** What stands where a verb would, and is none that orders something. */
  private static final Set<String> NO_ORDERS =
      Set.of(
          """
          a again all am an and another any anything are as at available bad because
          been before broke broken but by came can could did does easy empty enough ever
          everything false fast felt for found from fun gave given gone good got gotten
          had hard has have he heard i if in is it its just kept knew known left less
          lost made may meant might mind mine more must my necessary nobody not nothing
          null of on once or other our possible quicker quite ran really right said same
          saw seen she should slow so something that the there these they this those
          thought to told too took true very was we went were when will with worked
          would written wrong wrote you your
          """
              .strip()
              .split("\\s+"));

  private static final Set<String> ENDING_IN_S_OR_ED =
      Set.of("focus", "alias", "bias", "embed", "exceed", "feed", "proceed", "seed", "shed");

  private StandingInstructions() {}

  /** The standing instructions of a prompt in its own words, in their order. */
  public static List<String> in(String prompt) {
    String text = Graphemes.cut(prompt, PROMPT_CHARS_MAX);
    text = TAGGED.matcher(FENCED.matcher(text).replaceAll("\n")).replaceAll("\n");
    List<String> found = new ArrayList<>();
    for (String part : SENTENCE_END.split(text)) {
      if (part.strip().startsWith(">")) continue;
      String sentence = BULLET.matcher(part.strip()).replaceFirst("").strip();
      if (found.size() == OF_A_PROMPT_MAX) break;
      if (!found.contains(sentence) && isStanding(sentence)) found.add(sentence);
    }
    return List.copyOf(found);
  }

  private static boolean isStanding(String sentence) {
    if (sentence.length() > SENTENCE_CHARS_MAX || sentence.endsWith("?")) return false;
    if (sentence.split("\\s+").length < WORDS_MIN) return false;
    String said = unquoted(sentence).toLowerCase(Locale.ROOT).replace('\u2019', '\'');
    return hasOrder(ORDER, said)
        || hasOrder(DUTY, said)
        || CUSTOM.matcher(said).find()
        || NOT_AGAIN.matcher(said).find()
        || EACH_TIME.matcher(said).matches()
        || REMEMBER.matcher(said).find()
        || isFromNowOn(said);
  }

  /** What is quoted is somebody else's, or the words the prompt is about. */
  private static String unquoted(String sentence) {
    return sentence.replaceAll("\"[^\"]*\"|\u201c[^\u201d]*\u201d|`[^`]*`", "it");
  }

  private static boolean hasOrder(Pattern pattern, String said) {
    Matcher matcher = pattern.matcher(said);
    while (matcher.find()) if (isOrder(matcher.group(1))) return true;
    return false;
  }

  /** Whether a word can be the verb of an order: "run", and not "runs", "ran" or "the". */
  private static boolean isOrder(String word) {
    if (NO_ORDERS.contains(word)) return false;
    if (ENDING_IN_S_OR_ED.contains(word)) return true;
    boolean tells = word.endsWith("s") && !word.endsWith("ss");
    return !tells && !word.endsWith("ed") && !word.endsWith("ing") && !word.endsWith("ly");
  }

  /** "From now on use tabs", "use tabs from now on"; but not "from now on it works". */
  private static boolean isFromNowOn(String said) {
    Matcher matcher = HENCEFORTH.matcher(said);
    if (!matcher.find()) return false;
    String rest = said.substring(0, matcher.start()) + said.substring(matcher.end());
    String order = rest.strip().replaceFirst("^" + POLITE, "").replaceFirst("^[,:]\\s*", "");
    if (ORDERLY.matcher(order).matches()) return true;
    String first = order.split("[^a-z'-]+", 2)[0];
    if (first.equals("do") || first.equals("don't") || first.equals("dont")) return true;
    if (first.equals("always") || first.equals("never")) return true;
    boolean passive =
        matcher.start() > 0 && order.matches(".*\\b(?:will|would|is|are|was|were)\\b.*");
    return !first.isEmpty() && isOrder(first) && !passive;
  }
}
