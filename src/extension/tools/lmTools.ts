import * as vscode from 'vscode';
import { z } from 'zod';
import { canBeOffered } from '../../agent/tools/editorsOwnTools.ts';
import type { ForeignTool } from '../../agent/tools/foreignTools.ts';
import { withToken } from '../workspaceFiles/editorWorkspace.ts';

const contributions = z.object({
  contributes: z.object({ languageModelTools: z.array(z.object({ name: z.string() })) }),
});

/** The names of the tools that installed extensions bring. */
function toolsOfExtensions(): ReadonlySet<string> {
  return new Set(
    vscode.extensions.all.flatMap(
      ({ packageJSON }) =>
        contributions.safeParse(packageJSON).data?.contributes.languageModelTools.map(({ name }) => name) ??
        [],
    ),
  );
}

/** The tools of MCP servers and of other extensions, as VS Code knows them now. */
export function lmTools(): ForeignTool[] {
  const origins = { ofExtensions: toolsOfExtensions() };
  return vscode.lm.tools
    .filter(({ name }) => canBeOffered(name, origins))
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
