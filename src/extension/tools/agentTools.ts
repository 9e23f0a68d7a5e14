import * as vscode from 'vscode';
import { cycleTools } from '../../agent/cycle/cycleTools.ts';
import { editorTools } from '../../agent/tools/files/editorTools.ts';
import { readTools } from '../../agent/tools/files/readTools.ts';
import { artifactTools, stateTools } from '../../agent/tools/stateTools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { Settings } from '../settings.ts';
import { EditorWorkspace } from './editorWorkspace.ts';

/** The tools a model may use now: none in a workspace the person has not said they trust. */
export function createAgentTools(settings: Settings): () => readonly AgentTool[] {
  const workspace = new EditorWorkspace();
  const fileTools = [...readTools(workspace), ...editorTools(workspace)];
  return () => {
    if (!vscode.workspace.isTrusted || !settings.get('tools.enabled')) return [];
    return [
      ...(settings.get('checkpoint.enabled') ? cycleTools : []),
      ...(workspace.folders().length > 0 ? fileTools : []),
      ...stateTools,
      ...artifactTools,
    ];
  };
}
