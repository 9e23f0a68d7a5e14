import type { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';

/** The conversations to read: their user and store. */
export interface Reading {
  readonly store: ReadonlyStore;
  readonly userId: string;
}

/** A tool's result: a text for a model, and the same as data for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A tool's description for programs, and its implementation. */
export interface ReadingTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The schema of `data`; omitted: there is only text. */
  readonly output?: z.ZodObject;
  /** @throws ZodError for an invalid input; ToolFailure, and any error of the store */
  run(reading: Reading, input: unknown): Promise<ToolAnswer>;
}

/** What a tool can't do; the message explains what to do instead. */
export class ToolFailure extends OffshootError {
  constructor(code: string, message: string) {
    super(code, verbatim(message));
  }
}

/** Defines a tool whose input is parsed by its schema before it runs. */
export function defineReadingTool<Input extends z.ZodObject>(
  tool: Omit<ReadingTool, 'run' | 'input'> & {
    readonly input: Input;
    readonly run: (reading: Reading, input: z.output<Input>) => Promise<ToolAnswer>;
  },
): ReadingTool {
  return { ...tool, run: async (reading, input) => tool.run(reading, tool.input.parse(input)) };
}
