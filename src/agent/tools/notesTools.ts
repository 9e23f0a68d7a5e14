import { z } from 'zod';
import { limitedLines, startOf } from './textLimits.ts';
import { defineTool, type ToolContext } from './tool.ts';
import { ToolError } from './toolError.ts';

const MAX_ENTRIES = 500;
const MAX_SHOWN = 50_000;

/** The longest note, and the longest document, in UTF-16 units. */
const MAX_NOTE = 20_000;
const MAX_DOCUMENT = 5_000_000;

/** The agent's notes and documents for later in the conversation; a rewind restores those from that point. */
export const notesTools = [
  defineTool({
    name: 'read_notes',
    readsOnly: true,
    description:
      'Reads a note or document of this conversation by its name; without a name, lists them. Of a document, the ' +
      'newest version, unless one is named.',
    input: z.object({
      name: z.string().trim().min(1).max(500).optional(),
      version: z.int().min(0).optional(),
    }),
    run: async ({ name, version }, context) => ({
      text: name === undefined ? await listed(context) : await found(name, version, context),
    }),
  }),
  defineTool({
    name: 'write_note',
    description:
      'Keeps a text with this conversation under a name, for later. Nothing in the workspace changes. With a ' +
      'mediaType it is a document, which the user can open: the same name again makes a new version. Else it is a ' +
      'note; an empty text removes it.',
    input: z.object({
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        // Only the user may change what belongs to all conversations: a text the model read must not reach the others.
        .refine((name) => !/^(?:user|app|temp|offshoot):/u.test(name), {
          error: 'Names that begin with user:, app:, temp: or offshoot: cannot be written by tools.',
        }),
      text: z.string().max(MAX_DOCUMENT),
      mediaType: z
        .string()
        .regex(/^(text\/[\w.+-]+|application\/json)$/u)
        .optional(),
    }),
    run: async ({ name, text, mediaType }, { state, artifacts }) => {
      if (mediaType !== undefined) {
        const saved = await artifacts.save(name, new TextEncoder().encode(text), { mediaType });
        return { text: `Saved “${saved.name}” as version ${saved.version}.` };
      }
      if (text.length > MAX_NOTE) {
        throw new ToolError(
          `A note has at most ${MAX_NOTE} characters. Give a mediaType, such as text/markdown, to keep it as a document.`,
          'too-large',
        );
      }
      if (text !== '') {
        state.set(name, text);
        return { text: `Noted under “${name}”.` };
      }
      if ((await state.get(name)) === undefined) throw nothingUnder(name);
      state.delete(name);
      return { text: `Removed “${name}”.` };
    },
  }),
] as const;

type Kept = Pick<ToolContext, 'state' | 'artifacts'>;

async function listed({ state, artifacts }: Kept): Promise<string> {
  const notes = (await state.entries()).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const documents = (await artifacts.list()).map(
    ({ name, version, mediaType, size }) => `${name} (version ${version}, ${mediaType}, ${size} bytes)`,
  );
  const lines = [...notes, ...documents];
  return lines.length === 0
    ? 'Nothing is noted.'
    : limitedLines(lines, MAX_ENTRIES, 'Ask for one by its name.');
}

async function found(name: string, version: number | undefined, { state, artifacts }: Kept): Promise<string> {
  const value = version === undefined ? await state.get(name) : undefined;
  const note = value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
  const document = await artifacts.load(name, version);
  if (!document) {
    if (note.length === 0) throw nothingUnder(name);
    return note.map(shown).join('\n');
  }
  if (!isText(document.mediaType)) {
    throw new ToolError(`“${name}” is no text but ${document.mediaType}.`, 'binary');
  }
  return [...note, new TextDecoder().decode(document.data)].map(shown).join('\n\n---\n\n');
}

function nothingUnder(name: string): ToolError {
  return new ToolError(`Nothing is noted under “${name}”.`, 'not-found');
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

function shown(text: string): string {
  const left = text.length - MAX_SHOWN;
  return left > 0 ? `${startOf(text, MAX_SHOWN)}\n… [${left} more characters left out]` : text;
}
