import * as vscode from 'vscode';
import { z } from 'zod';
import { canBeOffered, type ForeignTool } from '../../agent/tools/foreignTools.ts';
import type { ForeignCalls } from './foreignCalls.ts';

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

/**
 * The tools of MCP servers and of other extensions, as VS Code knows them now.
 * @param calls what calls one
 */
export function lmTools(calls: () => Promise<Pick<ForeignCalls, 'call'>>): ForeignTool[] {
  const origins = { ofExtensions: new Set(toolsOfExtensions().keys()) };
  return vscode.lm.tools
    .filter(({ name }) => canBeOffered(name, origins))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      invoke: async (input, call) => (await calls()).call(name, input, call),
    }));
}
