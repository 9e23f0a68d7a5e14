const moves = ['switched', 'undone', 'redone', 'branch-dropped'];

/**
 * Going to a branch and away says nothing of what it holds. Each of the two conditions, in SQL, has an
 * index of the log in every store, which is used for this very condition alone. They compare one by one: for a longer
 * list SQLite builds a table each time it is asked, and it is asked for each entry that is written.
 */
export const isMove = `(${moves.map((kind) => `kind = '${kind}'`).join(' OR ')})`;
export const isNoMove = moves.map((kind) => `kind <> '${kind}'`).join(' AND ');
