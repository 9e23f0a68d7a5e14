import * as vscode from 'vscode';
import type { LineOrigins } from '../../lineOrigins/lineOrigins.ts';
import { ToolFailure, type Reading } from '../../mcp/reading/readingTool.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { notify } from '../ui/notifications.ts';
import { addMcpServer, writeLauncher } from './addMcpServer.ts';
import { AskedAnswers } from './answerAsked.ts';
import { askUser, ShownTexts } from './askUser.ts';
import { invokeTool, prepareTool } from './languageModelTools.ts';
import { workspaceReadingFiles } from './workspaceReadingFiles.ts';
import { LAUNCHER_KEY, type McpContext, type McpWork, type McpAccess } from './mcpAccess.ts';

export function mcpCommands({ mcp }: { readonly mcp: McpAccess }): CommandHandlers<'addMcpServer'> {
  return { addMcpServer: () => mcp.addServer() };
}

const ALLOWED_KEY = 'mcp.allowed';

/** Loaded with the commands: splitting the file would save nothing. */
export function createMcpWork(deps: McpContext): McpWork {
  const {
    authors,
    conversations,
    extension,
    globalState,
    globalStorage,
    host,
    labels,
    origins,
    store,
    userId,
    workspaceState,
  } = deps;
  const lineOrigins = async (): Promise<LineOrigins> => (await origins()).recorded;
  const reading: Reading = { store, userId, authors, files: workspaceReadingFiles, lineOrigins };
  const texts = new ShownTexts();
  const answers = new AskedAnswers({
    reading,
    writes: () => conversations.programWrites(),
    askUser: (question, signal) => askUser(question, signal, texts),
    labelOf: (chatId, branch) => labels.label(chatId, branch),
  });
  /** For this session: a user who declined is not asked again with each message to an agent. */
  let declined = false;
  return {
    answer: async (question) => {
      if (!vscode.workspace.isTrusted) {
        throw new ToolFailure('restricted', 'The workspace is in Restricted Mode: nothing is written there.');
      }
      return answers.answer(question);
    },
    addServer: () => addMcpServer(deps, texts),
    invokeTool: (name, input) => invokeTool(reading, name, input),
    prepareTool,
    mayRead: async () => {
      if (!vscode.workspace.isTrusted || declined) return false;
      if (workspaceState.get(ALLOWED_KEY) === true) return true;
      const allow = vscode.l10n.t('Allow');
      const text = vscode.l10n.t(
        'Allow agents in this window to read this workspace’s Offshoot conversations? What they read goes to their models. They ask before each write.',
      );
      // Does not take the focus: VS Code starts servers automatically.
      const isAllowed = (await notify.information(text, allow, vscode.l10n.t('Don’t Allow'))) === allow;
      declined = !isAllowed;
      if (isAllowed) await workspaceState.update(ALLOWED_KEY, true);
      return isAllowed;
    },
    renewLauncher: async () => {
      await writeLauncher(globalStorage, extension.extensionUri, host.pathOf);
      await globalState.update(LAUNCHER_KEY, extension.extensionUri.toString());
    },
    dispose: () => texts.dispose(),
  };
}
