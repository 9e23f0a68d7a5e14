import type { ForeignFiles } from '../../host/foreignFiles.ts';
import type { Program } from '../importPrograms.ts';

/** A picture with its bytes, of a type that models accept. */
export interface SessionPicture {
  readonly mediaType: string;
  readonly base64: string;
}

/** What the user said. */
export interface SessionQuestion {
  readonly role: 'user';
  /** Empty only where there are pictures. */
  readonly text: string;
  readonly pictures: readonly SessionPicture[];
  /** Milliseconds since 1970, never before that of the turn before. */
  readonly createdAt: number;
}

/** One call of a tool with its result: every call has one. */
export interface SessionCall {
  /** Of letters, digits, `_` and `-`, at most 64, and only once in a branch. */
  readonly id: string;
  /** Of the same characters. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
  /** Shown to the model with the result. */
  readonly pictures: readonly SessionPicture[];
}

/** One reply of a model: what it said, then the calls that it made at once. */
export interface SessionAnswer {
  readonly role: 'assistant';
  /** Empty only where there are calls. */
  readonly text: string;
  readonly calls: readonly SessionCall[];
  /** As a name to show; undefined where it is not known. */
  readonly model: string | undefined;
  readonly createdAt: number;
}

export type SessionTurn = SessionQuestion | SessionAnswer;

/** A branch for the program that continues it. */
export interface SessionBranch {
  /** On one line. */
  readonly title: string;
  /**
   * What a model would be sent of the branch, in order: a compacted part is its summary, as a question. Not empty; the
   * first is a question. Several questions, or several answers, may follow each other.
   */
  readonly turns: readonly SessionTurn[];
  /** The real path of the folder that the session belongs to, as the program itself would name it. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A new UUID with each call. */
  readonly newId: () => string;
}

/** A session in a program's own format. */
export interface WrittenSession {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** The folders below that of all sessions in which the program looks for the file. Default: none */
  readonly folders?: readonly string[];
  /**
   * What continues the session, one after the other, each as a program with its arguments; run in the folder of the
   * branch.
   * @param file the path at which it was saved
   */
  readonly commands: (file: string) => readonly (readonly string[])[];
}

/** How a branch becomes a session of one program. */
export interface SessionExport {
  readonly program: Program;
  /** The folder of all sessions, as a path; left out where the program takes sessions by a command alone. */
  readonly home?: (files: Pick<ForeignFiles, 'userFolder'>) => string;
  readonly write: (branch: SessionBranch) => WrittenSession | Promise<WrittenSession>;
}
