/**
 * Decides which {@code .mainstay} folders of this host are believed: owners, marks, and the folders
 * in which the user keeps them. Touches the domain and starts git.
 */
@NullMarked
package dev.mainstay.trust;

import org.jspecify.annotations.NullMarked;
