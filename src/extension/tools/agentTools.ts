import * as vscode from 'vscode';
import {
  foreignTools,
  turnedOffReason,
  type ForeignTool,
  type ForeignTools,
} from '../../agent/tools/foreignTools.ts';
import type { LeftOutTool } from '../../models/requests/tools.ts';
import { REMEMBER } from '../../agent/memory/rememberTool.ts';
import { READ_SKILL } from '../../agent/skills/skillTool.ts';
import { ownTools, type ToolHosts, type ToolPurpose } from '../../agent/tools/ownTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { Settings } from '../manifest/settings.ts';

/** Foreign ones are those of MCP servers and of other extensions. */
export type SelectableTools = Readonly<Record<ToolPurpose | 'foreign', readonly AgentTool[]>>;

/** None in an untrusted workspace. */
export interface AgentTools {
  readonly offered: () => readonly AgentTool[];
  /** Foreign ones that cannot be offered, and those the user turned off. */
  readonly leftOut: () => readonly LeftOutTool[];
  readonly selectable: () => SelectableTools;
}

/**
 * @param areFoldersLocal whether programs can access the open folders
 * @param lmTools those of MCP servers and of other extensions, as VS Code knows them now
 */
export function createAgentTools(
  settings: Settings,
  hosts: ToolHosts,
  areFoldersLocal: () => boolean,
  lmTools: () => readonly ForeignTool[],
): AgentTools {
  const all = ownTools(hosts);
  const ownNames = new Set(Object.values(all).flatMap(namesOf));
  const areOn = (): boolean => vscode.workspace.isTrusted && settings.get('tools.enabled');
  const own = (): Readonly<Record<ToolPurpose, readonly AgentTool[]>> => {
    const isOn = areOn();
    const hasFolder = isOn && hosts.workspace.folders().length > 0;
    return {
      exploring: hasFolder ? all.exploring : [],
      reading: hasFolder
        ? all.reading.filter(({ name }) => name !== READ_SKILL || hosts.skills.areThere())
        : [],
      writing: hasFolder ? all.writing : [],
      commands: hasFolder && areFoldersLocal() && settings.get('commands.enabled') ? all.commands : [],
      web: isOn && settings.get('web.enabled') ? all.web : [],
      notes: isOn ? all.notes.filter(({ name }) => name !== REMEMBER || hosts.memory.isOn()) : [],
      cycle: isOn && settings.get('checkpoint.enabled') ? all.cycle : [],
    };
  };
  const offerable = (): AgentTool[] => Object.values(own()).flat();
  const offNames = (): ReadonlySet<string> => new Set(settings.get('tools.off'));
  const foreign = (off: ReadonlySet<string>): ForeignTools =>
    areOn() && settings.get('tools.external')
      ? foreignTools(lmTools, ownNames, (name) => off.has(name))
      : { selectable: [], offered: [], leftOut: [] };
  return {
    offered: () => {
      const off = offNames();
      return [...offerable().filter(({ name }) => !off.has(name)), ...foreign(off).offered];
    },
    leftOut: () => {
      const off = offNames();
      const turnedOff = offerable().filter(({ name }) => off.has(name));
      return [...turnedOff.map(({ name }) => ({ name, reason: turnedOffReason })), ...foreign(off).leftOut];
    },
    selectable: () => ({ ...own(), foreign: foreign(new Set()).selectable }),
  };
}

function namesOf(tools: readonly AgentTool[]): string[] {
  return tools.map(({ name }) => name);
}
