package dev.mainstay.domain;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys whose issuer gave them a prefix or a mark of their own and that the random check cannot see,
 * above all those of small letters and digits. A key of mixed case is found without a row here.
 */
final class SecretPrefixes {
  private static final String WORD = "(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
  private static final String HEX = "[A-Fa-f0-9]";
  private static final String ALNUM = "[A-Za-z0-9]";
  private static final String URL_SAFE = "[A-Za-z0-9_-]";

  static final List<SecretRule> RULES =
      List.of(
          prefixed("openai-key", HEX + "{32,}+", "sk-", "sk-or-v1-"),
          prefixed("langfuse-key", HEX + "{8}-[A-Fa-f0-9-]{27}", "sk-lf-"),
          prefixed("langsmith-key", HEX + "{32}_" + HEX + "{6,}+", "lsv2_pt_", "lsv2_sk_"),
          prefixed("newrelic-key", "[A-Za-z0-9-]{20,}+", "NRAK-", "NRII-", "NRIQ-", "NRRA-"),
          prefixed("airtable-key", ALNUM + "{14}\\.[A-Fa-f0-9]{40,}+", "pat"),
          prefixed("postman-key", HEX + "{24}-" + HEX + "{34}", "PMAK-"),
          prefixed("groq-key", ALNUM + "{40,}+", "gsk_"),
          prefixed("ai-key", URL_SAFE + "{32,}+", "xai-", "pplx-", "tvly-", "fc-", "pcsk_", "r8_"),
          prefixed("notion-token", ALNUM + "{40,}+", "ntn_", "secret_"),
          prefixed("figma-token", URL_SAFE + "{36,}+", "figd_", "figdh_", "figu_"),
          prefixed("sentry-token", "[A-Za-z0-9_=+/-]{40,}+", "sntrys_", "sntryu_", "sntrya_"),
          prefixed("grafana-token", "[A-Za-z0-9_=+/-]{32,}+", "glsa_", "glc_"),
          prefixed("doppler-token", ALNUM + "{40,}+", "dp.pt.", "dp.ct.", "dp.sa.", "dp.scim."),
          prefixed("doppler-token", "(?:[a-z0-9_-]{1,64}+\\.)?" + ALNUM + "{40,}+", "dp.st."),
          prefixed(
              "planetscale-token",
              "[A-Za-z0-9_.=-]{32,}+",
              "pscale_tkn_",
              "pscale_pw_",
              "pscale_oauth_"),
          prefixed("pulumi-token", HEX + "{40}", "pul-"),
          prefixed("netlify-token", ALNUM + "{36,}+", "nfp_", "nfc_", "nfo_"),
          prefixed("supabase-key", URL_SAFE + "{20,}+", "sbp_", "sb_secret_"),
          prefixed("fly-token", "[A-Za-z0-9+/=_,-]{40,}+", "FlyV1 fm1r_", "FlyV1 fm2_", "fm2_"),
          prefixed("atlassian-token", "[A-Za-z0-9_=-]{40,}+", "ATATT3x", "ATCTT3x", "ATBB"),
          prefixed("atlassian-token", HEX + "{60,}+", "ATTA"),
          prefixed("heroku-key", "[A-Za-z0-9_-]{36,}+", "HRKU-"),
          prefixed("square-token", URL_SAFE + "{22,}+", "sq0atp-", "sq0csp-"),
          prefixed("brevo-key", HEX + "{64}-" + ALNUM + "{16}", "xkeysib-", "xsmtpsib-"),
          prefixed("resend-key", ALNUM + "{8}_" + ALNUM + "{20,}+", "re_"),
          prefixed("tailscale-key", "[A-Za-z0-9-]{20,}+", "tskey-"),
          prefixed("circleci-token", "[A-Za-z0-9_]{20,}+", "CCIPAT_", "CCIPRJ_"),
          prefixed("buildkite-token", HEX + "{40}", "bkua_", "bkct_"),
          prefixed("clojars-token", HEX + "{60}", "CLOJARS_"),
          prefixed("crates-token", "o[A-Za-z0-9]{32}", "ci"),
          prefixed("nuget-key", "[a-z0-9]{43}", "oy2"),
          prefixed("sonar-token", HEX + "{40}", "sqp_", "squ_", "sqa_"),
          prefixed("posthog-key", ALNUM + "{40,}+", "phx_"),
          prefixed("dynatrace-token", "[A-Z0-9]{24}\\.[A-Z0-9]{64}", "dt0c01.", "dt0s01."),
          prefixed("easypost-key", ALNUM + "{54}", "EZAK", "EZTK"),
          prefixed("typeform-token", "[A-Za-z0-9_.=-]{50,}+", "tfp_"),
          prefixed("contentful-token", URL_SAFE + "{43}", "CFPAT-"),
          prefixed("sourcegraph-token", "[A-Fa-f0-9_]{40,}+", "sgp_"),
          prefixed("infracost-key", ALNUM + "{32}", "ico-"),
          prefixed("readme-key", "[a-z0-9]{60,}+", "rdme_"),
          prefixed("prefect-key", ALNUM + "{36}", "pnu_", "pnb_"),
          prefixed("mailersend-key", HEX + "{64}", "mlsn."),
          prefixed("onepassword-token", "[A-Za-z0-9_-]{100,}+", "ops_eyJ"),
          prefixed("artifactory-key", ALNUM + "{60,}+", "AKCp"),
          prefixed("yandex-key", URL_SAFE + "{35,}+", "AQVN"),
          prefixed("facebook-token", "[A-Za-z0-9]{60,}+", "EAAC", "EAAB", "EAAG", "EAAJ"),
          prefixed("flutterwave-key", "[A-Za-z0-9-]{30,}+", "FLWSECK_TEST-", "FLWSECK-"),
          marked("mailchimp-key", HEX + "{32}", 33, "-us[0-9]{1,2}(?![A-Za-z0-9])", "-us"),
          marked(
              "azure-secret",
              "(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3}[0-9]",
              5,
              "[Qq]~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])",
              "q~"),
          marked(
              "terraform-token",
              ALNUM + "{14}",
              15,
              "\\.atlasv1\\.[A-Za-z0-9_=-]{50,}+",
              ".atlasv1."),
          // The secret of an AWS key pair has no mark of its own; its key id beside it tells.
          SecretRule.inside(
              "aws-secret-key",
              SecretValue::isAwsSecret,
              "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])[\\s\\S]{0,300}+",
              300,
              "(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])",
              List.of("akia", "asia")));

  private SecretPrefixes() {}

  private static SecretRule prefixed(String kind, String rest, String... prefixes) {
    var any = Stream.of(prefixes).map(Pattern::quote).collect(Collectors.joining("|"));
    var anchors = Stream.of(prefixes).map(each -> each.toLowerCase(Locale.ROOT)).toList();
    return SecretRule.judged(
        kind, SecretValue::isNoFiller, WORD + "(?:" + any + ")" + rest, anchors);
  }

  /** A key with its mark inside or at its end: what stands before the mark belongs to it. */
  private static SecretRule marked(
      String kind, String before, int charsBefore, String markAndRest, String anchor) {
    return SecretRule.inside(
        kind,
        SecretValue::isNoFiller,
        markAndRest,
        charsBefore,
        "(?<![A-Za-z0-9])" + before + markAndRest,
        List.of(anchor));
  }
}
