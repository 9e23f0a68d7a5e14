import { chatMode, type ChatMode } from '../../agent/chatMode.ts';

/** The mode that a prompt file names, also as VS Code calls it; undefined when there is none of that name. */
export function promptMode(name: string): ChatMode | undefined {
  const wanted = name.trim().toLowerCase();
  return wanted === 'edit' ? 'agent' : chatMode.safeParse(wanted).data;
}
