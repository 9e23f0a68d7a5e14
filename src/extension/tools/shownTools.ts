import * as vscode from 'vscode';
import type { OwnToolName } from '../../agent/tools/ownTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { oneLine } from '../ui/shownName.ts';

/** In characters. */
const QUOTE = 120;

/** A tool as people read of it: what its description says is for models. */
export interface ShownTool {
  readonly label: string;
  readonly detail: string;
}

type ShownTools = Readonly<Record<OwnToolName, ShownTool>>;

/**
 * @param ofExtensions what extensions say of their tools, by name
 * @returns of a tool of an MCP server, which says nothing else, its description
 */
export function shownTool(tool: AgentTool, ofExtensions: ReadonlyMap<string, Partial<ShownTool>>): ShownTool {
  const own = tool.isForeign === true ? undefined : ownTool(tool.name);
  if (own) return own;
  const { label = tool.name, detail = tool.description } = ofExtensions.get(tool.name) ?? {};
  return { label, detail: oneLine(detail, QUOTE) };
}

function ownTool(name: string): ShownTool | undefined {
  const tools = ownTools();
  return Object.hasOwn(tools, name) ? tools[name as OwnToolName] : undefined;
}

function ownTools(): ShownTools {
  const { t } = vscode.l10n;
  return {
    explore: {
      label: t('Explore'),
      detail: t('Look into up to four questions at once, each on a branch of its own'),
    },
    list_files: { label: t('List Folders'), detail: t('See what is in a folder of the workspace') },
    find_files: { label: t('Find Files'), detail: t('Find files of the workspace by name') },
    read_file: { label: t('Read Files'), detail: t('Read texts, pictures and PDFs of the workspace') },
    search_files: { label: t('Search Files'), detail: t('Search in the files of the workspace') },
    get_diagnostics: { label: t('Problems'), detail: t('Ask the editor for errors and warnings') },
    find_symbols: { label: t('Symbols'), detail: t('Ask the editor for functions, classes and other names') },
    read_skill: { label: t('Skills'), detail: t('Read a skill of the project, of yours or of an extension') },
    write_file: { label: t('Write Files'), detail: t('Create a file, or replace all of its text') },
    edit_file: { label: t('Edit Files'), detail: t('Change parts of a file') },
    delete_file: { label: t('Delete Files'), detail: t('Delete a file') },
    rename_file: { label: t('Rename Files'), detail: t('Rename or move a file') },
    create_folder: { label: t('Create Folders'), detail: t('Create an empty folder') },
    run_command: { label: t('Run Commands'), detail: t('Run a command in a terminal') },
    read_command: {
      label: t('Follow Commands'),
      detail: t('Read what a running command prints, or stop it'),
    },
    fetch_page: { label: t('Fetch Web Pages'), detail: t('Read a web page as text') },
    write_todos: { label: t('Todo List'), detail: t('Plan and tick off the steps of the work') },
    ask_user: { label: t('Ask You'), detail: t('Ask you to choose between options') },
    read_notes: { label: t('Read Notes'), detail: t('Read what was noted in this conversation') },
    write_note: { label: t('Write Notes'), detail: t('Keep a note with the conversation') },
    recall: { label: t('Recall'), detail: t('Find what was said in other chats of this project') },
    remember: { label: t('Remember'), detail: t('Propose a fact to keep for later chats, or to forget') },
    checkpoint: { label: t('Checkpoints'), detail: t('Mark a point to which the work can go back') },
    rewind: { label: t('Rewind'), detail: t('Go back to such a point, with a report of what was learned') },
  };
}
