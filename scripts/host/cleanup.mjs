/**
 * What has to be undone however this process ends: servers stopped, temporary folders deleted.
 * The last thing registered is undone first.
 * @type {Set<() => void>}
 */
const pending = new Set();
let listening = false;

/**
 * Registers a synchronous clean-up for the end of the process.
 * @param {() => void} undo
 * @returns {() => void} takes it back, for when the work has been undone in time
 */
export function atExit(undo) {
  if (!listening) {
    listening = true;
    process.once('exit', undoAll);
    for (const [signal, number] of /** @type {const} */ ([
      ['SIGHUP', 1],
      ['SIGINT', 2],
      ['SIGTERM', 15],
    ])) {
      process.once(signal, () => process.exit(128 + number));
    }
  }
  pending.add(undo);
  return () => pending.delete(undo);
}

function undoAll() {
  for (const undo of [...pending].reverse()) {
    try {
      undo();
    } catch (error) {
      console.error(`Could not clean up: ${String(error)}`);
    }
  }
  pending.clear();
}
