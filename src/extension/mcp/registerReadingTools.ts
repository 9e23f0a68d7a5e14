import * as vscode from 'vscode';
import type { McpAccess } from './mcpAccess.ts';

/** What of package.json is used; a test compares it with what there is. */
interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

/**
 * The tools by which other agents look into conversations. VS Code looks for them as soon as the extension is active; what
 * does their work is loaded when the first is used.
 */
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
