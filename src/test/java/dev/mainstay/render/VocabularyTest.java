package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import dev.mainstay.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every token has its rank and nothing else has one, and a file that is damaged is noticed. */
class VocabularyTest {
  private static final int TOKENS = 100_256;

  private static Map<ByteBuffer, Integer> library() {
    var library = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    Map<ByteBuffer, Integer> ranks = new HashMap<>();
    for (int rank = 0; rank < TOKENS; rank++) {
      var one = new IntArrayList();
      one.add(rank);
      ranks.put(ByteBuffer.wrap(library.decodeBytes(one)), rank);
    }
    return ranks;
  }

  @Test
  void tokens_have_their_ranks_and_other_bytes_have_none() {
    Vocabulary ours = Vocabulary.of("cl100k_base");
    Map<ByteBuffer, Integer> ranks = library();
    byte[][] tokens = new byte[TOKENS][];
    ranks.forEach((bytes, rank) -> tokens[rank] = bytes.array());
    for (int rank = 0; rank < TOKENS; rank++) {
      assertThat(ours.rank(tokens[rank], 0, tokens[rank].length)).isEqualTo(rank);
    }
    Seeds.forAll(
        20_000,
        random -> {
          byte[] token = tokens[random.nextInt(TOKENS)].clone();
          token[random.nextInt(token.length)] = (byte) random.nextInt();
          int from = random.nextInt(token.length);
          int to = from + random.nextInt(token.length - from) + 1;
          var part = ByteBuffer.wrap(token, from, to - from);
          assertThat(ours.rank(token, from, to))
              .isEqualTo(ranks.getOrDefault(part, Vocabulary.NO_TOKEN));
        });
  }

  @Test
  void an_encoding_that_the_library_does_not_have_is_missing() {
    assertThatThrownBy(() -> Vocabulary.of("o300k_base")).hasMessageContaining("is missing");
  }

  private static VocabularyLines lines(String file) throws IOException {
    return VocabularyLines.of(
        new ByteArrayInputStream(file.getBytes(StandardCharsets.US_ASCII)) {
          @Override
          public synchronized int read(byte[] to, int offset, int length) {
            return super.read(to, offset, Math.min(length, 7));
          }
        });
  }

  @Test
  void lines_are_read_however_few_bytes_come_at_once() throws IOException {
    VocabularyLines lines = lines("YQ== 0\nYWI= 1\nYWJj 2\nYWJj/+8= 3\n");

    assertThat(lines.bytes())
        .isEqualTo("aababcabc\u00ff\u00ef".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(lines.starts()).containsExactly(0, 1, 3, 6, 11);
  }

  @Test
  void a_rank_that_is_not_its_turn_or_half_a_line_is_noticed() {
    assertThatThrownBy(() -> lines("YQ== 0\nYg== 2\n")).hasMessage("rank 2 instead of 1");
    assertThatThrownBy(() -> lines("YQ== 0\nYg== 1")).hasMessage("half a line after 1");
    assertThatThrownBy(() -> lines("YQ== 0\n" + "YWJj".repeat(20_000) + " 1\n"))
        .hasMessage("half a line after 1");
  }
}
