// Code that the initial view does not need. The code that assembles the program decides how it is loaded.
export { addQuestion } from './addQuestion.ts';
export { applyRewind, beginExploration, saveCompaction } from './agentBranches.ts';
export { BranchMemory } from './branchMemory.ts';
export { copyChat, moveChat } from './copyChat.ts';
export { findSampleChat, makeSampleChat } from './sampleChat.ts';
export { fittingMarks, keepMessage, takeMarkStep } from './keepMessage.ts';
export { setBranchFiles } from './setBranchFiles.ts';
export { Plans } from './plans.ts';
export { compact } from './summarize.ts';
export { editTodos, fittingSteps, takeTodosStep } from './todos.ts';
export { ProgramWrites } from './programWrites.ts';
export { Summaries } from './summaries.ts';
