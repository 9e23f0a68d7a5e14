import * as vscode from 'vscode';
import { z } from 'zod';
import { CHAT_LINK } from '../../protocol/constants.ts';

// vscode://offshoot.offshoot/chat/<id>/message/<id>?workspace=<name>. Anyone may have written the part after the name
// of the extension: it names a place, and can express nothing else.

const id = z.string().min(1).max(1_000);

const chatLink = z.strictObject({
  chatId: id,
  messageId: id.optional(),
  /** The name of a branch, which changes when it is renamed. */
  branch: z.string().min(1).max(200).optional(),
  /** The name of the workspace where the link was copied: only that has the chat. */
  workspace: z.string().min(1).max(200).optional(),
});

/** The target of a link. */
export type ChatLink = z.infer<typeof chatLink>;

const EXTENSION = 'offshoot.offshoot';

/** A link to a place, for this edition of VS Code. */
export function chatLinkTo({ chatId, messageId, branch, workspace }: ChatLink): string {
  const place =
    messageId !== undefined
      ? `/message/${segment(messageId)}`
      : branch !== undefined
        ? `/branch/${segment(branch)}`
        : '';
  const query = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  return `${vscode.env.uriScheme}://${EXTENSION}/chat/${segment(chatId)}${place}${query}`;
}

/** The target of a link; undefined for text that is not a link. */
export function readChatLink(link: string): ChatLink | undefined {
  if (!CHAT_LINK.test(link)) return undefined;
  const uri = parsed(link);
  if (uri?.fragment !== '') return undefined;
  const [, , chatId, kind, name, ...more] = uri.path.split('/').map(plain);
  const isWhole = name !== undefined && more.length === 0;
  if (kind !== undefined && !(isWhole && (kind === 'message' || kind === 'branch'))) return undefined;
  const workspace = /^workspace=([^]+)$/u.exec(uri.query)?.[1];
  return chatLink.safeParse({
    chatId,
    ...(kind === 'message' ? { messageId: name } : {}),
    ...(kind === 'branch' ? { branch: name } : {}),
    ...(workspace === undefined ? {} : { workspace }),
  }).data;
}

function parsed(link: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(link, true);
  } catch {
    return undefined;
  }
}

/** VS Code decodes a path before it is split: a slash in a name must survive that. */
function segment(name: string): string {
  return encodeURIComponent(name.replaceAll('%', '%25').replaceAll('/', '%2F'));
}

function plain(part: string): string {
  return part.replaceAll('%2F', '/').replaceAll('%25', '%');
}
