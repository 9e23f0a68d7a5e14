/** The pages in editor tabs, loaded together with the first of them. */
export { GraphPanel } from '../graph/graphPanel.ts';
export { keepTry } from '../tries/keepTry.ts';
export { titleOf, TriesPanel } from '../tries/triesPanel.ts';
