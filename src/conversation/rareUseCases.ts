// What nothing that is shown at first needs. Whoever puts the program together says how it is loaded.
export { applyRewind } from './agentRewind.ts';
export { beginExploration } from './beginExploration.ts';
export { findSampleChat, makeSampleChat } from './sampleChat.ts';
export { compact } from './compact.ts';
export { saveCompaction } from './saveCompaction.ts';
export { editTodos, fittingSteps, takeTodosStep } from './todos.ts';
export { ProgramWrites } from './programWrites.ts';
export { Summaries } from './summaries.ts';
