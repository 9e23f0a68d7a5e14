import * as vscode from 'vscode';
import { cycleTools } from '../../agent/cycle/cycleTools.ts';
import { editorTools } from '../../agent/tools/files/editorTools.ts';
import { readTools } from '../../agent/tools/files/readTools.ts';
import { writeTools } from '../../agent/tools/files/writeTools.ts';
import { foreignTools } from '../../agent/tools/foreignTools.ts';
import { artifactTools, stateTools } from '../../agent/tools/stateTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { Settings } from '../settings.ts';
import { EditorWorkspace } from './editorWorkspace.ts';
import { lmTools } from './lmTools.ts';

/** The tools a model may use now: none in a workspace the person has not said they trust. */
export function createAgentTools(settings: Settings): () => readonly AgentTool[] {
  const workspace = new EditorWorkspace();
  const fileTools = [...readTools(workspace), ...editorTools(workspace), ...writeTools(workspace)];
  const ownNames = new Set(
    [...cycleTools, ...fileTools, ...stateTools, ...artifactTools].map(({ name }) => name),
  );
  return () => {
    if (!vscode.workspace.isTrusted || !settings.get('tools.enabled')) return [];
    const own = [
      ...(settings.get('checkpoint.enabled') ? cycleTools : []),
      ...(workspace.folders().length > 0 ? fileTools : []),
      ...stateTools,
      ...artifactTools,
    ];
    return settings.get('tools.external') ? [...own, ...foreignTools(lmTools, ownNames)] : own;
  };
}
