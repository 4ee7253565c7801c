package dev.mainstay.domain;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a person's words to an agent praise or complain about its work. Only English is
 * understood. A clause counts when it says nothing but praise or complaint; tasks, questions,
 * conditions, quotations, code and mere politeness count for nothing, and neither does a prompt
 * that both praises and complains.
 */
public enum Feedback {
  POSITIVE,
  NEGATIVE,
  NONE;

  /** Feedback stands at the beginning of what a person writes; what follows is often pasted. */
  public static final int WORDS_CHARS_MAX = 4_000;

  /** Longer ones say more than praise or complaint. */
  private static final int CLAUSE_CHARS_MAX = 200;

  private static final Pattern NOT_THEIR_OWN =
      Pattern.compile(
          "(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)|`[^`\\n]*`|\"[^\"\\n]*\"|“[^”\\n]*”"
              + "|(?<!\\w)'[^'\\n]*'(?!\\w)|(?m:^[ \\t]*>[^\\n]*$)");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?;])\\s+|\\s*\\n\\s*");
  private static final Pattern CONDITIONAL =
      Pattern.compile("(?:if|when|whenever|unless|until|suppose|assume|in case)\\b.*");
  private static final Pattern CLAUSE_END =
      Pattern.compile("[.!,;()…]+|\\s[-–—]+\\s|\\s(?:but|and|because|however|though)\\s");

  private static final Pattern WORD_END = Pattern.compile("[^\\p{L}\\p{N}'_/.-]+");
  private static final Pattern CAPITALS = Pattern.compile("[A-Z]{2,}");

  private static final Map<String, String> SHORT_FORMS =
      Map.ofEntries(
          Map.entry("that's", "that is"),
          Map.entry("thats", "that is"),
          Map.entry("it's", "it is"),
          Map.entry("this's", "this is"),
          Map.entry("i'm", "i am"),
          Map.entry("im", "i am"),
          Map.entry("you're", "you are"),
          Map.entry("you've", "you have"),
          Map.entry("they're", "they are"),
          Map.entry("isn't", "is not"),
          Map.entry("isnt", "is not"),
          Map.entry("wasn't", "was not"),
          Map.entry("aren't", "are not"),
          Map.entry("don't", "do not"),
          Map.entry("dont", "do not"),
          Map.entry("doesn't", "does not"),
          Map.entry("doesnt", "does not"),
          Map.entry("didn't", "did not"),
          Map.entry("didnt", "did not"),
          Map.entry("cannot", "can not"),
          Map.entry("can't", "can not"));

  /** Words that only greet, agree or disagree, before what is said. */
  private static final Set<String> OPENINGS =
      Set.of(
          "oh",
          "wow",
          "ah",
          "yes",
          "yeah",
          "yep",
          "no",
          "nope",
          "ugh",
          "argh",
          "ok",
          "okay",
          "hey",
          "hi",
          "man",
          "dude",
          "honestly",
          "sorry",
          "thanks",
          "thx",
          "claude",
          "codex",
          "gemini");

  /** Words that only strengthen, wherever they stand. */
  private static final Set<String> STRENGTH =
      Set.of(
          "very",
          "really",
          "so",
          "absolutely",
          "totally",
          "completely",
          "truly",
          "pretty",
          "quite",
          "simply",
          "actually",
          "super",
          "extremely",
          "incredibly",
          "also",
          "too",
          "much",
          "now");

  private static final Pattern ASIDES =
      Pattern.compile(
          "(?: (?:far|again|to me|for me|here|indeed|as always|at all|thanks|thank you|thx|a lot"
              + "|everyone|team|claude|codex|gemini|man|mate|today))+$");

  /** What the words in capitals stand for in the tables below. */
  private static final Map<String, String> KINDS =
      Map.of(
          "PRAISE",
          "great|excellent|awesome|amazing|fantastic|brilliant|wonderful|superb|perfect|beautiful"
              + "|lovely|impressive|outstanding|fabulous|terrific|marvellous|marvelous|magnificent",
          "GOOD",
          "PRAISE|good|nice|neat|cool|solid",
          "BAD",
          "wrong|bad|terrible|awful|horrible|useless|frustrating|annoying|disappointing|incorrect"
              + "|unacceptable|ridiculous|garbage|rubbish|nonsense|horrendous|infuriating|sloppy"
              + "|a mess|a disaster|a joke|worse",
          "WORK",
          "work|job|stuff|result|results|solution|answer|fix|catch|idea|effort|progress|refactoring"
              + "|refactor|implementation|explanation|find|move|thinking|summary|one",
          "IT",
          "this|that|it|these|those|they|everything|your \\w+|the (?:result|results|outcome|output"
              + "|answer|solution|fix|change|changes|new version|last change|last commit)",
          "IS",
          "is|are|was|were|looks|look|reads|feels|seems|sounds|turned out",
          "THAT",
          "it|this|that|your work|the result|what you did");

  /** Single words, which only the beginning of a sentence makes feedback. */
  private static final List<Pattern> BARE_PRAISES = table("PRAISE");

  private static final List<Pattern> BARE_COMPLAINTS =
      table("wrong|incorrect|terrible|awful|horrible|ridiculous|unacceptable|useless");

  private static final List<Pattern> PRAISES =
      table(
          "(what an? )?GOOD WORK( (on|with) .*)?",
          "IT IS (an? )?GOOD( WORK)?",
          "IT IS better",
          "(looks|look|sounds|reads) GOOD",
          "(IT )?(works|worked|runs|ran) (perfectly|great|beautifully|flawlessly|nicely|like a charm)",
          "(IT IS )?(just )?exactly (what|how|as|the way) i (wanted|needed|asked|asked for|meant)",
          "(i )?(love|loved) THAT",
          "i (like|appreciate) THAT",
          "i am (happy|pleased|impressed|delighted|satisfied)( (with|by) .*)?",
          "(you )?(nailed|aced|crushed) it",
          "you (rock|are (a genius|a star|a lifesaver|the best|PRAISE))",
          "(well|nicely|beautifully|brilliantly) done( (on|with) .*)?",
          "lgtm|bravo|kudos|spot on|hooray",
          "IT (fixed|solved) (it|the problem|the issue)",
          "(IT IS )?not bad",
          "(i )?can not complain");

  private static final List<Pattern> COMPLAINTS =
      table(
          "(what an? )?(terrible|awful|horrible|bad|poor|sloppy|lousy|useless) WORK",
          "what a (mess|disaster|waste of time)",
          "IT IS (just )?(an? )?BAD( WORK)?",
          "(IT IS )?(just )?(not|never|hardly) (an? )?(GOOD|right|correct|acceptable|helpful)"
              + "( enough| WORK)?",
          "(IT IS )?(just )?not (at all )?(what|how) i (asked|wanted|meant|said|needed|told you).*",
          "(IT )?(IS )?still (IS )?(wrong|bad|broken|not (working|fixed|right|good|correct))",
          "(IT )?still (does|did) not (work|help)",
          "IT IS (broken|failing) again",
          "IT (just )?(sucks|makes no sense|made it worse|did not help)",
          "you (have )?(just )?(broke|broken|ruined|messed up|screwed up|ignored|misunderstood"
              + "|made it worse|failed again|did it again|forgot again)\\b.*",
          "you (keep|kept) (making|breaking|ignoring|forgetting|doing|repeating|deleting)\\b.*",
          "you (are|were|did) not (listening|listen)( to me)?",
          "i am (just )?(frustrated|annoyed|disappointed|unhappy|angry|not happy|not pleased"
              + "|not impressed|fed up|losing patience|tired of)( .*)?",
          "(i )?(hate|dislike) THAT",
          "i (do|did) not (like|love) THAT",
          "i (already|just) (told|asked) you\\b.*",
          "(stop|quit) doing (that|this|it)",
          "(wtf|what the hell|for god's sake|for the (last|hundredth|third|second) time)\\b.*");

  private static List<Pattern> table(String... clauses) {
    return Arrays.stream(clauses).map(clause -> Pattern.compile(expanded(clause))).toList();
  }

  private static String expanded(String clause) {
    return CAPITALS
        .matcher(clause)
        .replaceAll(
            kind ->
                Matcher.quoteReplacement(
                    "(?:" + expanded(KINDS.getOrDefault(kind.group(), "")) + ")"));
  }

  /** What the words say about the work; when in doubt, nothing. */
  public static Feedback in(String words) {
    String head = words.substring(0, Math.min(words.length(), WORDS_CHARS_MAX));
    String own = NOT_THEIR_OWN.matcher(head).replaceAll("QUOTED");
    Set<Feedback> found = EnumSet.noneOf(Feedback.class);
    for (String sentence : SENTENCE_END.split(own)) {
      String said = sentence.strip().toLowerCase(Locale.ROOT).replace('’', '\'');
      if (!said.endsWith("?") && !CONDITIONAL.matcher(said).matches()) addSaid(said, found);
    }
    if (found.contains(POSITIVE) == found.contains(NEGATIVE)) return NONE;
    return found.contains(POSITIVE) ? POSITIVE : NEGATIVE;
  }

  private static void addSaid(String sentence, Set<Feedback> found) {
    boolean beginning = true;
    for (String each : CLAUSE_END.split(sentence)) {
      String clause = plain(each);
      // Nothing but openings: the sentence has not begun yet.
      if (clause.isEmpty()) continue;
      Feedback said = clause.length() > CLAUSE_CHARS_MAX ? NONE : clause(clause, beginning);
      found.add(said);
      beginning &= said != NONE;
    }
  }

  private static Feedback clause(String clause, boolean beginning) {
    if (matchesOne(PRAISES, clause)) return POSITIVE;
    if (matchesOne(COMPLAINTS, clause)) return NEGATIVE;
    if (beginning && matchesOne(BARE_PRAISES, clause)) return POSITIVE;
    return beginning && matchesOne(BARE_COMPLAINTS, clause) ? NEGATIVE : NONE;
  }

  private static boolean matchesOne(List<Pattern> table, String clause) {
    return table.stream().anyMatch(pattern -> pattern.matcher(clause).matches());
  }

  /** The clause with short forms written out, and without the words that say nothing. */
  private static String plain(String clause) {
    StringBuilder plain = new StringBuilder();
    for (String word : WORD_END.split(clause)) {
      boolean opening = plain.isEmpty() && OPENINGS.contains(word);
      if (word.isEmpty() || opening || STRENGTH.contains(word)) continue;
      if (!plain.isEmpty()) plain.append(' ');
      plain.append(SHORT_FORMS.getOrDefault(word, word));
    }
    return ASIDES.matcher(plain).replaceFirst("");
  }
}
