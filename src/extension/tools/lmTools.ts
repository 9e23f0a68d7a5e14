import * as vscode from 'vscode';
import { z } from 'zod';
import { canBeOffered, type ForeignTool } from '../../agent/tools/foreignTools.ts';
import type { ToolFile } from '../../models/messages/toolFiles.ts';
import { withToken } from '../files/editorWorkspace.ts';

const contributions = z.object({
  displayName: z.string().optional(),
  contributes: z.object({
    languageModelTools: z.array(
      z.object({
        name: z.string(),
        displayName: z.string().optional(),
        userDescription: z.string().optional(),
      }),
    ),
  }),
});

/** A tool as its extension presents it to people. */
export interface ExtensionTool {
  readonly extension: string;
  readonly label?: string;
  readonly detail?: string;
}

/** By the names of tools. */
export function toolsOfExtensions(): ReadonlyMap<string, ExtensionTool> {
  return new Map(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      const { data } = contributions.safeParse(packageJSON);
      const tools = data?.contributes.languageModelTools ?? [];
      const extension = data?.displayName ?? id;
      return tools.map(({ name, displayName: label, userDescription: detail }) => {
        const tool: ExtensionTool = { extension, ...(label && { label }), ...(detail && { detail }) };
        return [name, tool] as const;
      });
    }),
  );
}

/** The tools of MCP servers and of other extensions, as VS Code knows them now. */
export function lmTools(): ForeignTool[] {
  const origins = { ofExtensions: new Set(toolsOfExtensions().keys()) };
  return vscode.lm.tools
    .filter(({ name }) => canBeOffered(name, origins))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      invoke: async (input, signal) => {
        const options = { input, toolInvocationToken: undefined };
        const { content } = await withToken(signal, (token) => vscode.lm.invokeTool(name, options, token));
        const parts = content.map(readPart);
        return {
          text: parts.flatMap((part) => (typeof part === 'string' ? [part] : [])).join('\n'),
          files: parts.flatMap((part) => (typeof part === 'string' ? [] : [part])),
        };
      },
    }));
}

/** Types that are sent to models as they are. */
const SENT = /^(?:image\/|application\/pdf$)/iu;

/** Anything that is neither text nor a file is named. */
function readPart(part: unknown, index: number): string | ToolFile {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelDataPart) {
    const { mimeType: mediaType, data: bytes } = part;
    if (SENT.test(mediaType)) return { bytes, mediaType, name: fileName(mediaType, index) };
    const isText = part.mimeType.startsWith('text/') || part.mimeType === 'application/json';
    return isText ? new TextDecoder().decode(part.data) : `[${part.mimeType}, ${part.data.byteLength} bytes]`;
  }
  return '';
}

/** Parts of results have no names. */
function fileName(mediaType: string, index: number): string {
  const [ending = ''] = /\w+$/u.exec(mediaType) ?? [];
  return `${index + 1}.${ending}`;
}
