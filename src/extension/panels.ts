/** The pages in editor tabs, loaded together with the first of them. */
export { GraphPanel } from './graph/graphPanel.ts';
export { keepTry } from './alternatives/keepFromPanel.ts';
export { titleOf, TriesPanel } from './alternatives/alternativesPanel.ts';
