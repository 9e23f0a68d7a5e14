/** The events of hooks: those of other agents by the names that they share, and Offshoot's own. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'SubagentStop',
  'Stop',
  'BeforeRewind',
  'AfterRestore',
  'BranchCreated',
  'BranchKept',
  'BranchDiscarded',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/**
 * Whose names of tools and members a hook is written for. `copilot`: an event in camelCase, as Copilot's command line has
 * them.
 */
export type HookDialect = 'claude' | 'vscode' | 'copilot';

/** The systems that commands differ by, as hooks name them. */
export type HookSystem = 'windows' | 'linux' | 'osx';

export interface HookCommand {
  readonly text: string;
  readonly shell: 'sh' | 'bash' | 'cmd' | 'powershell';
}

/** What is run at an event. */
export interface Hook {
  readonly event: HookEvent;
  readonly dialect: HookDialect;
  /** Which tools, or which kinds of the event, it is for; undefined: all. */
  readonly matcher: string | undefined;
  /** On this system; undefined: it has none for it. */
  readonly command: HookCommand | undefined;
  /** In seconds. */
  readonly timeout: number;
  /** Relative to the project; undefined: its top. */
  readonly cwd: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

export type HookScope = 'project' | 'user';

/** A file of hooks, as it is on the disk. */
export interface HooksFile {
  readonly scope: HookScope;
  /** As the user names it. */
  readonly shown: string;
  readonly uri: string;
  /** The URI of the folder that its hooks run in: undefined for the user's own, which run where the work is. */
  readonly folder: string | undefined;
  readonly hooks: readonly Hook[];
  /** Events, members and kinds of hooks that are not honoured. */
  readonly unknown: readonly string[];
  /** Why none of it can be used. */
  readonly problem: HooksProblem | undefined;
  /** By the names in commands, those whose content is part of the digest. */
  readonly scripts: readonly string[];
  /** Of what would be run: its place, its content, and that of the scripts it names. */
  readonly digest: string;
}

export type HooksProblem = 'unreadable' | 'not-json' | 'turned-off';
