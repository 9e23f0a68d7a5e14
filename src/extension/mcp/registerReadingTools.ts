import * as vscode from 'vscode';
import type { McpAccess } from './mcpAccess.ts';

/** The part of package.json that is used; a test checks it. */
interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

/** VS Code looks for these tools as soon as the extension is active; their code is loaded on first use. */
export function registerReadingTools(
  { packageJSON }: vscode.Extension<unknown>,
  access: () => Promise<McpAccess>,
): vscode.Disposable {
  const { languageModelTools } = (packageJSON as Manifest).contributes;
  return vscode.Disposable.from(
    ...languageModelTools.map(({ name }) =>
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await access()).prepareTool(name, input),
        invoke: async ({ input }) => (await access()).invokeTool(name, input),
      }),
    ),
  );
}
