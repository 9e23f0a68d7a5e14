/** The maximum size of one message in bytes: its content and the changes of its turn, as JSON in UTF-8. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The maximum size of everything one call stores, for instance an import, in UTF-16 units. A store in a file writes
 * it as one line of JSON, in which every unit may become two, and JavaScript has no strings of more than 2^29.
 */
export const MAX_SAVE_LENGTH = 128 * 1024 * 1024;

/**
 * The maximum size of a database. It is held in memory, twice while a snapshot is made; SQLite in WebAssembly and in
 * Node both crash the process at 2 GiB instead of failing, so the limit is well below that.
 */
export const MAX_DATABASE_BYTES = 1_610_612_736;

/** The longest name of a branch or a checkpoint, in UTF-16 units. */
export const MAX_NAME_LENGTH = 200;

/** The longest title of an imported chat, in UTF-16 units: rows, tabs and notifications show it in full. */
export const MAX_IMPORTED_TITLE = 1_000;
