import * as vscode from 'vscode';
import type { VsCodeModels, VsCodePart } from '../agent/vscodeLmModel.ts';

/** VS Code's language models, in the form the agent asks for them. */
export const vscodeModels: VsCodeModels<vscode.LanguageModelChatMessage, vscode.CancellationToken> = {
  select: () => vscode.lm.selectChatModels(),
  message: (role, parts) => {
    const content = parts.map(({ text }) => new vscode.LanguageModelTextPart(text));
    return role === 'user'
      ? vscode.LanguageModelChatMessage.User(content)
      : vscode.LanguageModelChatMessage.Assistant(content);
  },
  readPart: (part): VsCodePart | undefined =>
    part instanceof vscode.LanguageModelTextPart ? { type: 'text', text: part.value } : undefined,
  newCancellation: () => {
    const source = new vscode.CancellationTokenSource();
    return { token: source.token, cancel: () => source.cancel(), dispose: () => source.dispose() };
  },
};
