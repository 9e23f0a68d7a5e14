/** How large one message may be, in bytes: what it says and what its turn changed, as JSON in UTF-8. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * How large all that one call stores may be together, for instance an import, in UTF-16 units. A store in a file writes
 * it as one line of JSON, in which every unit may become two, and JavaScript has no strings of more than 2^29.
 */
export const MAX_SAVE_LENGTH = 128 * 1024 * 1024;

/**
 * How large a database may become. It is held in memory, and while a snapshot is made a second time; SQLite compiled to
 * WebAssembly and Node's reads both end the process at 2 GiB instead of failing, so growing stops well before.
 */
export const MAX_DATABASE_BYTES = 1_610_612_736;

/**
 * The longest title of a chat that is taken in from a file, in UTF-16 units: it is shown in rows, tabs and notifications,
 * all of which read it whole.
 */
export const MAX_IMPORTED_TITLE = 1_000;
