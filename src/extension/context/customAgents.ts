import * as vscode from 'vscode';
import type { AgentProfile, RunAgents } from '../../agent/prompts/agentProfile.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import type { AgentReader } from './readAgents.ts';

const NONE: RunAgents = { selected: undefined, named: [] };

/** The agents that files of the workspace and other extensions describe; none while the workspace is not trusted. */
export class CustomAgents {
  private made: Promise<AgentReader> | undefined;

  constructor(
    private readonly mode: SelectedMode,
    private readonly make: () => Promise<AgentReader>,
  ) {}

  /** Loaded once a mode is picked, or a question asked. */
  reader(): Promise<AgentReader> {
    return (this.made ??= this.make());
  }

  /** Those of a run. @throws OffshootError when the selected one cannot be used */
  async ofRun(): Promise<RunAgents> {
    return vscode.workspace.isTrusted ? (await this.reader()).read(this.mode.agent) : NONE;
  }

  /** Undefined while a mode is selected, or an agent that cannot be used: that is said when something is asked. */
  async selected(): Promise<AgentProfile | undefined> {
    const { agent } = this.mode;
    return agent === undefined ? undefined : (await this.reader()).find(agent);
  }

  /** The model that the selected one asks for, if it is there. */
  async model(): Promise<ChatModel | undefined> {
    const { agent } = this.mode;
    return agent === undefined ? undefined : (await this.reader()).modelOf(agent);
  }
}
