import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';

/** The longest instructions, in UTF-16 units: they are sent with each request. */
export const MAX_INSTRUCTIONS = 100_000;

const text = z.string().trim().min(1);

/** The user's permanent instructions to the model: the form of the document they write. */
export const instructionsSchema = z.strictObject({
  role: text.optional(),
  hints: z.array(text).optional(),
  guardrails: z
    .array(z.strictObject({ rule: text, reason: text.optional(), action: text.optional() }))
    .optional(),
  preferences: z.array(z.strictObject({ aspect: text, value: text })).optional(),
});
export type Instructions = z.infer<typeof instructionsSchema>;

/** A problem in a document, and its position: lines and columns count from 0. */
export interface InstructionsProblem {
  readonly line: number;
  readonly column: number;
  readonly what:
    | { readonly kind: 'syntax'; readonly message: string }
    | { readonly kind: 'too-long' }
    /** `isMisplaced`: it would be valid at the top of the document. */
    | { readonly kind: 'unknown'; readonly key: string; readonly isMisplaced: boolean }
    /** A member has an invalid value; the path to it, as in `guardrails.rule`. */
    | { readonly kind: 'wrong'; readonly path: string };
}

export type ReadInstructions =
  | { readonly ok: true; readonly instructions: Instructions }
  | { readonly ok: false; readonly problems: readonly InstructionsProblem[] };

export function readInstructions(source: string): ReadInstructions {
  if (source.length > MAX_INSTRUCTIONS) {
    return { ok: false, problems: [{ line: 0, column: 0, what: { kind: 'too-long' } }] };
  }
  let data: unknown;
  try {
    data = parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message } = error;
    // The first line names the problem; an excerpt follows, which an editor does not need.
    const [first = message] = message.split('\n');
    const what = { kind: 'syntax', message: first.replace(/^Invalid TOML document: /u, '') } as const;
    return { ok: false, problems: [{ line: line - 1, column: column - 1, what }] };
  }
  const read = instructionsSchema.safeParse(data);
  if (read.success) return { ok: true, instructions: read.data };
  const layout = layoutOf(source);
  return { ok: false, problems: read.error.issues.flatMap((issue) => problemsOf(layout, issue)) };
}

function problemsOf(layout: Layout, issue: z.core.$ZodIssue): InstructionsProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...placeOf(layout, [...path, key]),
      what: {
        kind: 'unknown',
        key,
        isMisplaced: path.length > 0 && Object.hasOwn(instructionsSchema.shape, key),
      },
    }));
  }
  const names = path.filter((part) => !/^\d+$/u.test(part));
  return [{ ...placeOf(layout, path), what: { kind: 'wrong', path: names.join('.') } }];
}

/** Which lines assign a key, and which begin a named table; in order. Computed once for all problems. */
interface Layout {
  readonly lines: readonly string[];
  readonly keys: ReadonlyMap<string, readonly number[]>;
  readonly headers: ReadonlyMap<string, readonly number[]>;
}

const KEY = /^\s*(?:"([^"]*)"|'([^']*)'|([^\s="'[\]]+))\s*=/u;
const HEADER = /^\s*\[\[?\s*(?:"([^"]*)"|'([^']*)'|([^\s"'[\]]+))\s*\]/u;

function layoutOf(source: string): Layout {
  const lines = source.split('\n');
  const keys = new Map<string, number[]>();
  const headers = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    for (const [pattern, places] of [
      [KEY, keys],
      [HEADER, headers],
    ] as const) {
      const found = pattern.exec(line);
      const name = found?.[1] ?? found?.[2] ?? found?.[3];
      if (name === undefined) continue;
      const known = places.get(name);
      if (known) known.push(at);
      else places.set(name, [at]);
    }
  }
  return { lines, keys, headers };
}

/** The position of a member: the parser does not report it, but the form is simple enough to search. */
function placeOf(
  { lines, keys, headers }: Layout,
  [name = '', index, member]: readonly string[],
): { line: number; column: number } {
  const tables = headers.get(name) ?? [];
  const table = tables[Number(index ?? 0)] ?? tables[0];
  const found =
    table === undefined
      ? keys.get(name)?.[0]
      : member === undefined
        ? table
        : firstFrom(keys.get(member) ?? [], table);
  const line = found ?? table ?? 0;
  return { line, column: (lines[line] ?? '').search(/\S|$/u) };
}

/** The first of these ascending numbers that is not below a limit. */
function firstFrom(numbers: readonly number[], limit: number): number | undefined {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return numbers[low];
}
