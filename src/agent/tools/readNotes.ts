import { limitedLines, startOf } from './textLimits.ts';
import type { ToolContext } from './tool.ts';
import { ToolError } from './toolError.ts';

const MAX_ENTRIES = 500;
const MAX_SHOWN = 50_000;

type Kept = Pick<ToolContext, 'state' | 'artifacts'>;

export async function readNotes(
  { name, version }: { readonly name?: string | undefined; readonly version?: number | undefined },
  context: Kept,
): Promise<string> {
  return name === undefined ? listed(context) : found(name, version, context);
}

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

export function nothingUnder(name: string): ToolError {
  return new ToolError(`Nothing is noted under “${name}”.`, 'not-found');
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

function shown(text: string): string {
  const left = text.length - MAX_SHOWN;
  return left > 0 ? `${startOf(text, MAX_SHOWN)}\n… [${left} more characters left out]` : text;
}
