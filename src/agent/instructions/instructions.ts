import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { guardrail, hint, preference, role, type Fragment } from '../../engine/fragments/index.ts';

/** How long instructions may be, in UTF-16 units: they go along with each request. */
export const MAX_INSTRUCTIONS = 100_000;

const text = z.string().trim().min(1);

/** What a person tells the model once and for all: the form of the document they write it in. */
export const instructionsSchema = z.strictObject({
  role: text.optional(),
  hints: z.array(text).optional(),
  guardrails: z
    .array(z.strictObject({ rule: text, reason: text.optional(), action: text.optional() }))
    .optional(),
  preferences: z.array(z.strictObject({ aspect: text, value: text })).optional(),
});
export type Instructions = z.infer<typeof instructionsSchema>;

/** What is wrong with a document, and where: lines and columns count from 0. */
export interface InstructionsProblem {
  readonly line: number;
  readonly column: number;
  readonly what:
    | { readonly kind: 'syntax'; readonly message: string }
    | { readonly kind: 'too-long' }
    /** `isMisplaced`: it would be known at the top of the document. */
    | { readonly kind: 'unknown'; readonly key: string; readonly isMisplaced: boolean }
    /** The value of a member is not what it has to be; the path to it, as in `guardrails.rule`. */
    | { readonly kind: 'wrong'; readonly path: string };
}

export type ReadInstructions =
  | { readonly ok: true; readonly instructions: Instructions }
  | { readonly ok: false; readonly problems: readonly InstructionsProblem[] };

/** Reads the document (TOML) that a person writes instructions in. */
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
    // The first line says what is wrong; a picture of the place follows, which an editor does not need.
    const [first = message] = message.split('\n');
    const what = { kind: 'syntax', message: first.replace(/^Invalid TOML document: /u, '') } as const;
    return { ok: false, problems: [{ line: line - 1, column: column - 1, what }] };
  }
  const read = instructionsSchema.safeParse(data);
  if (read.success) return { ok: true, instructions: read.data };
  return { ok: false, problems: read.error.issues.flatMap((issue) => problemsOf(source, issue)) };
}

/** Instructions as fragments of the system prompt, without the role: there is one role. */
export function instructionFragments({ hints, guardrails, preferences }: Instructions): Fragment[] {
  return [
    ...(hints ?? []).map(hint),
    ...(guardrails ?? []).map(({ rule, reason, action }) =>
      guardrail({
        rule,
        ...(reason === undefined ? {} : { reason }),
        ...(action === undefined ? {} : { action }),
      }),
    ),
    ...(preferences ?? []).map(({ aspect, value }) => preference(aspect, value)),
  ];
}

/** The role of the first that has one. */
export function roleOf(...all: readonly (Instructions | undefined)[]): Fragment | undefined {
  const said = all.find((each) => each?.role !== undefined)?.role;
  return said === undefined ? undefined : role(said);
}

function problemsOf(source: string, issue: z.core.$ZodIssue): InstructionsProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...placeOf(source, [...path, key]),
      what: { kind: 'unknown', key, isMisplaced: path.length > 0 && key in instructionsSchema.shape },
    }));
  }
  const names = path.filter((part) => !/^\d+$/u.test(part));
  return [{ ...placeOf(source, path), what: { kind: 'wrong', path: names.join('.') } }];
}

/** Where a member stands: the parser does not say, but the form is simple enough to look. */
function placeOf(
  source: string,
  [name = '', index, member]: readonly string[],
): { line: number; column: number } {
  const lines = source.split('\n');
  const find = (key: string, from: number): number =>
    lines.findIndex(
      (line, at) => at >= from && new RegExp(`^\\s*["']?${escaped(key)}["']?\\s*=`, 'u').test(line),
    );
  const header = new RegExp(`^\\s*\\[\\[?\\s*["']?${escaped(name)}["']?\\s*\\]`, 'u');
  const headers = lines.flatMap((line, at) => (header.test(line) ? [at] : []));
  const table = headers[Number(index ?? 0)] ?? headers[0];
  const found = table === undefined ? find(name, 0) : member === undefined ? table : find(member, table);
  const line = found >= 0 ? found : (table ?? 0);
  return { line, column: (lines[line] ?? '').search(/\S|$/u) };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}
