/**
 * Keep the store whole: verify, rebuild, back up, restore, follow, examine. Touches the domain, the
 * store and {@code process}.
 */
@NullMarked
package dev.mainstay.upkeep;

import org.jspecify.annotations.NullMarked;
