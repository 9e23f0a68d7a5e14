import * as vscode from 'vscode';
import { z } from 'zod';
import type { StreamedPiece } from '../../models/providers/streamedModel.ts';
import type { VsCodeModels, VsCodePart } from '../../models/providers/vscode/vscodeModelApi.ts';
import { keptThinking } from '../../models/requests/vscodeThinking.ts';

/** VS Code has these; its published types do not yet. */
const toolCapability = z.object({ capabilities: z.object({ supportsToolCalling: z.boolean() }) });
const imageCapability = z.object({ capabilities: z.object({ supportsImageToText: z.boolean() }) });

/** Of what Offshoot gives to VS Code; never offered to a chat, which it would ask itself. */
export const OWN_VENDOR = 'offshoot';

export const vscodeModels: VsCodeModels<vscode.LanguageModelChatMessage, vscode.CancellationToken> = {
  select: async () => (await vscode.lm.selectChatModels()).filter(({ vendor }) => vendor !== OWN_VENDOR),
  message: (role, parts) => {
    if (role === 'assistant') return vscode.LanguageModelChatMessage.Assistant(parts.flatMap(textOrCallPart));
    return vscode.LanguageModelChatMessage.User(parts.flatMap(givenPart));
  },
  readPart: (part) => {
    if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
    const thought = thoughtIn(part);
    if (thought) return thought;
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

/** A model's thoughts, if VS Code has them: its published types do not yet. */
const thinkingParts = z.object({
  LanguageModelThinkingPart: z.custom<new (text: string, id?: string, metadata?: object) => object>(
    (value) => typeof value === 'function',
  ),
});
const ThinkingPart = thinkingParts.safeParse((vscode as { readonly unpublished?: unknown }).unpublished).data
  ?.LanguageModelThinkingPart;
const thinkingPart = keptThinking.extend({
  value: z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]),
});

function thoughtIn(part: unknown): StreamedPiece | undefined {
  if (ThinkingPart === undefined || !(part instanceof ThinkingPart)) return undefined;
  const { id, metadata, value } = part as Readonly<Record<string, unknown>>;
  const read = thinkingPart.safeParse({ id: id ?? undefined, metadata: metadata ?? undefined, value }).data;
  if (!read) return undefined;
  const { value: text, ...kept } = read;
  return { type: 'reasoning', text, kept };
}

type TextOrCallPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;

function textOrCallPart(part: VsCodePart): TextOrCallPart[] {
  switch (part.type) {
    case 'text':
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'reasoning': {
      if (ThinkingPart === undefined || part.kept === undefined) return [];
      const { id, metadata } = part.kept;
      // The message types do not include it yet; VS Code accepts it.
      return [new ThinkingPart(part.text, id, metadata) as TextOrCallPart];
    }
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
      return [new vscode.LanguageModelTextPart(part.text)];
    case 'tool-result': {
      const text = new vscode.LanguageModelTextPart(part.text);
      return [new vscode.LanguageModelToolResultPart(part.callId, [text])];
    }
    case 'image':
      return [vscode.LanguageModelDataPart.image(part.data, part.mediaType)];
    case 'reasoning':
    case 'tool-call':
      return [];
  }
}
