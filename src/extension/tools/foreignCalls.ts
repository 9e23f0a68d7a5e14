import * as vscode from 'vscode';
import type { ForeignCall } from '../../agent/tools/foreignTools.ts';
import { isOfMcp } from '../../agent/tools/foreignTools.ts';
import { foreignResult } from '../../agent/tools/foreignResult.ts';
import { DeniedError } from '../../agent/tools/approvals.ts';
import type { ToolOutput } from '../../agent/tools/tool.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { withToken } from '../files/editorWorkspace.ts';
import { OWN_VENDOR } from '../models/vscodeModels.ts';
import { readPart } from './foreignPart.ts';
import { readResource } from './readResource.ts';
import { answerServer, type RunningServerTool, type ServerModelParts } from './serverModel.ts';

/** What VS Code is told of the model of a chat, which may read and write more. */
const MODEL = {
  id: 'chat',
  family: 'offshoot',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 4_000,
  capabilities: {},
};

/** Of a text whose tokenizer nobody knows. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Calls the tools that VS Code has of MCP servers and of other extensions. While one of a server runs, VS Code has the
 * model of the chat: that is how it passes on what the server asks a model.
 */
export class ForeignCalls implements Disposable {
  private readonly running = new Set<RunningServerTool>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly registration: vscode.Disposable;

  constructor(deps: ServerModelParts) {
    const { running } = this;
    this.registration = vscode.lm.registerLanguageModelChatProvider(OWN_VENDOR, {
      onDidChangeLanguageModelChatInformation: this.changed.event,
      provideLanguageModelChatInformation: () =>
        running.size > 0 ? [{ ...MODEL, name: vscode.l10n.t('Model of the Chat (Offshoot)') }] : [],
      provideLanguageModelChatResponse: async (_model, messages, _options, progress, token) => {
        const text = await answerServer(deps, running, messages, token);
        progress.report(new vscode.LanguageModelTextPart(text));
      },
      provideTokenCount: (_model, text) => {
        const length = typeof text === 'string' ? text.length : JSON.stringify(text.content).length;
        return Promise.resolve(Math.ceil(length / CHARACTERS_PER_TOKEN));
      },
    });
  }

  async call(name: string, input: object, call: ForeignCall): Promise<ToolOutput> {
    const { content } = await (isOfMcp(name)
      ? this.callServer(name, input, call)
      : invoke(name, input, call.signal));
    return foreignResult(content.map(readPart), readResource(call));
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  private async callServer(
    name: string,
    input: object,
    call: ForeignCall,
  ): Promise<vscode.LanguageModelToolResult> {
    const tool: RunningServerTool = { name, call, asking: new Sequencer() };
    this.running.add(tool);
    this.changed.fire();
    try {
      // VS Code asks for models only when someone lists them, and a server may want one at once.
      await vscode.lm.selectChatModels({ vendor: OWN_VENDOR });
      return await invoke(name, input, call.signal);
    } catch (error) {
      // VS Code asks as well, unless the server says of its tool that it only reads; a “no” there stops the call.
      const isDenied = error instanceof Error && error.name === 'Canceled' && !call.signal.aborted;
      throw isDenied ? new DeniedError() : error;
    } finally {
      this.running.delete(tool);
      this.changed.fire();
    }
  }
}

function invoke(name: string, input: object, signal: AbortSignal): Promise<vscode.LanguageModelToolResult> {
  const options = { input, toolInvocationToken: undefined };
  return withToken(signal, (token) => vscode.lm.invokeTool(name, options, token));
}
