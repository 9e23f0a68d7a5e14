/**
 * Going to a branch and away says nothing of what it holds. Each of the two conditions, in SQL, has an
 * index of the log in every store, which is used for this very condition alone.
 */
const moves = "('switched', 'undone', 'redone', 'branch-dropped')";
export const isMove = `kind IN ${moves}`;
export const isNoMove = `kind NOT IN ${moves}`;
