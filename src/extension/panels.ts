/** The pages in editor tabs, loaded together with the first of them. */
export { ChatPanels } from './chat/chatPanels.ts';
export { GraphPanel } from './graph/graphPanel.ts';
export { keepFromPanel } from './alternatives/keepFromPanel.ts';
export { titleOf, AlternativesPanel } from './alternatives/alternativesPanel.ts';
