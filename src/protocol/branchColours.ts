/** The number of colors that branches use in turn, in order of creation; defined in `styles/base.css`. */
export const BRANCH_COLOURS = 5;
