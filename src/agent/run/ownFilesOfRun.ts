import type { ChatData } from '../../engine/graph.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { AgentTool } from '../tools/tool.ts';

/**
 * The key of the conversation's state under which the id of the files of a branch stands. What forks from the branch
 * works with the same files, and what goes back to before they were made does not.
 */
export const BRANCH_FILES_KEY = 'offshoot:files';

/** What a chat says once one of its branches had files of its own: in all others, no path is read for them. */
export const WITH_OWN_FILES = { ownFiles: true } as const;

export function mayHaveOwnFiles(chat: Pick<ChatData, 'metadata'> | undefined): boolean {
  return chat?.metadata['ownFiles'] === true;
}

/** How all answers on a branch with files of its own are written, in place of what is selected. */
export interface BranchAnswering {
  /** Undefined: the selected one. */
  readonly effort: (model: ChatModel) => ReasoningEffort | undefined;
  readonly temperature?: number | undefined;
  /** How the user wants the task to be gone about there. */
  readonly hint?: string | undefined;
}

/** What a run uses where its branch has files of its own. */
export interface OwnFilesOfRun {
  readonly id: string;
  /** The only files it names, reads and writes. */
  readonly guarded: GuardedFiles;
  /** The usual tools, for these files. */
  readonly tools: () => readonly AgentTool[];
  /** The branch, as the user knows it: approvals name it. */
  readonly label: string;
  /** How many such runs there may be at a time. */
  readonly atOnce: number;
  readonly answering: BranchAnswering;
}
