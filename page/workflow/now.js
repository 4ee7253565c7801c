// The time, now and then: for lengths that grow while one looks. It stands still while the connection is lost.

import { useState, useEffect } from "../lib.js";
import { heard } from "../live.js";

/** The moment up to which what is shown is true, in milliseconds. @param {number} everyMs */
export function useNow(everyMs) {
  const [now, setNow] = useState(heard());
  useEffect(() => {
    const timer = setInterval(() => setNow(heard()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
