import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';
import type { HistorySource, LineOrigins } from '../../lineOrigins/lineOrigins.ts';
import type { Authors } from '../../lineOrigins/stepDetails.ts';
import type { ReadingFiles } from './readingFiles.ts';

export interface Reading {
  readonly store: ReadonlyStore;
  readonly userId: string;
  /** Omitted: files cannot be read here. */
  readonly files?: ReadingFiles;
  /** Omitted: git is not asked here. */
  readonly history?: HistorySource;
  /** Of a window, which hears of each change. Omitted: all records are read with each call, so that none is missed. */
  readonly lineOrigins?: () => Promise<LineOrigins>;
  /** Omitted, or undefined: nobody shares the store. */
  readonly authors?: Authors | undefined;
}

/**
 * A tool's result: a text for a model, and the same as data. Some programs pass on only the data to their model, so it
 * says all that the text says.
 */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

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

export function defineReadingTool<Input extends z.ZodObject>(
  tool: Omit<ReadingTool, 'run' | 'input'> & {
    readonly input: Input;
    readonly run: (reading: Reading, input: z.output<Input>) => Promise<ToolAnswer>;
  },
): ReadingTool {
  return { ...tool, run: async (reading, input) => tool.run(reading, tool.input.parse(input)) };
}

/** Where a list continues; only values that a tool returned. */
export const cursor = z.string().max(200).optional().describe('nextCursor of the page before');

export function pageLimit(most: number, usual: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual);
}

/** @throws ToolFailure for a cursor that no tool returned */
export function offsetOf(given: string | undefined): number {
  if (given === undefined) return 0;
  if (!/^\d{1,9}$/u.test(given)) throw new ToolFailure('invalid-cursor', 'This is no nextCursor of a list.');
  return Number(given);
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** @param found at least one more than fits on the page, if there are more */
export function pageOf<T>(found: readonly T[], offset: number, limit: number): Page<T> {
  const items = found.slice(offset, offset + limit);
  return found.length > offset + limit ? { items, nextCursor: String(offset + limit) } : { items };
}

export function moreLine({ nextCursor }: Pick<Page<unknown>, 'nextCursor'>): string[] {
  return nextCursor === undefined ? [] : [`There is more: cursor ${JSON.stringify(nextCursor)}.`];
}
