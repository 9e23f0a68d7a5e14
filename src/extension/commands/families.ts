import type { CommandName, ContextKey } from '../manifest/ids.ts';

/** What decides which commands a family offers: keys of `when` clauses, and facts that no clause asks for. */
export type OfferedKey = ContextKey | 'isPinned' | 'isWorkspaceTrusted' | 'editorIsOpen';

export interface Member {
  readonly command: CommandName;
  /** As the `enablement` in package.json, where that of the command is not enough. */
  readonly when?: OfferedKey | `!${OfferedKey}`;
}

/** A line stands between the groups. */
type Groups = readonly (readonly (CommandName | Member)[])[];

/**
 * Commands that the palette lists as one, which asks for one of them. Each stays a command of its own, for keys, links
 * and menus, and is called without an argument: it is then about the open chat.
 */
export const families = {
  chatActions: [
    ['openChatInEditor', 'openChatInNewWindow'],
    [
      'renameChat',
      { command: 'pinChat', when: '!isPinned' },
      { command: 'unpinChat', when: 'isPinned' },
      'editChatInstructions',
      'archiveChat',
      'deleteChat',
    ],
    ['shareChat', 'copyToLocal', 'moveToLocal', 'exportChat', 'copyLink'],
    ['showArchivedChats'],
  ],
  branchActions: [
    ['renameBranch', 'archiveBranch', 'unarchiveBranch', 'deleteBranch', 'copyName'],
    ['bringBack', 'cherryPick', 'addBranch'],
    ['exportBranchForAgent', 'copyBranchAsPrompt'],
    [
      { command: 'renameCheckpoint', when: 'offshoot.hasCheckpoints' },
      { command: 'deleteCheckpoint', when: 'offshoot.hasCheckpoints' },
    ],
  ],
  rewindActions: [['rewind', 'rewindToStep', 'rewindToHere']],
  regenerateActions: [['regenerate', 'regenerateWith', 'tryTimes'], ['compareAnswers']],
  summarizeActions: [['summarizeUpTo', 'summarizeFrom', 'summarizeContext'], ['compact']],
  searchActions: [
    ['search', 'searchInView'],
    ['filterTree', 'showOnlyInTree', 'clearTreeFilter'],
    ['filterSearch', 'refreshSearch', 'clearSearch'],
  ],
  goToActions: [['goToMessage', 'previousQuestion', 'nextQuestion'], ['openLink']],
  exportActions: [
    ['exportChat', 'exportAll'],
    ['exportBranchForAgent', 'copyBranchAsPrompt', 'copyLink'],
  ],
  editActions: [
    ['reviewEdits', 'keepEdits', 'undoEdits'],
    ['keepHunk', 'undoHunk'],
  ],
  instructionsActions: [['editChatInstructions', 'editWorkspaceInstructions'], ['createPromptFile']],
  storageActions: [
    ['storageReport', 'findConversations'],
    ['openRelated', 'copyRelated', 'refuseRelated'],
  ],
} as const satisfies Partial<Record<CommandName, Groups>>;

export type Family = keyof typeof families;

/**
 * Whether a clause of package.json holds, as far as the values are known: it is a conjunction, whose parts may be
 * alternatives in parentheses. What is not known does not stand in the way: VS Code asks for it as well.
 */
export function mayHold(clause: string, values: ReadonlyMap<string, boolean>): boolean {
  return clause.split('&&').every((part) =>
    part
      .replaceAll(/[()\s]/g, '')
      .split('||')
      .some((atom) => {
        const isNegated = atom.startsWith('!');
        const value = values.get(isNegated ? atom.slice(1) : atom);
        return value === undefined || value !== isNegated;
      }),
  );
}

/** The groups of a family with those members that can be used now, without empty ones. */
export function offeredBy(
  family: Family,
  enablementOf: (command: CommandName) => string | undefined,
  values: ReadonlyMap<string, boolean>,
): CommandName[][] {
  const groups: Groups = families[family];
  return groups
    .map((group) =>
      group.flatMap((member) => {
        const { command, when }: Member = typeof member === 'string' ? { command: member } : member;
        const clauses = [when, enablementOf(command)];
        return clauses.every((clause) => clause === undefined || mayHold(clause, values)) ? [command] : [];
      }),
    )
    .filter((group) => group.length > 0);
}
