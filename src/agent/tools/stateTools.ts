import { z } from 'zod';
import { limitedLines, startOf } from './textLimits.ts';
import { defineTool } from './tool.ts';
import { ToolError } from './toolError.ts';

const MAX_ENTRIES = 500;
const MAX_SHOWN = 50_000;

const OWN_ONLY = 'Names that begin with user:, app: or temp: cannot be written by tools.';

const key = z.string().trim().min(1).max(500);
const artifactName = z.string().trim().min(1).max(200);

/** The agent's notes for later in the conversation; rewinding restores the notes from that point. */
export const stateTools = [
  defineTool({
    name: 'get_state',
    readsOnly: true,
    description: 'Reads a value noted in this conversation with set_state; without a key, all of them.',
    input: z.object({ key: key.optional() }),
    run: async ({ key: wanted }, { state }) => {
      if (wanted !== undefined) {
        const value = await state.get(wanted);
        if (value === undefined) throw new ToolError(`Nothing is noted under “${wanted}”.`, 'not-found');
        return { text: shown(JSON.stringify(value)) };
      }
      const lines = (await state.entries()).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      if (lines.length === 0) return { text: 'Nothing is noted.' };
      return { text: limitedLines(lines, MAX_ENTRIES, 'Ask for one key.') };
    },
  }),
  defineTool({
    name: 'set_state',
    description:
      'Notes a value for later in this conversation. Going back in the conversation brings back what was noted there.',
    input: z.object({ key: ownKey(), value: z.json() }),
    run: ({ key: name, value }, { state }) => {
      state.set(name, value);
      return { text: `Noted under “${name}”.` };
    },
  }),
  defineTool({
    name: 'delete_state',
    description: 'Removes a value noted with set_state.',
    input: z.object({ key: ownKey() }),
    run: async ({ key: name }, { state }) => {
      if ((await state.get(name)) === undefined) {
        throw new ToolError(`Nothing is noted under “${name}”.`, 'not-found');
      }
      state.delete(name);
      return { text: `Removed “${name}”.` };
    },
  }),
] as const;

export const artifactTools = [
  defineTool({
    name: 'list_artifacts',
    readsOnly: true,
    description: 'Lists the artifacts of this conversation: longer texts kept with it, in versions.',
    input: z.object({}),
    run: async (_input, { artifacts }) => {
      const lines = (await artifacts.list()).map(
        ({ name, version, mediaType, size }) => `${name} (version ${version}, ${mediaType}, ${size} bytes)`,
      );
      if (lines.length === 0) return { text: 'There are no artifacts.' };
      return { text: limitedLines(lines, MAX_ENTRIES, 'The others cannot be listed.') };
    },
  }),
  defineTool({
    name: 'load_artifact',
    readsOnly: true,
    description: 'Reads an artifact; without a version, the newest.',
    input: z.object({ name: artifactName, version: z.number().int().min(0).optional() }),
    run: async ({ name, version }, { artifacts }) => {
      const found = await artifacts.load(name, version);
      if (!found) throw new ToolError(`There is no artifact “${name}”.`, 'not-found');
      if (!isText(found.mediaType)) {
        throw new ToolError(`“${name}” is no text but ${found.mediaType}.`, 'binary');
      }
      return { text: shown(new TextDecoder().decode(found.data)) };
    },
  }),
  defineTool({
    name: 'save_artifact',
    description:
      'Keeps a longer text with the conversation under a name; the same name again makes a new version. No file of ' +
      'the workspace is touched.',
    input: z.object({
      name: artifactName.refine(isOwn, OWN_ONLY),
      content: z.string().max(5_000_000),
      mediaType: z
        .string()
        .regex(/^(text\/[\w.+-]+|application\/json)$/u)
        .optional(),
    }),
    run: async ({ name, content, mediaType = 'text/plain' }, { artifacts }) => {
      const saved = await artifacts.save(name, new TextEncoder().encode(content), { mediaType });
      return { text: `Saved “${saved.name}” as version ${saved.version}.` };
    },
  }),
] as const;

/** Only the user may change what belongs to all conversations: a text the model read must not reach the others. */
function isOwn(name: string): boolean {
  return !/^(user|app|temp):/u.test(name);
}

function ownKey(): typeof key {
  return key.refine(isOwn, OWN_ONLY);
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

function shown(text: string): string {
  const left = text.length - MAX_SHOWN;
  return left > 0 ? `${startOf(text, MAX_SHOWN)}\n… [${left} more characters left out]` : text;
}
