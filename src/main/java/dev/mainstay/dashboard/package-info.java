/**
 * The page: gives browsers the files it is made of, and nothing else. What the page shows it asks
 * of the server like everybody, with a sign-in. Touches the domain and the servlet API.
 */
@NullMarked
package dev.mainstay.dashboard;

import org.jspecify.annotations.NullMarked;
