import type { OpenAiServer } from '../../../fixtures/openaiServer.ts';
import type { Scene } from '../scene.ts';

/** What a daily user does, step by step. */
export interface Task {
  readonly name: string;
  /** Left out: a server that answers from a script. */
  readonly model?: 'demo';
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly steps: (server: OpenAiServer) => readonly Scene[];
}
