import { z } from 'zod';
import { readFrontMatter } from './frontMatter.ts';

/** How large a prompt file may be, in bytes: the whole of it goes to the model. */
export const MAX_PROMPT = 100_000;

const line = z.string().trim().min(1).max(1_000);
/** A list, or one text with commas, as people write both. */
const list = z.union([
  z.array(line).max(100),
  line.transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]);

/** What VS Code documents for the front matter of a prompt file; `mode` is what `agent` was called before. */
const known = {
  name: line,
  description: line,
  'argument-hint': line,
  agent: line,
  mode: line,
  model: list,
  tools: list,
} as const;

/** A prompt file as it was read. */
export interface PromptFile {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly argumentHint: string | undefined;
  /** As it is written: it may be one there is not. */
  readonly mode: string | undefined;
  /** In the order of preference. */
  readonly models: readonly string[];
  /** Undefined: those of the mode. */
  readonly tools: readonly string[] | undefined;
  /** Keys that mean nothing here. */
  readonly unknown: readonly string[];
  readonly body: string;
}

export type ReadPrompt =
  | { readonly ok: true; readonly prompt: PromptFile }
  /** What is wrong with the front matter: it may say that less is allowed, and so the prompt is not run without it. */
  | { readonly ok: false; readonly problem: string };

/** Reads a prompt file: front matter, then Markdown. */
export function readPromptFile(source: string): ReadPrompt {
  const { fields, problem, body } = readFrontMatter(source);
  if (problem !== undefined) return { ok: false, problem };
  const wrong: string[] = [];
  const get = <K extends keyof typeof known>(key: K): z.infer<(typeof known)[K]> | undefined => {
    const value = fields.get(key);
    // A key without a value says nothing.
    if (value === undefined || value === '') return undefined;
    const schema: z.ZodType<z.infer<(typeof known)[K]>> = known[key] as unknown as z.ZodType<
      z.infer<(typeof known)[K]>
    >;
    const read = schema.safeParse(value);
    if (!read.success) wrong.push(key);
    return read.data;
  };
  const tools = get('tools');
  const mode = get('agent') ?? get('mode');
  const prompt: PromptFile = {
    name: get('name'),
    description: get('description'),
    argumentHint: get('argument-hint'),
    // Who names tools wants them used.
    mode: mode ?? (tools === undefined ? undefined : 'agent'),
    models: get('model') ?? [],
    tools,
    unknown: [...fields.keys()].filter((key) => !Object.hasOwn(known, key)),
    body: body.trim(),
  };
  if (wrong.length > 0)
    return { ok: false, problem: `“${wrong.join('”, “')}” has a value of the wrong kind` };
  return { ok: true, prompt };
}
