/** The pages in editor tabs, loaded together with the first of them; and the notifications of runs that use tools. */
export { ChatPanels } from './chat/chatPanels.ts';
export { GraphPanel } from './graph/graphPanel.ts';
export { keepFromPanel, titleOf, AlternativesPanel } from './alternatives/alternativesPanel.ts';
export { withLongRuns } from './chat/longRuns.ts';
export { notifyOfRun } from './runNotices/notifyOfRun.ts';
