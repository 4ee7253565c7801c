package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the sentences of a prompt that are to hold for longer than this turn: "from now on use
 * tabs", "never push to main", "Ab jetzt immer auf Deutsch antworten". English and German are
 * understood. Only a person's own words count: a prompt of a few lines, or the first and last
 * paragraph of a longer one in which nothing looks pasted. A report ("this never worked"), a
 * question, a quotation, a log, code, a request for work that ends in "never ...", and a sentence
 * with a secret are no instructions; in doubt a sentence is none.
 */
public final class StandingInstructions {
  public static final int OF_A_PROMPT_MAX = 4;
  public static final int SENTENCE_CHARS_MAX = 240;
  private static final int PROMPT_CHARS_MAX = 10_000;
  private static final int OWN_CHARS_MAX = 400;
  private static final int OWN_LINES_MAX = 4;
  private static final int WORDS_MIN = 3;

  // With the line that announces it: "Fix this:".
  private static final Pattern FENCED =
      Pattern.compile("(?s)(?:[^\\n]{0,200}:[ \\t]*\\n\\s*)?(```|~~~).*?(\\1|\\z)");
  private static final Pattern TAGGED =
      Pattern.compile("(?s)<([A-Za-z][\\w-]{0,60})(?: [^>]{0,200})?>.*?</\\1>");
  private static final Pattern PARAGRAPH_END = Pattern.compile("\\n[ \\t]*+\\n\\s*+");
  // A line goes on in the next one if that begins small and is no item of a list.
  private static final Pattern WRAP =
      Pattern.compile("(?<![.!?:;])[ \\t]*+\\n[ \\t]{0,8}(?=\\p{Ll})");
  private static final Pattern SENTENCE_END =
      Pattern.compile(
          "(?<=[.!?])(?<!\\b(?:e\\.g|i\\.e|z\\.B|d\\.h|etc|vs|bzw|usw|ca|Nr)\\.)\\s+|\\n+");
  private static final Pattern BULLET = Pattern.compile("^(?:[-*+•]|\\d{1,3}[.)]|#{1,6})\\s+");
  private static final Pattern CONJUNCTION =
      Pattern.compile("(?i)^(?:and|but|also|so|und|aber)[,:]?\\s+");

  /** Lines of logs, commands, stack traces, mails and quotations. */
  private static final Pattern PASTED_LINE =
      Pattern.compile(
          "(?m)^\\s*(?:>|\\$ |\\[?\\d{4}-\\d\\d-\\d\\d|\\[?\\d\\d:\\d\\d:\\d\\d|at [\\w.$]+\\(|File \""
              + "|(?:From|To|Subject|Date|Von|An|Betreff|Datum): |[-=*_]{3,}\\s*$|#{1,6} |\\|"
              + "|[\\w./-]+:\\d+(?::\\d+)?:)|\\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\\b");

  /** What announces text by another author. */
  private static final Pattern ANNOUNCED =
      Pattern.compile(
          "(?i)\\b(?:here(?:'s| is| are| comes)|below|following|attached|pasted?|copied|quote|readme"
              + "|docs?|documentation|manual|log|output|issue|ticket|e-?mail|message|comment|article"
              + "|says|said|wrote|writes|error|trace|hier (?:ist|sind|kommt)|folgend\\w*|unten|anbei"
              + "|angehängt|zitat|schreibt|schrieb|sagt|steht|ausgabe|fehler|meldung|protokoll"
              + "|nachricht|kommentar|anleitung|beschreibung)\\b|(?:\\.\\.\\.|…)\\s*$");

  private static final Pattern OWN_LIST =
      Pattern.compile(
          "(?i)^(?:please|some|my|our|general|the|meine|unsere|bitte)?\\s*(?:rules?|notes?|remember"
              + "|important|regeln?|wichtig|hinweise?|beachte)[^:]{0,40}:$");

  /** What people say before they come to the point. */
  private static final String POLITE =
      "(?:(?:please|and|also|but|so|ok|okay|oh|then|again|important|note|remember|reminder|rule"
          + "|bitte|und|also|wichtig|regel)[,:]?\\s+){0,3}";

  /** The beginning of a sentence, or of its main clause after a condition. */
  private static final String BEGIN =
      "^"
          + POLITE
          + "(?:(?:when|whenever|if|before|after|for|in|on|while|once|unless)\\b[^,]{1,100},\\s+)?"
          + "(?:please\\s+)?";

  /** "always VERB", "never VERB". */
  private static final Pattern ORDER =
      Pattern.compile(BEGIN + "(?:always|never ever|never|only ever)\\s+(?:please\\s+)?([a-z'-]+)");

  /** "you must never", "make sure to always", "I want you to never". */
  private static final Pattern DUTY =
      Pattern.compile(
          BEGIN
              + "(?:you (?:must|should|shall|need to|have to|are to)"
              + "|(?:make|be) sure (?:that )?(?:to|you)"
              + "|remember to|i (?:want|need|expect|would like) you to|i'd like you to)"
              + "\\s+(?:always|never)\\s+([a-z'-]+)");

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

  private static final String GERMAN_VERB =
      "(?:nutze?|verwende|benutze?|schreibe?|antworte|mache?|committe|pushe|teste|nimm|halte|prüfe"
          + "|führe?|frage?|lass|vermeide|formatiere|starte|füge?|lege?|gib|sprich|bleibe?|setze?"
          + "|lösche|ändere|achte|zeige?|erkläre|dokumentiere|benenne|installiere)";

  /** "Nutze niemals var", "Immer die Tests laufen lassen", "Du darfst nie ...". */
  private static final Pattern GERMAN_ORDER =
      Pattern.compile(
          "^"
              + POLITE
              + ("(?:"
                  + GERMAN_VERB
                  + "\\s+(?:\\S+\\s+){0,3}?(?:immer|stets|nie|niemals|nie wieder)\\b.*")
              + "|(?:immer|stets|nie|niemals|nie wieder)\\s+.*\\s(?!ge)\\S+(?:en|ern|eln)[.!]?$"
              + "|(?:immer|stets|nie|niemals)\\s+(?:bitte\\s+)?"
              + GERMAN_VERB
              + "\\b.*"
              + "|du (?:sollst|musst|darfst|solltest)\\s+(?:immer|stets|nie|niemals)\\b.*"
              + "|(?:ab jetzt|ab sofort|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft)[,:]?\\s+"
              + "(?:bitte\\s+)?(?:immer|stets|nur|nie|niemals|keine?n?|"
              + GERMAN_VERB
              + ")\\b.*)");

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

  /** Verbs with which an order that ends in "from now on" begins. */
  private static final Set<String> VERBS =
      Set.of(
          """
          add address always answer ask avoid begin break build call check commit create delete
          deploy do document don't dont end explain fix follow format give go ignore import include
          install keep leave let limit log make merge mock move name never only open pass prefer
          print push put read rebase refactor rename reply report respond return review run save
          say send set show skip speak split squash start stay stick stop store summarize summarise
          talk tell test translate treat try update use verify wait work write
          """
              .strip()
              .split("\\s+"));

  private static final Set<String> ENDING_IN_S_OR_ED =
      Set.of("focus", "alias", "bias", "embed", "exceed", "feed", "proceed", "seed", "shed");

  private StandingInstructions() {}

  /** The standing instructions of a prompt in its own words, in their order. */
  public static List<String> in(String prompt) {
    String text = Graphemes.cut(prompt.replace("\r\n", "\n"), PROMPT_CHARS_MAX);
    text = TAGGED.matcher(FENCED.matcher(text).replaceAll("\n")).replaceAll("\n");
    List<String> found = new ArrayList<>();
    for (String part : own(text.strip())) {
      for (String each : SENTENCE_END.split(WRAP.matcher(part).replaceAll(" "))) {
        String sentence = CONJUNCTION.matcher(bare(each)).replaceFirst("").strip();
        if (found.size() == OF_A_PROMPT_MAX) break;
        if (!found.contains(sentence) && isStanding(sentence)) found.add(sentence);
      }
    }
    return List.copyOf(found);
  }

  private static String bare(String part) {
    return BULLET.matcher(part.strip()).replaceFirst("").strip();
  }

  /** The paragraphs that are a person's own words, without the lines that are not. */
  private static List<String> own(String text) {
    List<String> paragraphs = List.of(PARAGRAPH_END.split(text));
    int last = paragraphs.size() - 1;
    if (last == 0) return ifShort(ownLines(text));
    if (PASTED_LINE.matcher(text).find() || announces(text)) return List.of();
    List<String> own = new ArrayList<>(ifShort(ownLines(paragraphs.get(0))));
    own.addAll(ifShort(ownLines(paragraphs.get(last))));
    return own;
  }

  private static boolean announces(String text) {
    return text.lines().anyMatch(line -> ANNOUNCED.matcher(line).find() || isLeadIn(line));
  }

  private static boolean isLeadIn(String line) {
    return line.strip().endsWith(":") && !OWN_LIST.matcher(line.strip()).matches();
  }

  private static List<String> ifShort(String paragraph) {
    boolean isShort =
        paragraph.length() <= OWN_CHARS_MAX
            && paragraph.lines().filter(line -> !line.isBlank()).count() <= OWN_LINES_MAX;
    return isShort ? List.of(paragraph) : List.of();
  }

  /** The lines of a paragraph up to one that announces what others wrote, without those of logs. */
  private static String ownLines(String paragraph) {
    StringBuilder own = new StringBuilder();
    for (String line : paragraph.split("\n")) {
      if (isLeadIn(line)) break;
      if (!PASTED_LINE.matcher(line).find()) own.append(line).append('\n');
    }
    return own.toString();
  }

  private static boolean isStanding(String sentence) {
    if (sentence.length() > SENTENCE_CHARS_MAX || sentence.endsWith("?")) return false;
    if (sentence.split("\\s+").length < WORDS_MIN) return false;
    if (!Redactor.DEFAULT.redact(sentence).equals(sentence) || sentence.contains("[redacted:")) {
      return false;
    }
    String said = unquoted(sentence).toLowerCase(Locale.ROOT).replace('\u2019', '\'');
    return hasOrder(ORDER, said)
        || hasOrder(DUTY, said)
        || CUSTOM.matcher(said).find()
        || GERMAN_ORDER.matcher(said).matches()
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
    boolean verb = matcher.start() == 0 ? isOrder(first) : VERBS.contains(first);
    return !first.isEmpty() && verb && !passive;
  }
}
