import { chatMode, type ChatMode } from '../../agent/chatMode.ts';

/** The mode that a prompt file names, also by VS Code's name for it; undefined when there is no such mode. */
export function promptMode(name: string): ChatMode | undefined {
  const wanted = name.trim().toLowerCase();
  return wanted === 'edit' ? 'agent' : chatMode.safeParse(wanted).data;
}
