/**
 * The five files that people and agents read and edit: write, read, reconcile. May touch {@code
 * domain}, {@code json}, {@code store}, {@code state}, the safe file access of {@code workspace},
 * and CommonMark.
 */
@NullMarked
package dev.mainstay.directory;

import org.jspecify.annotations.NullMarked;
