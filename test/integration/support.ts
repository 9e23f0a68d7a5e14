import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OffshootApi } from '../../src/extension/extension.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { placeOf } from '../../src/extension/chat/conversationReader.ts';
import type { ContextStore } from '../../src/engine/store.ts';
import type { ChatFromPage } from '../../src/protocol/chatFromPage.ts';
import { readUIMessage, textOf } from '../../src/engine/uiMessage.ts';
import { startOpenAiServer, type OpenAiServer, type Script } from '../fixtures/openaiServer.ts';
import type { SettingName } from '../../src/extension/manifest/settings.ts';

/** What the extension gives to those who ask for it. */
export async function offshoot(): Promise<Offshoot> {
  const extension = vscode.extensions.getExtension<OffshootApi | undefined>('offshoot.offshoot');
  assert.ok(extension, 'the extension is there');
  const api = await (await extension.activate())?.start();
  assert.ok(api, 'tests may look inside');
  return api;
}

/** The extension's store, for conversations that no model and no command makes; features can only read it. */
export function writableStore({ parts }: Offshoot): ContextStore {
  return parts.store as ContextStore;
}

/** Sets a setting of the user, or what a list remembers; undefined takes it back. */
export async function setSetting(name: SettingName, value: unknown): Promise<void> {
  const { settings } = (await offshoot()).parts;
  // A value of the wrong kind is one that users may write, too.
  await settings.set(name, value as never);
}

/** A scripted model server that the chat talks to, for all tests of the enclosing `describe`. */
export function useModelServer(script: Script): () => OpenAiServer {
  let server: OpenAiServer | undefined;
  before('start the model server', async () => {
    server = await startOpenAiServer({ script });
    await setSetting('openaiCompatible.baseUrl', server.baseUrl);
    await setSetting('openaiCompatible.model', 'test-model');
  });
  after('stop the model server', async () => {
    await setSetting('openaiCompatible.baseUrl', undefined);
    await setSetting('openaiCompatible.model', undefined);
    await server?.[Symbol.asyncDispose]();
  });
  return () => {
    if (!server) throw new Error('The model server runs only while a test or a hook runs.');
    return server;
  };
}

/** The texts of the current path. */
export async function messageText({ parts }: Offshoot): Promise<string[]> {
  const path = await parts.conversations.path();
  return path.flatMap(({ data }) => {
    const read = readUIMessage(data);
    return read ? [textOf(read)] : [];
  });
}

/** Asks, and waits until the answer is saved. */
export async function ask({ parts }: Pick<Offshoot, 'parts'>, question: string): Promise<void> {
  const run = await parts.conversations.ask(question);
  await run.done;
}

/** What the page says of the chat that it shows, without the place, which is where the chat is. */
type FromShownChat = ChatFromPage extends infer Message
  ? Message extends { place: unknown }
    ? Omit<Message, 'place'>
    : never
  : never;

/** Does what the page in the side bar asks of the chat it shows. */
export async function sayOnPage({ chat, parts }: Offshoot, message: FromShownChat): Promise<void> {
  const { chatId, branch } = await placeOf(parts);
  await chat.receive({ ...message, place: { chatId, branch } });
}

/** Resolves once `condition` holds; told of every change of a run or of the store. */
export async function untilChanged(
  { parts }: Offshoot,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  while (!(await condition())) {
    await new Promise<void>((resolve) => {
      const subscriptions = [parts.runs.onDidChange(() => done()), parts.store.onDidChange(() => done())];
      const done = (): void => {
        for (const subscription of subscriptions) subscription.dispose();
        resolve();
      };
    });
  }
}
