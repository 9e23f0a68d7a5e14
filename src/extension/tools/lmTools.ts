import * as vscode from 'vscode';
import type { ForeignTool } from '../../agent/tools/foreignTools.ts';
import { withToken } from './editorWorkspace.ts';

/** Tools the editor brings for its own chat: they need that chat around them. */
const EDITORS_OWN = /^(copilot|vscode)_/u;

/** The tools of MCP servers and of other extensions, as VS Code knows them now. */
export function lmTools(): ForeignTool[] {
  return vscode.lm.tools
    .filter(({ name }) => !EDITORS_OWN.test(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      invoke: async (input, signal) => {
        const options = { input, toolInvocationToken: undefined };
        const { content } = await withToken(signal, (token) => vscode.lm.invokeTool(name, options, token));
        return content.map(textOf).join('\n');
      },
    }));
}

/** What a part of a result says; what is no text is named. */
function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelDataPart) {
    const isText = part.mimeType.startsWith('text/') || part.mimeType === 'application/json';
    return isText ? new TextDecoder().decode(part.data) : `[${part.mimeType}, ${part.data.byteLength} bytes]`;
  }
  return '';
}
