package dev.mainstay.domain;

import static dev.mainstay.domain.SecretRule.of;

import java.util.List;

/**
 * Secrets that are known by their own shape. Every repeat is possessive or bounded and a pattern
 * takes all of a run, so no text makes the search slower than linear.
 */
final class SecretFormats {
  // A short prefix counts only where a word begins: after a separator, an escape or a %XX.
  private static final String WORD = "(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
  private static final String URL_SAFE = "[A-Za-z0-9_-]";
  private static final String PRIVATE = "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
  private static final String GAP = "(?:\\\\{1,3}[nrt]|[\\s\"'`+,>|#*;\\\\.])";

  static final List<SecretRule> RULES =
      List.of(
          // Whole, else cut off before its END.
          SecretRule.judged(
              "private-key",
              SecretValue::isKeyBlock,
              "-----BEGIN " + PRIVATE + "(?:[^-]++|-(?!----))*+-----END " + PRIVATE,
              List.of("-----begin ")),
          SecretRule.judged(
              "private-key",
              SecretValue::isKeyBlock,
              "-----BEGIN "
                  + PRIVATE
                  + "(?:\\s*+[A-Z][A-Za-z-]{3,20}+: [^\\r\\n]{1,80}+)*+"
                  + ("(?:" + GAP + "{0,64}+[A-Za-z0-9+/=]{16,}+)++")
                  + ("(?:" + GAP + "{0,64}+[A-Za-z0-9+/]*+=++)?+"),
              List.of("-----begin ")),
          of(
              "private-key",
              "Private-Lines: [0-9]{1,3}\\s{1,4}+(?<s>(?:[A-Za-z0-9+/=]{1,80}+\\s{0,3}+)++)",
              "private-lines: "),
          of("private-key", "AGE-SECRET-KEY-1[A-Z0-9]{40,}+", "age-secret-key-1"),
          of("anthropic-key", WORD + "sk-ant-" + URL_SAFE + "{16,}+", "sk-ant-"),
          of(
              "openai-key",
              WORD + "sk-(?:proj|svcacct|admin|None)-" + URL_SAFE + "{16,}+",
              "sk-proj-",
              "sk-svcacct-",
              "sk-admin-",
              "sk-none-"),
          SecretRule.judged(
              "openai-key",
              SecretValue::hasDigitAndCapital,
              WORD + "sk-" + URL_SAFE + "{20,}+",
              List.of("sk-")),
          of("github-token", "gh[pousr]_[A-Za-z0-9]{30,}+", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
          of("github-token", "github_pat_[A-Za-z0-9_]{22,}+", "github_pat_"),
          of(
              "gitlab-token",
              "gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[A-Za-z0-9_.-]{19,}+",
              "glpat-",
              "glptt-",
              "gldt-",
              "glrt-",
              "glcbt-",
              "glft-",
              "glsoat-",
              "glagent-",
              "glimt-"),
          of(
              "aws-key-id",
              "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
              "akia",
              "asia",
              "abia",
              "acca"),
          of(
              "aws-secret-key",
              "(?i:secret_?(?:access_?)?key|secretaccesskey|aws_?secret)[^A-Za-z0-9+/=\\r\\n]{0,6}"
                  + "[=:,> ][^A-Za-z0-9+/\\r\\n]{0,6}+(?<s>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
              "secret"),
          of("slack-token", "xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}+", "xox"),
          of("slack-token", "xapp-[A-Za-z0-9-]{16,}+", "xapp-"),
          of(
              "webhook",
              "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<s>[A-Za-z0-9/_-]{20,}+)",
              "hooks.slack.com/"),
          of(
              "webhook",
              "discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/"
                  + ("[0-9]{10,25}+/(?<s>" + URL_SAFE + "{30,}+)"),
              "discord.com/api/",
              "discordapp.com/api/"),
          of(
              "stripe-key",
              "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}+",
              "sk_live_",
              "sk_test_",
              "rk_live_",
              "rk_test_",
              "sk_prod_",
              "rk_prod_"),
          of("stripe-key", "whsec_[A-Za-z0-9+/=]{20,}+", "whsec_"),
          of("google-key", "AIza[A-Za-z0-9_-]{35,}+", "aiza"),
          of("google-token", WORD + "ya29\\.[A-Za-z0-9_-]{20,}+", "ya29."),
          of("google-token", WORD + "1//0[A-Za-z0-9_-]{30,}+", "1//0"),
          of("google-secret", "GOCSPX-[A-Za-z0-9_-]{20,}+", "gocspx-"),
          of("npm-token", WORD + "npm_[A-Za-z0-9]{30,}+", "npm_"),
          of("pypi-token", "pypi-Ag[A-Za-z0-9_-]{30,}+", "pypi-ag"),
          of("rubygems-key", WORD + "rubygems_[a-f0-9]{40,}+", "rubygems_"),
          SecretRule.judged(
              "huggingface-token",
              SecretValue::isNoIdentifier,
              WORD + "(?:hf|api_org)_[A-Za-z0-9]{30,}+",
              List.of("hf_", "api_org_")),
          of("digitalocean-token", "do[opr]_v1_[a-f0-9]{40,}+", "dop_v1_", "doo_v1_", "dor_v1_"),
          of("sendgrid-key", WORD + "SG\\.[A-Za-z0-9_-]{16,}+\\.[A-Za-z0-9_-]{16,}+", "sg."),
          of("mailgun-key", WORD + "key-[a-f0-9]{32}(?![A-Za-z0-9])", "key-"),
          of(
              "twilio-key",
              "(?i:twilio)[^\\r\\n]{0,60}?(?<s>(?<![A-Za-z0-9])(?:SK)?[a-f0-9]{32}(?![A-Za-z0-9]))",
              "twilio"),
          of("twilio-key", WORD + "SK[a-f0-9]{32}(?![A-Za-z0-9])", "sk"),
          of("telegram-token", "(?<=(?<![0-9])[0-9]{8,10}):(?<s>AA[A-Za-z0-9_-]{32,}+)", ":aa"),
          of(
              "discord-token",
              "[MNO](?:(?<![A-Za-z0-9_.-].)|(?<=\\\\[nrt].))[A-Za-z0-9_-]{22,28}+"
                  + "\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}+"),
          of(
              "azure-key",
              "(?i:accountkey|sharedaccesskey|sharedsecret)=(?<s>[A-Za-z0-9+/]{20,}+={0,2}+)",
              "accountkey=",
              "sharedaccesskey=",
              "sharedsecret="),
          of(
              "azure-signature",
              "[?&;]sig=(?<s>[A-Za-z0-9%+/_-]{20,}+=*+)",
              "?sig=",
              "&sig=",
              ";sig="),
          of(
              "aws-signature",
              "(?i:x-amz-(?:signature|security-token)|x-goog-signature)[=:]\\h?"
                  + "(?<s>[A-Za-z0-9%+/=_-]{20,}+)",
              "x-amz-s",
              "x-goog-signature"),
          of("databricks-token", WORD + "dapi[a-f0-9]{32}(?:-[0-9])?", "dapi"),
          of("linear-key", "lin_(?:api|oauth)_[A-Za-z0-9]{30,}+", "lin_api_", "lin_oauth_"),
          of("vault-token", WORD + "hv[sbr]\\.[A-Za-z0-9_-]{20,}+", "hvs.", "hvb.", "hvr."),
          of(
              "shopify-token",
              "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}+",
              "shpat_",
              "shpca_",
              "shppa_",
              "shpss_"),
          of(
              "jwt",
              WORD + "eyJ[A-Za-z0-9_-]{6,}+\\.eyJ[A-Za-z0-9_-]{4,}+\\.?[A-Za-z0-9_-]*+",
              "eyj"),
          of(
              "jwt",
              WORD + "eyJ[A-Za-z0-9_-]{10,}+\\.[A-Za-z0-9_-]*+\\.[A-Za-z0-9_.-]{40,}+",
              "eyj"),
          of("docker-token", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}+", "dckr_pat_", "dckr_oat_"));

  /** What looks random and is known not to be secret: locations, hashes, public keys, ids. */
  static final List<SecretRule> SPARED =
      List.of(
          spared("address", "0x[0-9A-Fa-f]++(?![A-Za-z0-9])", "0x"),
          SecretRule.judged(
              "address",
              PublicIds::isCoinAddress,
              "(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{26,36}+(?![A-Za-z0-9])",
              List.of()),
          SecretRule.judged(
              "id",
              PublicIds::isKsuid,
              "(?<![A-Za-z0-9])[0-9A-Za-z]{27}(?![A-Za-z0-9])",
              List.of()),
          spared("id", "Qm(?<![A-Za-z0-9]Qm)[1-9A-HJ-NP-Za-km-z]{44}(?![A-Za-z0-9])", "qm"),
          spared(
              "id",
              "(?:12D3KooW|z6Mk|zdj7|zb2rh)" + "[1-9A-HJ-NP-Za-km-z]{40,46}+(?![A-Za-z0-9])",
              "12d3koow",
              "z6mk",
              "zdj7",
              "zb2rh"),
          spared("public-key", "p[kh][c_][A-Za-z0-9_]{24,}+", "pk_live_", "pk_test_", "phc_"),
          spared("public-key", "pk\\.eyJ[A-Za-z0-9._-]++", "pk.eyj"),
          spared(
              "public-key",
              "(?i:public[_ -]?key)[\"'`]?\\h{0,8}+[:=]\\h{0,8}+[\"'`]?[A-Za-z0-9+/=_-]++",
              "public"),
          spared("url", "://[^\\s?#\"'<>`\\\\)\\]}|]++", "://"),
          spared("symbol", "_Z(?<![A-Za-z0-9-]_Z)[A-Z0-9][A-Za-z0-9_]++", "_z"),
          spared("content", ";base64,[A-Za-z0-9+/=_-]++", ";base64,"),
          spared(
              "hash",
              "(?i:sha-?[0-9]{1,3}|md5|h1)[-:=_ ]\\h?[\"']?[A-Za-z0-9+/=_-]++",
              "sha",
              "md5",
              "h1:"),
          spared(
              "hash",
              "[a-z]{3,11}+[A-Za-z0-9_]{0,16}+[\"']?\\h{0,8}+[:=]\\h{0,8}+[\"']?[A-Za-z0-9+/=_-]++",
              "integrity",
              "checksum",
              "digest",
              "fingerprint",
              "etag",
              "hash"),
          spared(
              "public-key",
              "-----BEGIN (?!"
                  + PRIVATE
                  + ")[A-Z0-9 ]{1,40}+-----"
                  + "(?:\\s*+[A-Z][A-Za-z-]{3,20}+: [^\\r\\n]{1,80}+)*+[A-Za-z0-9+/=\\s\\\\]++",
              "-----begin "),
          spared(
              "public-key",
              "M(?:FkwEwYHKoZIzj0CAQYI|IIB[A-Za-z]{2}ANBgkqhkiG9w0BAQEF)[A-Za-z0-9+/=]++",
              "mfkwewyhkozizj0c",
              "miib"),
          spared("public-key", "AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|Gnnac2)[A-Za-z0-9+/=]++", "aaaa"));

  private SecretFormats() {}

  private static SecretRule spared(String kind, String regex, String... anchors) {
    return SecretRule.judged(kind, any -> true, regex, List.of(anchors));
  }
}
