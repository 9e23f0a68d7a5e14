import { cycleTools } from '../checkpoints/cycleTools.ts';
import { exploreTool } from '../explore/exploreTool.ts';
import { rememberTool, type MemoryHost } from '../memory/rememberTool.ts';
import { skillTool, type SkillHost } from '../skills/skillTool.ts';
import { commandTools, type CommandHost } from './commands/commandTools.ts';
import { editorTools } from './workspace/editorTools.ts';
import { readTools } from './workspace/readTools.ts';
import type { WorkspaceHost } from './workspace/workspaceHost.ts';
import { writeTools } from './workspace/writeTools.ts';
import { notesTools } from './notesTools.ts';
import { recallTool, type RecallHost } from './recallTool.ts';
import { todoTools } from './todoTool.ts';
import { askUserTool } from './askUserTool.ts';
import { webTools, type WebHost } from './web/webTools.ts';

export interface ToolHosts {
  readonly workspace: WorkspaceHost;
  /** Undefined if there are no programs. */
  readonly commands: CommandHost | undefined;
  /** Undefined if pages cannot be read. */
  readonly web: WebHost | undefined;
  readonly recall: RecallHost;
  readonly skills: SkillHost;
  readonly memory: MemoryHost;
}

/** Offshoot's own tools by purpose, in the order in which models get them. */
export const ownTools = ({ workspace, commands, web, recall, skills, memory }: ToolHosts) =>
  ({
    exploring: [exploreTool],
    reading: [...readTools(workspace), ...editorTools(workspace), skillTool(skills, workspace)],
    writing: writeTools(workspace),
    commands: commands ? commandTools(commands) : [],
    web: web ? webTools(web) : [],
    notes: [...todoTools, askUserTool, ...notesTools, recallTool(recall), rememberTool(memory, workspace)],
    // Last: a model that sees it first marks points where an ordinary call would do.
    cycle: cycleTools,
  }) as const;

type OwnTools = ReturnType<typeof ownTools>;
export type ToolPurpose = keyof OwnTools;
export type OwnToolName = OwnTools[ToolPurpose][number]['name'];
