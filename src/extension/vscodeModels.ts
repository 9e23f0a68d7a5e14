import * as vscode from 'vscode';
import { z } from 'zod';
import type { VsCodeModels, VsCodePart } from '../agent/vscodeLmModel.ts';

/** What a model says of itself; VS Code has it, its published types do not yet. */
const toolCapability = z.object({ capabilities: z.object({ supportsToolCalling: z.boolean() }) });
const imageCapability = z.object({ capabilities: z.object({ supportsImageToText: z.boolean() }) });

/** VS Code's language models, in the form the agent asks for them. */
export const vscodeModels: VsCodeModels<vscode.LanguageModelChatMessage, vscode.CancellationToken> = {
  select: () => vscode.lm.selectChatModels(),
  message: (role, parts) => {
    if (role === 'assistant') return vscode.LanguageModelChatMessage.Assistant(parts.flatMap(saidPart));
    return vscode.LanguageModelChatMessage.User(parts.flatMap(givenPart));
  },
  readPart: (part) => {
    if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
    if (!(part instanceof vscode.LanguageModelToolCallPart)) return undefined;
    return { type: 'tool-call', callId: part.callId, name: part.name, input: part.input };
  },
  takesTools: (model) => toolCapability.safeParse(model).data?.capabilities.supportsToolCalling,
  takesImages: (model) => imageCapability.safeParse(model).data?.capabilities.supportsImageToText,
  newCancellation: () => {
    const source = new vscode.CancellationTokenSource();
    return { token: source.token, cancel: () => source.cancel(), dispose: () => source.dispose() };
  },
};

function saidPart(part: VsCodePart): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'tool-call':
      return [new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input)];
    case 'tool-result':
    case 'image':
      return [];
  }
}

function givenPart(
  part: VsCodePart,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelDataPart)[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'tool-result': {
      const text = new vscode.LanguageModelTextPart(part.text);
      return [new vscode.LanguageModelToolResultPart(part.callId, [text])];
    }
    case 'image':
      return [vscode.LanguageModelDataPart.image(part.data, part.mediaType)];
    case 'tool-call':
      return [];
  }
}
