/**
 * What has to be undone however this process ends: servers stopped, temporary folders deleted.
 * The last thing registered is undone first.
 * @type {Set<() => void>}
 */
const pending = new Set();
let listening = false;

/** @type {(() => Promise<void>) | undefined} */
let gentleStop;

/**
 * Registers a synchronous clean-up for the end of the process.
 * @param {() => void} undo
 * @returns {() => void} takes it back, for when the work has been undone in time
 */
export function atExit(undo) {
  listen();
  pending.add(undo);
  return () => pending.delete(undo);
}

/**
 * Answers the first Ctrl-C by stopping properly and ending well; a second one ends at once.
 * @param {() => Promise<void>} stop
 */
export function onInterrupt(stop) {
  listen();
  gentleStop = stop;
}

function listen() {
  if (listening) return;
  listening = true;
  process.once('exit', undoAll);
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ])) {
    process.on(signal, () => {
      const stop = gentleStop;
      gentleStop = undefined;
      if (!stop) process.exit(128 + number);
      stop().then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
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
