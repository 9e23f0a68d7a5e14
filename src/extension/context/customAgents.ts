import * as vscode from 'vscode';
import type { AgentProfile, RunAgents } from '../../agent/prompts/agentProfile.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { Handoff } from '../../agent/prompts/agentFile.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import type { listAgents, readAgents } from './readAgents.ts';

/** What is needed only once a mode is picked, or an agent is selected. */
export interface AgentsWork {
  readonly listAgents: typeof listAgents;
  readonly readAgents: typeof readAgents;
}

const NONE: RunAgents = { selected: undefined, named: [] };

/** The agents that files of the workspace and other extensions describe; none while the workspace is not trusted. */
export class CustomAgents {
  private found: { readonly wanted: string; readonly id: Promise<string | undefined> } | undefined;

  constructor(
    private readonly deps: Parameters<typeof readAgents>[0] & { readonly mode: SelectedMode },
    private readonly work: () => Promise<AgentsWork>,
  ) {}

  /** Those that the user can select. */
  async list(): Promise<Awaited<ReturnType<typeof listAgents>>> {
    return vscode.workspace.isTrusted ? (await this.work()).listAgents(this.deps) : [];
  }

  /** Those of a run. @throws OffshootError when the selected one cannot be used */
  async ofRun(): Promise<RunAgents> {
    if (!vscode.workspace.isTrusted) return NONE;
    return (await this.work()).readAgents(this.deps, this.deps.mode.agent);
  }

  /** Undefined while a mode is selected, or an agent that cannot be used. */
  async selected(): Promise<AgentProfile | undefined> {
    if (this.deps.mode.agent === undefined) return undefined;
    try {
      return (await this.ofRun()).selected;
    } catch (error) {
      // It is said as soon as something is asked.
      if (error instanceof OffshootError) return undefined;
      throw error;
    }
  }

  /** What the selected one hands over to, with what to ask then. */
  async handoffs(): Promise<readonly Handoff[]> {
    const { agent } = this.deps.mode;
    if (agent === undefined) return [];
    try {
      return (await (await this.work()).readAgents(this.deps, agent)).handoffs;
    } catch (error) {
      if (error instanceof OffshootError) return [];
      throw error;
    }
  }

  /** The model that the selected one asks for, if it is there. */
  async model(): Promise<ChatModel | undefined> {
    const { models = [], findModel } = (await this.selected()) ?? {};
    if (!findModel || models.length === 0) return undefined;
    // A name is looked up once: that lists the models of all providers.
    const wanted = models.join('\n');
    if (this.found?.wanted !== wanted) {
      this.found = { wanted, id: findModel().then((model) => model?.id) };
    }
    const id = await this.found.id;
    return id === undefined ? undefined : this.deps.models.find(id);
  }

  /** What an agent asks for that is not there. @throws OffshootError when it cannot be used */
  async missingOf(name: string): Promise<readonly string[]> {
    const { selected, missing } = await (await this.work()).readAgents(this.deps, name);
    const model = await selected?.findModel();
    return [...(model ? [] : (selected?.models ?? [])), ...missing];
  }
}
