import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { readUIMessage, stripReminders, textOf } from '../../engine/uiMessage.ts';
import { MAX_TEXT } from '../../protocol/attachments.ts';
import { pickChat, type PickChatDeps } from '../chats/pickChat.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { branchOf, checkpointOf } from '../commands/commandArguments.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { PickBranchDeps } from './pickBranch.ts';

export type AttachBranchDeps = PickBranchDeps & PickChatDeps;

/** A named point of a conversation. */
interface NamedPoint {
  readonly kind: 'branch' | 'checkpoint';
  readonly chatId: string;
  readonly name: string;
}

/** Commands that attach the conversation up to a branch's head or a checkpoint, of any chat. */
export function attachBranchCommands(deps: AttachBranchDeps, chat: ShownChat): CommandHandlers<'addBranch'> {
  return {
    addBranch: async (argument) => {
      const point = branchOf(argument) ?? checkpointOf(argument) ?? (await pickPoint(deps));
      if (!point) return;
      const text = await textUpTo(deps, point);
      if (text === '') {
        throw new OffshootError('nothing-to-attach', vscode.l10n.t('Nothing was said there yet.'));
      }
      const { chatId, kind, name } = point;
      const title = (await deps.store.getChat(chatId))?.title ?? vscode.l10n.t('New chat');
      const label = kind === 'branch' ? await deps.labels.label(chatId, name) : name;
      await chat.focus({ attachments: [{ type: 'context', of: 'text', name: `${label} · ${title}`, text }] });
    },
  };
}

async function pickPoint(deps: AttachBranchDeps): Promise<NamedPoint | undefined> {
  const { store, labels } = deps;
  const title = vscode.l10n.t('Attach a branch or checkpoint');
  const chatId = await pickChat(deps, title);
  if (chatId === undefined) return undefined;
  const labelOf = await labels.of(chatId);
  const branches = (await store.listBranches(chatId)).map(({ name }) => ({
    icon: 'git-branch',
    label: labelOf(name),
    point: { kind: 'branch', chatId, name } as const,
  }));
  const checkpoints = (await store.listCheckpoints(chatId)).map(({ name }) => ({
    icon: 'bookmark',
    label: name,
    point: { kind: 'checkpoint', chatId, name } as const,
  }));
  return (await pickOne([...branches, ...checkpoints], { title }))?.point;
}

/** The messages without what tools did; only the end if that is longer than can be attached. */
async function textUpTo({ store }: PickBranchDeps, { kind, chatId, name }: NamedPoint): Promise<string> {
  const messageId =
    kind === 'branch'
      ? (await store.getBranch(chatId, name))?.headMessageId
      : (await store.listCheckpoints(chatId)).find((each) => each.name === name)?.messageId;
  if (messageId === undefined || messageId === null) return '';
  const path = await store.getPath(chatId, messageId);
  const texts = path.flatMap(({ type, data }) => {
    const read = type === 'message' ? readUIMessage(data) : undefined;
    const words = read && textOf(stripReminders(read));
    return words ? [`<message role="${read.role}">\n${words}\n</message>`] : [];
  });
  const text = texts.join('\n\n');
  if (text.length <= MAX_TEXT) return text;
  const note = '[The beginning was left out.]\n\n';
  return note + text.slice(note.length - MAX_TEXT).toWellFormed();
}
