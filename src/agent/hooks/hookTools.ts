import type { HookDialect } from './hook.ts';

type Members = Readonly<Record<string, unknown>>;

/** What other agents call a tool, and the members of its input. */
interface OtherNames {
  /** By whom a hook is written for. */
  readonly named: Readonly<Record<HookDialect, string>>;
  /** Further names that hooks look for. */
  readonly also?: readonly string[];
  /** Our member, by theirs. */
  readonly members: Readonly<Record<HookDialect, Readonly<Record<string, string>>>>;
}

const fileMember = (
  more: Readonly<Record<HookDialect, Readonly<Record<string, string>>>>,
): OtherNames['members'] => ({
  claude: { file_path: 'path', ...more.claude },
  vscode: { filePath: 'path', ...more.vscode },
  copilot: { ...more.copilot },
});

const same = (members: Readonly<Record<string, string>>): OtherNames['members'] => ({
  claude: members,
  vscode: members,
  copilot: members,
});

const none = { claude: {}, vscode: {}, copilot: {} };

const editNames = [
  'MultiEdit',
  'editFiles',
  'multi_replace_string_in_file',
  'insert_edit_into_file',
  'apply_patch',
];

/** Deleting and moving a file change it as an edit does: a hook for edits is for them as well. */
const changing = (name: string): OtherNames => ({
  named: { claude: name, vscode: name, copilot: name },
  also: ['Edit', 'Write', 'edit', 'create', 'replace_string_in_file', ...editNames],
  members: fileMember(none),
});

const tools: Readonly<Record<string, OtherNames>> = {
  run_command: {
    named: { claude: 'Bash', vscode: 'run_in_terminal', copilot: 'bash' },
    also: ['powershell', 'shell', 'runTerminalCommand', 'runInTerminal', 'runCommands', 'execute'],
    members: same({}),
  },
  read_command: {
    named: { claude: 'BashOutput', vscode: 'get_terminal_output', copilot: 'read_bash' },
    members: same({}),
  },
  write_file: {
    named: { claude: 'Write', vscode: 'create_file', copilot: 'create' },
    also: ['createFile', 'editFiles'],
    members: fileMember({ claude: {}, vscode: {}, copilot: { file_text: 'content' } }),
  },
  edit_file: {
    named: { claude: 'Edit', vscode: 'replace_string_in_file', copilot: 'edit' },
    also: editNames,
    members: fileMember(none),
  },
  delete_file: changing('delete_file'),
  rename_file: changing('rename_file'),
  read_file: {
    named: { claude: 'Read', vscode: 'read_file', copilot: 'view' },
    members: fileMember({ claude: {}, vscode: {}, copilot: {} }),
  },
  list_files: {
    named: { claude: 'LS', vscode: 'list_dir', copilot: 'view' },
    members: same({}),
  },
  find_files: {
    named: { claude: 'Glob', vscode: 'file_search', copilot: 'glob' },
    members: { claude: {}, vscode: { query: 'pattern' }, copilot: {} },
  },
  search_files: {
    named: { claude: 'Grep', vscode: 'grep_search', copilot: 'grep' },
    members: {
      claude: { pattern: 'query', glob: 'include' },
      vscode: { includePattern: 'include' },
      copilot: { pattern: 'query', glob: 'include' },
    },
  },
  fetch_page: {
    named: { claude: 'WebFetch', vscode: 'fetch_webpage', copilot: 'web_fetch' },
    members: same({}),
  },
  write_todos: {
    named: { claude: 'TodoWrite', vscode: 'manage_todo_list', copilot: 'update_todo' },
    members: same({}),
  },
  explore: {
    named: { claude: 'Task', vscode: 'runSubagent', copilot: 'task' },
    also: ['Agent'],
    members: same({}),
  },
  read_skill: { named: { claude: 'Skill', vscode: 'read_skill', copilot: 'skill' }, members: same({}) },
};

function othersOf(tool: string): OtherNames | undefined {
  return Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}

/** What a hook of a dialect is told that the tool is called. */
export function toolNameFor(tool: string, dialect: HookDialect): string {
  return othersOf(tool)?.named[dialect] ?? tool;
}

/** All names of a tool that matchers may mean. */
export function toolNamesFor(tool: string): readonly string[] {
  const others = othersOf(tool);
  if (!others) return [tool, ...namesOfServers(tool)];
  return [...new Set([tool, ...Object.values(others.named), ...(others.also ?? [])])];
}

/** VS Code joins the names of a server and its tool by one mark, others by two: where the first ends is not known. */
function namesOfServers(tool: string): string[] {
  const rest = /^mcp_(.+)$/u.exec(tool)?.[1];
  if (rest === undefined) return [];
  const parts = rest.split('_');
  return parts
    .slice(1)
    .map((_, at) => `mcp__${parts.slice(0, at + 1).join('_')}__${parts.slice(at + 1).join('_')}`);
}

const isMembers = (given: unknown): given is Members =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/**
 * The input of a call as a hook gets it: the members of its dialect, and ours.
 * @param pathOf the whole path of a file that is named relative to the workspace
 */
export function toolInputFor(
  tool: string,
  dialect: HookDialect,
  input: unknown,
  pathOf: (name: string) => string,
): Members {
  const own = isMembers(input) ? input : {};
  const theirs = Object.entries(othersOf(tool)?.members[dialect] ?? {}).flatMap(([name, ours]) => {
    const value = own[ours];
    if (value === undefined) return [];
    return [[name, ours === 'path' && typeof value === 'string' ? pathOf(value) : value] as const];
  });
  return { ...own, ...Object.fromEntries(theirs), ...replacement(tool, dialect, own) };
}

/** Others replace one text at a time. */
function replacement(tool: string, dialect: HookDialect, { edits }: Members): Members {
  if (tool !== 'edit_file' || !Array.isArray(edits)) return {};
  const [first] = edits as readonly unknown[];
  if (!isMembers(first)) return {};
  const { oldText, newText } = first;
  switch (dialect) {
    case 'claude':
      return { old_string: oldText, new_string: newText };
    case 'vscode':
      return { oldString: oldText, newString: newText };
    case 'copilot':
      return { old_str: oldText, new_str: newText };
  }
}

/**
 * Our input with what a hook changed: members that it names otherwise than it was sent them, in its own names or in
 * ours. What it leaves out stays.
 * @param sent what {@link toolInputFor} made of `input`
 */
export function changedInput(
  tool: string,
  dialect: HookDialect,
  { input, sent, updated }: { readonly input: unknown; readonly sent: Members; readonly updated: Members },
): Members {
  const members = othersOf(tool)?.members[dialect] ?? {};
  const edited = replacementNames[dialect];
  const changed: Record<string, unknown> = { ...(isMembers(input) ? input : {}) };
  for (const [name, value] of Object.entries(updated)) {
    if (JSON.stringify(sent[name]) === JSON.stringify(value)) continue;
    if (tool === 'edit_file' && edited.includes(name)) continue;
    changed[Object.hasOwn(members, name) ? (members[name] ?? name) : name] = value;
  }
  const [oldName, newName] = edited;
  const isEdited = edited.some((name) => Object.hasOwn(updated, name) && updated[name] !== sent[name]);
  if (tool === 'edit_file' && isEdited) {
    const others: readonly unknown[] = Array.isArray(changed['edits']) ? changed['edits'].slice(1) : [];
    const oldText = updated[oldName] ?? sent[oldName];
    changed['edits'] = [{ oldText, newText: updated[newName] ?? sent[newName] }, ...others];
  }
  return changed;
}

const replacementNames: Readonly<Record<HookDialect, readonly [string, string]>> = {
  claude: ['old_string', 'new_string'],
  vscode: ['oldString', 'newString'],
  copilot: ['old_str', 'new_str'],
};
