/**
 * When something is due: cron in a time zone, through every change of the clocks. Pure; may touch
 * {@code domain} and cron-utils.
 */
@NullMarked
package dev.mainstay.calendar;

import org.jspecify.annotations.NullMarked;
