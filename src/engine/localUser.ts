/** The owner of local conversations; the engine requires a user id. */
export const LOCAL_USER = 'local';
