import * as vscode from 'vscode';
import type { ChatModel } from '../agent/chatModel.ts';
import type { Run } from '../agent/runs.ts';
import { isNotOffered } from '../agent/smallModels.ts';
import type { WrittenTitle } from '../agent/titles/writeTitle.ts';
import type { Disposable } from '../engine/event.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';
import { logFailure } from './failures.ts';
import type { Services } from './services.ts';
import { cleanTitle, titleFrom } from './titles.ts';

type TitleServices = Pick<Services, 'store' | 'runs' | 'models' | 'settings' | 'log'>;

/** What a title is written for. */
interface Untitled {
  readonly question: string;
  readonly answer: string;
  /** The title of the chat that it replaces; undefined for a branch. */
  readonly replaces: string | undefined;
}

/**
 * Has a small model of the provider that gave the first answer of a chat or of a branch write its title, beside
 * whatever goes on. Each is tried once; what fails leaves the first words, and a title the user gave stays.
 */
export function registerModelTitles(services: TitleServices): vscode.Disposable {
  const { store, runs, models, log } = services;
  const tried = new Set<string>();
  const writing = new Map<AbortController, string>();
  const title = async (run: Run): Promise<void> => {
    const { chatId, questionId, model } = run;
    const key = JSON.stringify([chatId, questionId]);
    if (tried.has(key)) return;
    const untitled = await untitledBy(services, run);
    if (!untitled || tried.has(key)) return;
    tried.add(key);
    const stopping = new AbortController();
    writing.set(stopping, chatId);
    try {
      const { question, answer, replaces } = untitled;
      // With it comes the AI SDK.
      const { writeTitle } = await import('../agent/withSdk.ts');
      const small = await models.smallFor(model);
      let failure: string | undefined;
      const write = (by: ChatModel): Promise<WrittenTitle | undefined> =>
        writeTitle({ model: by, question, answer, signal: stopping.signal }, (code) => {
          failure = code;
          log.info(`No title was written by ${by.id}: ${code}`);
        });
      const first = await write(small);
      const isRefused = first === undefined && small !== model && isNotOffered(failure);
      const written = isRefused ? await write(model) : first;
      const by = isRefused ? model : small;
      const text = written ? cleanTitle(written.text) : '';
      if (stopping.signal.aborted || text === '') return;
      const { inputTokens = null, outputTokens = null } = written?.usage ?? {};
      const details = { model: by.id, inputTokens, outputTokens };
      await store.saveTitle({ chatId, messageId: questionId, title: text, replaces, details });
    } finally {
      writing.delete(stopping);
    }
  };
  const stop = (chatId?: string): void => {
    for (const [stopping, of] of writing) if (chatId === undefined || of === chatId) stopping.abort();
  };
  const subscriptions: Disposable[] = [
    runs.onDidChange((event) => {
      if (event.kind !== 'finished') return;
      title(event.run).catch((error: unknown) => logFailure(log, 'A title could not be kept', error));
    }),
    store.onDidChange((change) => {
      if (change.kind === 'chat' && change.change === 'deleted') stop(change.chatId);
    }),
    { dispose: () => stop() },
  ];
  return vscode.Disposable.from(...subscriptions);
}

/** Undefined where an answer is not the first one of a chat or of a branch, or where no title is wanted. */
async function untitledBy({ store, settings }: TitleServices, run: Run): Promise<Untitled | undefined> {
  const { chatId, questionId, model, status } = run;
  if (status !== 'complete' || model.isDemo || store.isReadOnly || settings.get('titles') !== 'model') {
    return undefined;
  }
  const chat = await store.getChat(chatId);
  const branch = chat && (await store.getBranch(chatId, run.branch));
  const asked = branch && (await store.getMessage(chatId, questionId));
  const read = asked && readUIMessage(asked.data);
  const question = read ? textOf(read) : '';
  if (!asked || question.trim() === '') return undefined;
  const answer = textOf(run.message());
  // As long as nobody called the chat otherwise.
  if (asked.parentId === null && chat.title === titleFrom(question)) {
    return { question, answer, replaces: chat.title };
  }
  // What is asked later on goes on with what has a title; an answer tried again has its question's.
  const isFirst = branch.parentBranch !== undefined && asked.parentId === branch.forkMessageId;
  return isFirst ? { question, answer, replaces: undefined } : undefined;
}
