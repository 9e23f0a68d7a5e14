/** Conversations on a machine belong to whoever sits at it; the engine wants a name for that. */
export const LOCAL_USER = 'local';
