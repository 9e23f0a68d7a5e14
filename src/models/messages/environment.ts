import { z } from 'zod';
import type { UIMessagePart } from '../../engine/uiMessage.ts';

const PART = 'data-environment';

/** On one line, and unable to end the element that it stands in. */
const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}<>]+$/u);

/** Facts of the machine that a question is asked on: a model is told them again only once they have changed. */
const environment = z.object({
  /** The local day, as `2026-11-10`. */
  date: z.iso.date(),
  system: name,
  /** The shell of commands; omitted if none can be run. */
  shell: name.optional(),
  folders: z.array(z.object({ name, branch: name.optional() })).max(50),
});
export type Environment = z.infer<typeof environment>;

/** As a part of the question; undefined where a name cannot be sent. */
export function environmentPart(now: Environment): UIMessagePart | undefined {
  const { data } = environment.safeParse(now);
  return data && { type: PART, data };
}

/** What a part records; undefined for other kinds of parts. */
export function environmentOf(part: UIMessagePart): Environment | undefined {
  return part.type === PART && 'data' in part ? environment.safeParse(part.data).data : undefined;
}

export function isEnvironmentPart({ type }: UIMessagePart): boolean {
  return type === PART;
}

const OPEN = '<environment>';

/** As a model gets it. */
export function environmentText({ date, system, shell, folders }: Environment): string {
  const named = folders.map(({ name: folder, branch }) =>
    branch === undefined ? folder : `${folder} (git branch ${branch})`,
  );
  return [
    OPEN,
    `Date: ${date}`,
    `System: ${system}${shell === undefined ? '' : `, run_command uses ${shell}`}`,
    named.length === 0 ? 'No folder is open.' : `Open folders: ${named.join(', ')}`,
    '</environment>',
  ].join('\n');
}

/** The user's own text of a question that may end with these facts. */
export function withoutEnvironment(text: string): string {
  const at = text.lastIndexOf(OPEN);
  return at < 0 || !text.trimEnd().endsWith('</environment>') ? text : text.slice(0, at).trimEnd();
}

/** Names that nobody could take for a sentence: at most four short words. */
const PLAIN = /^(?=.{1,40}$)[\p{L}\p{N}._@/+()-]+(?: [\p{L}\p{N}._@/+()-]+){0,3}$/u;

/** Whether it says no more than facts: a chat may come from a file that others wrote, with words in place of names. */
export function isPlainEnvironment({ system, shell, folders }: Environment): boolean {
  const names = [system, shell, ...folders.flatMap(({ name: folder, branch }) => [folder, branch])];
  return names.every((each) => each === undefined || PLAIN.test(each));
}
