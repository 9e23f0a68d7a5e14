import { z } from 'zod';
import { defineTool } from './tool.ts';
import { ToolError } from './toolError.ts';

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
    run: async (asked, context) => ({
      text: await (await import('./readNotes.ts')).readNotes(asked, context),
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
      if ((await state.get(name)) === undefined) throw (await import('./readNotes.ts')).nothingUnder(name);
      state.delete(name);
      return { text: `Removed “${name}”.` };
    },
  }),
] as const;
