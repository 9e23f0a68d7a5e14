import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { checkpointCommands } from './checkpointCommands.ts';
import { manageBranchCommands } from './manageBranchCommands.ts';
import { rewindCommands } from './rewindCommands.ts';
import * as vscode from 'vscode';
import { branchOf, chatOf, checkpointOf, messageIdOf, branchesOf } from '../commands/commandArguments.ts';
import { pickBranch } from './pickBranchOrCheckpoint.ts';
import { notify } from '../ui/notifications.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { BranchLabels } from './branchLabels.ts';
import type { MoveContext } from './switchToBranch.ts';
import { OffshootError } from '../../engine/errors.ts';
import { readUIMessage, stripReminders, textOf } from '../../engine/uiMessage.ts';
import { MAX_TEXT } from '../../protocol/attachments.ts';
import { pickChat, type ChatsOfUser } from '../commands/pickChat.ts';
import { pickOne } from '../ui/quickPick.ts';
import { z } from 'zod';
import { pointOfBranch, pointOfMessage, showComparison, type ComparedPoint } from './showComparison.ts';

type BranchesCommand = NamesOf<
  | typeof attachBranchCommands
  | typeof checkpointCommands
  | typeof manageBranchCommands
  | typeof messageCommands
  | typeof rewindCommands
>;

export function branchesCommands(
  deps: ChatsOfUser & Parameters<typeof rewindCommands>[0],
  chat: ShownChat,
): CommandHandlers<BranchesCommand> {
  return together(
    attachBranchCommands(deps, chat),
    checkpointCommands(deps, chat),
    manageBranchCommands(deps, chat),
    messageCommands(deps),
    rewindCommands(deps, chat),
  );
}

function messageCommands(
  deps: MoveContext,
): CommandHandlers<'copyMessage' | 'copyMessageId' | 'copyName' | 'insertText'> {
  const { conversations, store } = deps;
  return {
    copyMessage: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined)
        await vscode.env.clipboard.writeText(await conversations.textOf(messageId));
    },
    copyMessageId: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await vscode.env.clipboard.writeText(messageId);
    },
    copyName: async (argument) => {
      const chat = chatOf(argument);
      const name = chat
        ? (await store.getChat(chat.chatId))?.title
        : ((branchOf(argument) ?? checkpointOf(argument))?.name ??
          (await pickBranch(deps, vscode.l10n.t('Select a branch to copy the name of'), {
            active: true,
          })));
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    },
    insertText: async (text) => {
      if (typeof text !== 'string') return;
      const editor = vscode.window.activeTextEditor;
      if (!editor) {
        void notify.information(vscode.l10n.t('Open a file to insert the code into.'));
        return;
      }
      await editor.edit((edit) => {
        for (const selection of editor.selections) edit.replace(selection, text);
      });
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    },
  };
}

interface NamedPoint {
  readonly kind: 'branch' | 'checkpoint';
  readonly chatId: string;
  readonly name: string;
}

function attachBranchCommands(
  deps: ChatsOfUser & { readonly labels: BranchLabels },
  chat: ShownChat,
): CommandHandlers<'addBranch'> {
  return {
    addBranch: async (argument) => {
      const point =
        branchOf(argument) ??
        checkpointOf(argument) ??
        (await onlyBranchOf(deps.store, argument)) ??
        (await pickPoint(deps));
      if (!point) return;
      const text = await textUpTo(deps.store, point);
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

/** The row of a chat with one branch stands for that branch. */
async function onlyBranchOf(
  store: Pick<ReadonlyStore, 'getActiveBranch'>,
  argument: unknown,
): Promise<NamedPoint | undefined> {
  const chat = chatOf(argument);
  const branch = chat && (await store.getActiveBranch(chat.chatId));
  return branch && { kind: 'branch', chatId: branch.chatId, name: branch.name };
}

async function pickPoint(deps: Parameters<typeof attachBranchCommands>[0]): Promise<NamedPoint | undefined> {
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
async function textUpTo(store: ReadonlyStore, { kind, chatId, name }: NamedPoint): Promise<string> {
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

const messagesArgument = z.object({ chatId: z.string(), messageIds: z.tuple([z.string(), z.string()]) });

export function compareCommands(deps: Parameters<typeof pickBranch>[0]): CommandHandlers<'compareBranches'> {
  const { current, store } = deps;
  const compareBranches = async (chatId: string, one: string, other: string): Promise<void> => {
    const [left, right] = [await pointOfBranch(deps, chatId, one), await pointOfBranch(deps, chatId, other)];
    await showComparison(store, chatId, left, right);
  };
  const compareMessages = async (chatId: string, ids: readonly [string, string]): Promise<void> => {
    const points: ComparedPoint[] = [];
    for (const id of ids) points.push(await pointOfMessage(deps, chatId, id));
    const [left, right] = points;
    if (left && right) await showComparison(store, chatId, left, right);
  };
  return {
    compareBranches: async (argument, selection) => {
      const messages = messagesArgument.safeParse(argument).data;
      if (messages) return compareMessages(messages.chatId, messages.messageIds);
      const chosen = branchesOf(argument, selection);
      const chatId = chosen[0]?.chatId ?? (await current.chatId());
      const inChat = chosen.filter((branch) => branch.chatId === chatId);
      const one =
        inChat[0]?.name ??
        (await pickBranch(deps, vscode.l10n.t('Select a branch to compare'), {
          active: true,
          all: true,
        }));
      if (one === undefined) return;
      const title = vscode.l10n.t(
        'Select a branch to compare {0} with',
        await deps.labels.label(chatId, one),
      );
      const other =
        inChat[1]?.name ?? (await pickBranch(deps, title, { active: true, all: true, chatId, without: one }));
      if (other !== undefined) await compareBranches(chatId, one, other);
    },
  };
}
