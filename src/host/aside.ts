/** What is added to the names of protected files that a command in the sandbox made. */
export const ASIDE = '.from-sandbox';
