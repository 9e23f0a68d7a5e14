import {
  answer,
  lastQuestion,
  startOpenAiServer,
  type OpenAiServer,
  type Script,
} from '../../fixtures/openaiServer.ts';
import { ChatPage } from './chatPage.ts';
import { useWorkbench } from './useWorkbench.ts';
import type { Workbench, WorkbenchOptions } from './workbench.ts';

export interface ChatFixture {
  readonly workbench: Workbench;
  readonly chat: ChatPage;
  readonly server: OpenAiServer;
}

/** Answers every question with the same words and its own. */
export const echo: Script = (request) => answer(`You said ${lastQuestion(request)}`);

export interface ChatOptions extends WorkbenchOptions {
  /** What the server lists. */
  readonly models?: readonly string[];
}

/** Opens a workbench whose chat talks to a scripted model server, for all tests of the enclosing `describe`. */
export function useChat(script: Script = echo, { models, ...options }: ChatOptions = {}): () => ChatFixture {
  let server: OpenAiServer | undefined;
  const settings: Record<string, unknown> = {};
  before('start the model server', async () => {
    server = await startOpenAiServer({
      script,
      ...(models && { models }),
      allowsPages: options.web === true,
    });
    // Read as late as this: hooks before may have added some.
    Object.assign(settings, options.settings);
    settings['offshoot.openaiCompatible.baseUrl'] = server.baseUrl;
    settings['offshoot.openaiCompatible.model'] ??= 'test-model';
  });
  const workbench = useWorkbench({ ...options, settings });
  before('open the chat', async function () {
    this.timeout(90_000);
    await workbench().openOffshoot();
  });
  after('stop the model server', async () => server?.[Symbol.asyncDispose]());
  return () => {
    if (!server) throw new Error('The model server runs only while a test or a hook runs.');
    return { workbench: workbench(), chat: new ChatPage(workbench()), server };
  };
}
