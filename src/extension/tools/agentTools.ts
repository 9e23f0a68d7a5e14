import * as vscode from 'vscode';
import { cycleTools } from '../../agent/cycle/cycleTools.ts';
import { exploreTool } from '../../agent/explore/exploreTool.ts';
import { commandTools, type CommandHost } from '../../agent/tools/commands/commandTools.ts';
import { arrangeTools } from '../../agent/tools/files/arrangeTools.ts';
import { editorTools } from '../../agent/tools/files/editorTools.ts';
import { readTools } from '../../agent/tools/files/readTools.ts';
import type { WorkspaceHost } from '../../agent/tools/files/workspaceHost.ts';
import { writeTools } from '../../agent/tools/files/writeTools.ts';
import {
  foreignTools,
  turnedOffReason,
  type ForeignTools,
  type LeftOutTool,
} from '../../agent/tools/foreignTools.ts';
import { artifactTools, stateTools } from '../../agent/tools/stateTools.ts';
import { todoTools } from '../../agent/tools/todoTool.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { webTools, type WebHost } from '../../agent/tools/web/webTools.ts';
import type { Settings } from '../settings/settings.ts';
import { lmTools } from './lmTools.ts';

/** Tools grouped by purpose. */
export interface SelectableTools {
  readonly cycle: readonly AgentTool[];
  readonly reading: readonly AgentTool[];
  /** Tools that start explorations. */
  readonly exploring: readonly AgentTool[];
  readonly writing: readonly AgentTool[];
  readonly commands: readonly AgentTool[];
  readonly web: readonly AgentTool[];
  readonly notes: readonly AgentTool[];
  /** Those of MCP servers and of other extensions. */
  readonly foreign: readonly AgentTool[];
}

const noTools: SelectableTools = {
  cycle: [],
  reading: [],
  exploring: [],
  writing: [],
  commands: [],
  web: [],
  notes: [],
  foreign: [],
};

export interface AgentTools {
  /** The tools a model may use now: none in an untrusted workspace. */
  readonly offered: () => readonly AgentTool[];
  /** Tools that exist and are not offered: foreign ones that cannot be, and those the user turned off. */
  readonly leftOut: () => readonly LeftOutTool[];
  /** All tools that can be selected. */
  readonly selectable: () => SelectableTools;
}

/** What the editor provides for tools, by purpose. */
export interface ToolHosts {
  readonly workspace: WorkspaceHost;
  /** Undefined if there are no programs. */
  readonly commands: CommandHost | undefined;
  /** Undefined if pages cannot be read. */
  readonly web: WebHost | undefined;
  /** Whether programs can access the open folders. */
  readonly areFoldersLocal: () => boolean;
}

export function createAgentTools(
  settings: Settings,
  { workspace, commands: commandHost, web: webHost, areFoldersLocal }: ToolHosts,
): AgentTools {
  const reading = [...readTools(workspace), ...editorTools(workspace)];
  const writing = [...writeTools(workspace), ...arrangeTools(workspace)];
  const commands = commandHost ? commandTools(commandHost) : [];
  const web = webHost ? webTools(webHost) : [];
  const notes = [...todoTools, ...stateTools, ...artifactTools];
  const ownNames = new Set(
    [...cycleTools, exploreTool, ...reading, ...writing, ...commands, ...web, ...notes].map(
      ({ name }) => name,
    ),
  );
  const areOn = (): boolean => vscode.workspace.isTrusted && settings.get('tools.enabled');
  const own = () => {
    const hasFolder = workspace.folders().length > 0;
    return {
      cycle: settings.get('checkpoint.enabled') ? cycleTools : [],
      reading: hasFolder ? reading : [],
      exploring: hasFolder ? [exploreTool] : [],
      writing: hasFolder ? writing : [],
      commands: hasFolder && areFoldersLocal() && settings.get('commands.enabled') ? commands : [],
      web: settings.get('web.enabled') ? web : [],
      notes,
    };
  };
  const ownTools = (): AgentTool[] => {
    const tools = own();
    return [
      ...tools.cycle,
      ...tools.exploring,
      ...tools.reading,
      ...tools.writing,
      ...tools.commands,
      ...tools.web,
      ...tools.notes,
    ];
  };
  const offNames = (): ReadonlySet<string> => new Set(settings.get('tools.off'));
  const foreign = (off: ReadonlySet<string>): ForeignTools =>
    settings.get('tools.external')
      ? foreignTools(lmTools, ownNames, (name) => off.has(name))
      : { selectable: [], offered: [], leftOut: [] };
  return {
    offered: () => {
      if (!areOn()) return [];
      const off = offNames();
      return [...ownTools().filter(({ name }) => !off.has(name)), ...foreign(off).offered];
    },
    leftOut: () => {
      if (!areOn()) return [];
      const off = offNames();
      const turnedOff = ownTools().filter(({ name }) => off.has(name));
      return [...turnedOff.map(({ name }) => ({ name, reason: turnedOffReason })), ...foreign(off).leftOut];
    },
    selectable: () => (areOn() ? { ...own(), foreign: foreign(new Set()).selectable } : noTools),
  };
}
