const moves = ['switched', 'undone', 'redone', 'branch-dropped'];

/**
 * Switching to or from a branch does not change its content. Each of the two SQL conditions has an index of the log
 * in every store, which is used only for exactly this condition. They compare one by one: for a longer list SQLite
 * builds a table for each query, and the query runs for each entry that is written.
 */
export const isMove = `(${moves.map((kind) => `kind = '${kind}'`).join(' OR ')})`;
export const isNoMove = moves.map((kind) => `kind <> '${kind}'`).join(' AND ');
