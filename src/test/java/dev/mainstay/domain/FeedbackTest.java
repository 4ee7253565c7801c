package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedbackTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "great work, thanks",
        "Great work on the parser! Now add the tests.",
        "perfect",
        "Perfect, commit it.",
        "That's exactly what I wanted.",
        "looks good to me, please merge",
        "LGTM",
        "Nice job. Next: the README",
        "wow, this is really great",
        "it works perfectly now",
        "I love it",
        "well done",
        "not bad at all",
        "That’s not bad. Go on with step 3",
        "good catch",
        "I'm very happy with the result",
        "awesome thanks!",
        "you nailed it",
        "yes, perfect, ship it",
        "> this is terrible\nGreat work. The reviewer is answered",
        "```\nwrong\n```\nperfect",
        "ok this is much better"
      })
  void these_praise(String words) {
    assertThat(Feedback.in(words)).isEqualTo(Feedback.POSITIVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "that is wrong again",
        "this is frustrating",
        "no, that's wrong",
        "That's not good.",
        "this is not what I asked for, revert it",
        "not great",
        "it still doesn't work",
        "You broke the build again. Fix it.",
        "you keep making the same mistake",
        "I'm getting nowhere, this is a mess",
        "I am really disappointed with this",
        "terrible work",
        "wrong again!",
        "I don't like it",
        "Still broken. Same stack trace as before",
        "you ignored my instructions about the imports",
        "I already told you to use tabs"
      })
  void these_complain(String words) {
    assertThat(Feedback.in(words)).isEqualTo(Feedback.NEGATIVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   \n ",
        "make a great landing page",
        "is this good?",
        "the test checks for wrong input",
        "Fix the login bug please, thanks",
        "thanks in advance",
        "thank you",
        "ok",
        "continue",
        "yes, go on",
        "no, use PostgreSQL",
        "good, continue",
        "Write a good commit message",
        "The login page is broken on Safari",
        "the error message is wrong, it should say 404",
        "users find this frustrating, add a progress bar",
        "Is that wrong?",
        "Why is this so bad? Profile it",
        "what would be a great name for this class",
        "If the tests fail, that is bad and you should stop",
        "when the password is wrong, show an error",
        "Add a label \"great work\" to the dialog",
        "The button should say 'perfect'",
        "rename `good` to `bad` in Foo.java",
        "Implement the awesome list parser",
        "add tests for the bad request path",
        "```\nthis is wrong\n```\nexplain the output above",
        "> this is terrible\nanswer that review comment",
        "Great work, but this is wrong.",
        "the output must be perfect JSON",
        "find a better solution for caching",
        "use the best practice for error handling",
        "it works on my machine, not in CI",
        "the nice command sets the priority",
        "Check whether the result looks good on mobile",
        "it fails with NullPointerException at line 12",
        "remove the broken symlinks and the useless imports",
        "Classify each review as positive or negative",
        "translate: great, wonderful and awful into French",
        "better idea: use a queue",
        "fixed the issue, now run the tests",
        "sort these words, great, awful, fine",
        "that is not wrong",
        "I want it to be great",
        "bump the version to 2.0 and tag it",
        "not now",
        "the perfect square check is off by one",
        "make sure everything is good before you push"
      })
  void these_are_neither(String words) {
    assertThat(Feedback.in(words)).isEqualTo(Feedback.NONE);
  }

  @Test
  void long_and_odd_prompts_are_read_to_a_limit() {
    assertThat(Feedback.in("x ".repeat(500_000) + ". perfect")).isEqualTo(Feedback.NONE);
    assertThat(Feedback.in("very ".repeat(100_000))).isEqualTo(Feedback.NONE);
    assertThat(Feedback.in("it is " + "so really ".repeat(300) + "odd")).isEqualTo(Feedback.NONE);
    assertThat(Feedback.in("perfect. " + "`".repeat(100_000))).isEqualTo(Feedback.POSITIVE);
    assertThat(Feedback.in("\"".repeat(99_999))).isEqualTo(Feedback.NONE);
  }
}
