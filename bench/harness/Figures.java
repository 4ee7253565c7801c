import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers for people: three digits that count, thousands apart. */
final class Figures {
  private static final MathContext DIGITS = new MathContext(3);

  private Figures() {}

  static String of(double value) {
    if (Double.isInfinite(value) || Double.isNaN(value)) return "-";
    if (value == 0) return "0";
    double size = Math.abs(value);
    if (value == Math.rint(value) && size >= 100) return String.format(Locale.ROOT, "%,.0f", value);
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    if (size >= 100) return String.format(Locale.ROOT, "%,d", rounded.toBigInteger());
    return rounded.toPlainString();
  }

  static String of(double value, String unit) {
    if (unit.equals("bytes")) return bytes(value);
    return unit.equals("1/s") ? of(value) + "/s" : of(value) + " " + unit;
  }

  private static String bytes(double value) {
    if (value >= 1_000_000) return of(value / 1_000_000) + " MB";
    return value >= 10_000 ? of(value / 1_000) + " KB" : of(value) + " bytes";
  }
}
