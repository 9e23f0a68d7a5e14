// Written by `npm run ids` from package.json: change that, and run it again.

/** A command, without the prefix. */
export type CommandName =
  | 'addBranch'
  | 'addChanges'
  | 'addMcpServer'
  | 'addModelServer'
  | 'addProblem'
  | 'addProblems'
  | 'addSelection'
  | 'addTerminalSelection'
  | 'addToChat'
  | 'applyCode'
  | 'archiveBranch'
  | 'archiveChat'
  | 'attach'
  | 'branchActions'
  | 'bringBack'
  | 'bringBackBranchFiles'
  | 'btw'
  | 'btwInOwnFiles'
  | 'carryOutEditedPlan'
  | 'carryOutPlan'
  | 'carryOutPlanInOwnFiles'
  | 'chatActions'
  | 'cherryPick'
  | 'clearSearch'
  | 'clearTreeFilter'
  | 'compact'
  | 'compareAnswers'
  | 'compareArtifact'
  | 'compareBranches'
  | 'connectSharedStore'
  | 'copyBranchAsPrompt'
  | 'copyForCommit'
  | 'copyLink'
  | 'copyMessage'
  | 'copyMessageId'
  | 'copyName'
  | 'copyRelated'
  | 'copyState'
  | 'copyToLocal'
  | 'copyToShared'
  | 'createCheckpoint'
  | 'createCheckpointHere'
  | 'createGitBranch'
  | 'createPromptFile'
  | 'deleteBranch'
  | 'deleteChat'
  | 'deleteCheckpoint'
  | 'deleteSelected'
  | 'discardBranchFiles'
  | 'discardCode'
  | 'disconnectSharedStore'
  | 'editActions'
  | 'editAndBranch'
  | 'editChatInstructions'
  | 'editPlan'
  | 'editWorkspaceInstructions'
  | 'emptyTrash'
  | 'endLookBack'
  | 'exportActions'
  | 'exportAll'
  | 'exportBranchForAgent'
  | 'exportChat'
  | 'filterSearch'
  | 'filterTree'
  | 'findConversations'
  | 'focusChat'
  | 'forget'
  | 'goToActions'
  | 'goToMessage'
  | 'import'
  | 'insertText'
  | 'inspectContext'
  | 'instructionsActions'
  | 'keepBranchFiles'
  | 'keepEdits'
  | 'keepHunk'
  | 'keepMessage'
  | 'keepSomeBranchFiles'
  | 'moreSearchResults'
  | 'moveToLocal'
  | 'moveToShared'
  | 'newChat'
  | 'nextQuestion'
  | 'openArtifact'
  | 'openBranch'
  | 'openBranchFolder'
  | 'openChat'
  | 'openChatInEditor'
  | 'openChatInNewWindow'
  | 'openCheckpoint'
  | 'openInOffshoot'
  | 'openLink'
  | 'openOtherChat'
  | 'openRelated'
  | 'openSampleChat'
  | 'openSearchResult'
  | 'openState'
  | 'openStorageAgain'
  | 'openTrash'
  | 'openWalkthrough'
  | 'pinChat'
  | 'previewCheckpoint'
  | 'previousQuestion'
  | 'race'
  | 'redo'
  | 'refreshSearch'
  | 'refuseRelated'
  | 'regenerate'
  | 'regenerateActions'
  | 'regenerateWith'
  | 'remember'
  | 'removeApiKey'
  | 'renameBranch'
  | 'renameChat'
  | 'renameCheckpoint'
  | 'renameSelected'
  | 'resetApprovals'
  | 'restoreCheckpoint'
  | 'reviewEdits'
  | 'reviewHooks'
  | 'rewind'
  | 'rewindActions'
  | 'rewindInOwnFiles'
  | 'rewindToHere'
  | 'rewindToStep'
  | 'saveArtifactAs'
  | 'saveAsPrompt'
  | 'search'
  | 'searchActions'
  | 'searchInView'
  | 'searchLines'
  | 'selectMode'
  | 'selectModel'
  | 'selectReasoningEffort'
  | 'selectTools'
  | 'setApiKey'
  | 'shareChat'
  | 'showArchivedChats'
  | 'showGraph'
  | 'showLog'
  | 'showMessage'
  | 'showMoreBranches'
  | 'showOnlyInTree'
  | 'showSharedStore'
  | 'showTimeline'
  | 'stop'
  | 'stopKeepingMessage'
  | 'storageActions'
  | 'storageReport'
  | 'summarizeActions'
  | 'summarizeContext'
  | 'summarizeFrom'
  | 'summarizeUpTo'
  | 'switchBranch'
  | 'takeSummary'
  | 'tryTimes'
  | 'unarchiveBranch'
  | 'undo'
  | 'undoCompaction'
  | 'undoEdits'
  | 'undoHunk'
  | 'unpinChat'
  | 'useInstructionsAgain'
  | 'whyThisLine'
  | 'workInOwnFiles';

export type CommandId = `offshoot.${CommandName}`;

/** A view of the side bar. */
export type ViewId = 'offshoot.chat' | 'offshoot.context' | 'offshoot.searchResults' | 'offshoot.tree';

/** A page in an editor tab. */
export type PanelId = 'offshoot.chat' | 'offshoot.graph' | 'offshoot.tries';

/** A context key of this extension that decides what shows or works. */
export type ContextKey =
  | 'offshoot.canRedo'
  | 'offshoot.canUndo'
  | 'offshoot.hasArchived'
  | 'offshoot.hasArchivedChats'
  | 'offshoot.hasAsked'
  | 'offshoot.hasAskedAside'
  | 'offshoot.hasBranches'
  | 'offshoot.hasChats'
  | 'offshoot.hasCheckpoints'
  | 'offshoot.hasEditsToReview'
  | 'offshoot.hasKey'
  | 'offshoot.hasMessages'
  | 'offshoot.hasSearched'
  | 'offshoot.hasStorageFailed'
  | 'offshoot.isConversationOpen'
  | 'offshoot.isInBrowser'
  | 'offshoot.isLoaded'
  | 'offshoot.isReadOnly'
  | 'offshoot.isShared'
  | 'offshoot.isStreaming'
  | 'offshoot.isTreeFiltered';

/** Each setting, without the prefix, and what it may be set to. */
export interface SettingValues {
  'azure.deployments': Record<string, string>;
  baseUrls: {
    anthropic?: string;
    azure?: string;
    deepseek?: string;
    google?: string;
    groq?: string;
    mistral?: string;
    openai?: string;
    openrouter?: string;
    xai?: string;
    ollama?: string;
    lmstudio?: string;
    llamacpp?: string;
    vllm?: string;
  };
  budget: {
    perMessage?: { dollars?: number; tokens?: number };
    perBranch?: { dollars?: number; tokens?: number };
    perChat?: { dollars?: number; tokens?: number };
    perDay?: { dollars?: number; tokens?: number };
  };
  'commands.allow': string[];
  'commands.enabled': boolean;
  'compaction.threshold': number;
  'explore.model': 'current' | 'small';
  'files.budget': number;
  'files.maxFileSize': number;
  'instructions.files': boolean;
  lineMarks: 'off' | 'hover' | 'always' | 'codeLens';
  'localServers.enabled': boolean;
  modelOverrides: Record<
    string,
    {
      input?: number;
      output?: number;
      cachedInput?: number;
      cacheWrite?: number;
      contextWindow?: number;
      maxOutput?: number;
    }
  >;
  'notifications.runs': 'whenUnattended' | 'always' | 'never';
  'ollama.contextLength': number;
  'openaiCompatible.servers': {
    name: string;
    address: string;
    models?: string[];
    contextWindow?: number;
    maxOutputTokens?: number;
    headers?: Record<string, string>;
    body?: Record<string, unknown>;
    price?: { input: number; output: number; cachedInput?: number; cacheWrite?: number };
  }[];
  restoreFiles: 'ask' | 'always' | 'never';
  'sharedStore.connection': { certificateAuthority?: string; allowPlainConnection?: boolean };
  titles: 'model' | 'words';
  'tools.edits': 'ask' | 'reviewAfterwards';
  'tools.enabled': boolean;
  'tools.external': boolean;
  'tools.maxSteps': number;
  'web.allowedHosts': string[];
  'web.enabled': boolean;
}
