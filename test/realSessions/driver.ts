import type { Place } from './confined.ts';
import type { Flow, OfProgram, ToolCalls } from './flows.ts';

/** A flow that a program has no means for, with the reason that is the program's. */
export interface Cannot {
  readonly cannot: string;
}

/**
 * Drives the program through a flow: asks each of the questions as its user would.
 * @param asks the questions of the flow, in their order
 */
export type Drive = (place: Place, asks: readonly string[]) => Promise<void>;

/**
 * What a program doesn't keep, or not in a form that could be shown: reasoning; the beginning of an answer that was
 * stopped (`cut`), that it was stopped (`cutMark`), or its model (`cutModel`); pictures; the models of answers.
 * Pictures of results (`resultPictures`) are not compared where it does not send those it keeps.
 */
export type Loss = 'reasoning' | 'cut' | 'cutMark' | 'cutModel' | 'pictures' | 'resultPictures' | 'models';

/** How one program is installed, set up and driven. */
export interface Driver {
  /** As in the importers' list of programs. */
  readonly program: string;
  readonly name: string;
  /** What npm installs, with its exact version; the first has the program. */
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  /** A script of an installed package that fetches or places its native part, from `node_modules`. */
  readonly afterInstall?: string;
  /** The name of its command in `node_modules/.bin`. */
  readonly command: string;
  readonly tools: ToolCalls;
  /** What it asks the model of its own accord; looked at before the questions of the flow. */
  readonly ofProgram?: OfProgram;
  /** Environment variables on top of a clean environment, with which it talks to the server alone. */
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** Writes its settings before the first start. */
  readonly setUp?: (place: Place) => Promise<void>;
  /** How long each request is said to be, in tokens, where it goes by that. */
  readonly inputTokens?: number;
  /** The folders or files below the user's folder in which it keeps sessions: what is imported, and the sample. */
  readonly keeps: readonly string[];
  /** What is not in its files, each with what is there in its place. */
  readonly loses?: Readonly<Partial<Record<Loss, string>>>;
  readonly flows: Readonly<Record<Flow, Drive | Cannot>>;
  /**
   * Continues a session that was written for it, with one more question.
   * @param command as the user is told to continue it
   */
  readonly resumes?: (place: Place, command: readonly string[], ask: string) => Promise<void>;
  /** What its own ids look like, apart from UUIDs; they are numbered in samples. */
  readonly ids?: RegExp;
  /**
   * What of a file becomes part of the sample: instructions of the program, for example, are cut to a word.
   * @param neutral makes paths, ids and times neutral
   * @param files all of them: what a database has in its log is in another
   * @returns undefined: the file is left out
   */
  readonly sampled?: (
    name: string,
    content: Buffer,
    neutral: (text: string) => string,
    files: ReadonlyMap<string, Buffer>,
  ) => string | Buffer | undefined;
}
