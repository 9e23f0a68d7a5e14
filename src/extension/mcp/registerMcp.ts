import * as vscode from 'vscode';
import type { McpAccess } from './mcpAccess.ts';

/** As in package.json. */
const PROVIDER = 'offshoot.mcp';

export interface McpDeps {
  readonly mcp: McpAccess;
}

/** Registers the MCP server for this window's conversations. Nothing is started before an agent needs it. */
export function registerMcp({ mcp }: McpDeps): vscode.Disposable {
  return vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
    provideMcpServerDefinitions: () => mcp.definitions(),
    resolveMcpServerDefinition: (server: vscode.McpStdioServerDefinition) => mcp.resolve(server),
  });
}
