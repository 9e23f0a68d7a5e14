import * as vscode from 'vscode';
import { cycleTools } from '../../agent/cycle/cycleTools.ts';
import { editorTools } from '../../agent/tools/files/editorTools.ts';
import { readTools } from '../../agent/tools/files/readTools.ts';
import { writeTools } from '../../agent/tools/files/writeTools.ts';
import { foreignTools, type ForeignTools, type LeftOutTool } from '../../agent/tools/foreignTools.ts';
import { artifactTools, stateTools } from '../../agent/tools/stateTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { GuardedFiles } from '../../platform/guardedFiles.ts';
import type { Host } from '../../platform/hostMachine.ts';
import type { Settings } from '../settings/settings.ts';
import { EditorWorkspace } from '../workspaceFiles/editorWorkspace.ts';
import { lmTools } from './lmTools.ts';

export interface AgentTools {
  /** The tools a model may use now: none in a workspace the user has not said they trust. */
  readonly offered: () => readonly AgentTool[];
  /** Those of others that are there and cannot be offered. */
  readonly leftOut: () => readonly LeftOutTool[];
}

export function createAgentTools(
  settings: Settings,
  guarded: GuardedFiles,
  { programs }: Pick<Host, 'programs'>,
): AgentTools {
  const workspace = new EditorWorkspace(guarded, programs);
  const fileTools = [...readTools(workspace), ...editorTools(workspace), ...writeTools(workspace)];
  const ownNames = new Set(
    [...cycleTools, ...fileTools, ...stateTools, ...artifactTools].map(({ name }) => name),
  );
  const areOn = (): boolean => vscode.workspace.isTrusted && settings.get('tools.enabled');
  const foreign = (): ForeignTools =>
    areOn() && settings.get('tools.external')
      ? foreignTools(lmTools, ownNames)
      : { offered: [], leftOut: [] };
  return {
    offered: () => {
      if (!areOn()) return [];
      return [
        ...(settings.get('checkpoint.enabled') ? cycleTools : []),
        ...(workspace.folders().length > 0 ? fileTools : []),
        ...stateTools,
        ...artifactTools,
        ...foreign().offered,
      ];
    },
    leftOut: () => foreign().leftOut,
  };
}
