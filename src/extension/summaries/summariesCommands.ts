import { together, type CommandPart, type NamesOf } from '../commands/commandHandlers.ts';
import { compactCommands } from './compactCommands.ts';
import { mergeSummaryCommands, type MergeSummaryCommandsDeps } from './mergeSummaryCommands.ts';
import { summarizeCommands, type SummarizeCommandsDeps } from './summarizeCommands.ts';

export interface SummariesCommandsDeps extends MergeSummaryCommandsDeps, SummarizeCommandsDeps {}

type SummariesCommand = NamesOf<
  typeof mergeSummaryCommands | typeof summarizeCommands | typeof compactCommands
>;

/** The commands that write summaries, with the drafts that are open in editors. */
export function summariesCommands(deps: SummariesCommandsDeps): CommandPart<SummariesCommand> {
  const merge = mergeSummaryCommands(deps);
  return {
    handlers: together(merge.handlers, together(summarizeCommands(deps), compactCommands(deps))),
    dispose: () => merge.dispose(),
  };
}
