/** The topics that have a written answer in each language, in the order in which questions are compared with them. */
export const DEMO_TOPICS = [
  'closure',
  'lines',
  'http',
  'typescript',
  'rust',
  'go',
  'sql',
  'python',
  'regex',
  'tests',
  'debugging',
  'git',
  'sorting',
  'formula',
  'plan',
  'mail',
  'haiku',
  'sky',
  'branches',
  'hello',
] as const;
export type DemoTopic = (typeof DEMO_TOPICS)[number];

export interface WrittenAnswer {
  /** The question that it was written for. */
  readonly question: string;
  /** Short questions that get it as well. */
  readonly asks: RegExp;
  readonly title: string;
  /** One for each attempt; after the last they begin again. */
  readonly texts: readonly [string, ...string[]];
}

/** What the little task of the agent says and writes. */
export interface TaskTexts {
  /** Asks for the task. */
  readonly question: string;
  readonly asks: RegExp;
  /** The sample file as it is made. */
  readonly file: string;
  /** A line of it. */
  readonly line: string;
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[];
  readonly begin: string;
  readonly goal: string;
  readonly explore: string;
  readonly look: string;
  readonly back: string;
  readonly report: string;
  readonly edit: string;
  readonly run: string;
  readonly notWritten: string;
  readonly notEdited: string;
  readonly brokeOff: string;
  readonly done: (
    file: string,
    facts: { readonly explored: boolean; readonly command: CommandOutcome },
  ) => string;
  /** Why there is no task here, and what to do about it. */
  readonly missing: Readonly<Record<MissingTools, string>>;
}

export type CommandOutcome = 'ran' | 'failed' | 'browser' | 'off';

/** Why the agent's tools are not there. */
export type MissingTools = 'untrusted' | 'no-folder' | 'off';

export interface ExploreTexts {
  readonly asks: RegExp;
  readonly goal: string;
  readonly begin: string;
  readonly look: string;
  readonly back: string;
  readonly brokeOff: string;
  readonly report: (names: readonly string[]) => string;
  readonly done: (report: string) => string;
}

export interface UnknownQuestion {
  readonly question: string;
  readonly earlier: readonly string[];
  readonly suggestions: readonly string[];
}

/** Everything that the demo says, in one language. Longer than other texts of the program, and read with a question. */
export interface DemoBook {
  readonly answers: Readonly<Record<DemoTopic, WrittenAnswer>>;
  readonly task: TaskTexts;
  readonly explore: ExploreTexts;
  readonly asksHelp: RegExp;
  readonly help: (questions: readonly string[]) => string;
  readonly asksCode: RegExp;
  readonly codeTitle: string;
  readonly codeIntroduction: string;
  readonly unknown: (asked: UnknownQuestion) => string;
  /** Before an answer to a question that was not written for just this. */
  readonly closest: (question: string) => string;
  readonly sum: (expression: string, value: string) => string;
  readonly noSum: (expression: string) => string;
  readonly asksThinking: RegExp;
  readonly thinking: (question: string, count: number) => string;
  readonly asksLong: RegExp;
  readonly longTitle: string;
  readonly longParagraph: (number: number) => string;
  readonly longEnd: string;
  readonly asksSlow: RegExp;
  readonly asksFailure: RegExp;
  readonly unread: string;
  readonly tips: readonly string[];
  readonly again: (attempt: number) => string;
  readonly summary: (count: number) => string;
}
