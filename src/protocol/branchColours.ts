/** How many colours branches take in turn, in the order in which they were made; `styles/base.css` has them. */
export const BRANCH_COLOURS = 5;
