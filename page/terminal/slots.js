// A browser opens six connections to one server for all its tabs, and each tab has one for events. So that
// something is left for questions and answers, only so many tabs have a connection for screens at once.

const WALLS_MAX = 2;

/**
 * Takes a place, or gives null when all are taken; what it gives lets the place go again.
 * @returns {Promise<(() => void)|null>}
 */
export async function takeSlot() {
  if (!navigator.locks) return () => {}; // nobody to ask: only pages from afar without TLS have none
  for (let slot = 0; slot < WALLS_MAX; slot++) {
    const letGo = await tryLock(`mainstay-screens-${slot}`);
    if (letGo) return letGo;
  }
  return null;
}

/** @param {string} name @returns {Promise<(() => void)|null>} */
function tryLock(name) {
  return new Promise((answer) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return answer(null);
      return new Promise((done) => answer(() => done(undefined)));
    });
  });
}
