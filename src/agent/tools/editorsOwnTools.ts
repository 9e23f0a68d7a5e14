/** What is known about the origin of a tool. */
export interface ToolOrigins {
  /** The tools that installed extensions declare. */
  readonly ofExtensions: ReadonlySet<string>;
}

/** The prefix of MCP server tools in VS Code. */
const OF_MCP = 'mcp_';

/** Tools of VS Code's own chat, some of them from built-in extensions. */
const OWN_PREFIX = /^(copilot|vscode)_/u;

/** They fail outside that chat: tried in VS Code 1.139. */
const OWN: ReadonlySet<string> = new Set([
  'run_in_terminal',
  'get_terminal_output',
  'kill_terminal',
  'send_to_terminal',
  'terminal_selection',
  'terminal_last_command',
  'run_task',
  'get_task_output',
  'create_and_run_task',
  'runSubagent',
  'manage_todo_list',
  'task_complete',
  'inline_chat_exit',
  'setup_tools_createNewWorkspace',
  'renderMermaidDiagram',
  'testFailure',
]);

/** VS Code's own tools that were tried and work for others. */
const WORKING: ReadonlySet<string> = new Set(['runTests']);

/** Offshoot's own tools for other agents, as an extension and as an MCP server. */
const OFFSHOOT =
  /^(?:mcp_)?offshoot_(?:search_conversations|list_branches|read_path|list_checkpoints|compare_branches|create_checkpoint|add_note|merge_summary)$/u;

/**
 * Whether a tool that VS Code lists can be offered: tools of MCP servers and extensions, and only those of VS Code's
 * own that are known to work. A tool of unknown origin is VS Code's own, perhaps of a later version.
 */
export function canBeOffered(name: string, { ofExtensions }: ToolOrigins): boolean {
  if (WORKING.has(name)) return true;
  if (OFFSHOOT.test(name) || OWN.has(name) || OWN_PREFIX.test(name)) return false;
  return name.startsWith(OF_MCP) || ofExtensions.has(name);
}
