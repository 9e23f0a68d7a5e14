/** The pages in editor tabs, loaded together with the first of them; and the notifications of runs that use tools. */
export { ChatPanels } from './chat/chatPanels.ts';
export { GraphPanel } from './tree/graphPanel.ts';
export { keepFromPanel, titleOf, AlternativesPanel } from './chat/alternativesPanel.ts';
export { withLongRuns } from './chat/longRuns.ts';
export { notifyOfRun } from './chat/notifyOfRun.ts';
