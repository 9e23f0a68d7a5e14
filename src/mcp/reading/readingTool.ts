import type { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';

/** Whose conversations are read, and where they are. */
export interface Reading {
  readonly store: ReadonlyStore;
  readonly userId: string;
}

/** What a tool found: a text for a model, and for programs the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a program is told of a tool, and what the tool does. */
export interface ReadingTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** What `data` looks like; left out: there is only text. */
  readonly output?: z.ZodObject;
  /** @throws ZodError for an input of another kind; ToolFailure, and what the store throws */
  run(reading: Reading, input: unknown): Promise<ToolAnswer>;
}

/** What a tool can't do; the message says what to do instead. */
export class ToolFailure extends OffshootError {
  constructor(code: string, message: string) {
    super(code, verbatim(message));
  }
}

/** A tool whose input is read by its schema before it runs. */
export function defineReadingTool<Input extends z.ZodObject>(
  tool: Omit<ReadingTool, 'run' | 'input'> & {
    readonly input: Input;
    readonly run: (reading: Reading, input: z.output<Input>) => Promise<ToolAnswer>;
  },
): ReadingTool {
  return { ...tool, run: async (reading, input) => tool.run(reading, tool.input.parse(input)) };
}
