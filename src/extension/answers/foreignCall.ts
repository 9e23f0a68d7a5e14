import { z } from 'zod';

/** What calls of other programs' tools are about, by their input members: the first that is present names the call. */
const members: readonly (readonly [name: string, icon: string])[] = [
  ['file_path', 'file'],
  ['filePath', 'file'],
  ['path', 'file'],
  ['command', 'terminal'],
  ['cmd', 'terminal'],
  ['pattern', 'search'],
  ['query', 'search'],
  ['url', 'globe'],
  ['description', 'tools'],
  ['name', 'tools'],
  ['input', 'tools'],
  ['code', 'tools'],
  ['prompt', 'tools'],
];

const record = z.record(z.string(), z.unknown());
const text = z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))]);

/** The text of a patch contains the file it is for. */
const patched = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/mu;

/**
 * Describes a call of a tool that is not ours: with many calls, its name alone would be too little.
 * @returns its name with what it is about, as far as that is known
 */
export function describeForeignCall(tool: string, input: unknown): { title: string; icon: string } {
  const given = record.safeParse(input).data ?? {};
  for (const [name, icon] of members) {
    const said = text.safeParse(given[name]).data;
    const about = said === undefined ? undefined : (patched.exec(said)?.[1] ?? firstLine(said));
    if (about !== undefined) return { title: `${tool}: ${about}`, icon };
  }
  return { title: tool, icon: 'tools' };
}

/** The first line with content; code may be fenced. */
function firstLine(said: string): string | undefined {
  return said
    .split('\n', 5)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('```'));
}
