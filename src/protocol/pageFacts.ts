import type { z } from 'zod';

// What pages and the extension both know, without a schema: the extension loads it when it starts.

/** From any edition of VS Code. It only shows that the name belongs to this extension: the host must resolve it. */
export const CHAT_LINK = /^(?!javascript:|data:|vbscript:)[a-z][a-z0-9.+-]*:\/\/offshoot\.offshoot\/chat\//i;

/** The number of colors that branches use in turn, in order of creation; defined in `styles/base.css`. */
export const BRANCH_COLORS = 5;

/** The data type of a drag from the tree; VS Code derives it from the tree's name. */
export const DRAGGED_FROM_TREE = 'application/vnd.code.tree.offshoot.tree';

/** The problems of a message, described by its shape and never by its content. */
export function problemsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.') || 'message'}: ${code}`).join('; ');
}
