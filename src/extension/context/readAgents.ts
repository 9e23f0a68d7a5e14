import * as vscode from 'vscode';
import { z } from 'zod';
import { agentFragments } from '../../agent/instructions/agentFragments.ts';
import type { AgentFile, Handoff } from '../../agent/prompts/agentFile.ts';
import { agentKey } from '../../agent/prompts/agentNames.ts';
import type { AgentProfile, RunAgents } from '../../agent/prompts/agentProfile.ts';
import { findAgents, type FoundAgent, type NamedAgentFile } from '../../agent/prompts/findAgents.ts';
import { linkedPath } from '../../agent/prompts/promptBody.ts';
import { toolsOfAgent } from '../../agent/prompts/toolsOfAgent.ts';
import { OffshootError } from '../../engine/errors.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import type { Settings } from '../manifest/settings.ts';
import type { Tools } from '../tools/createTools.ts';
import { shownName } from '../ui/shownName.ts';
import { problemText } from './promptProblem.ts';
import { modelOf } from './takePrompt.ts';

interface AgentDeps {
  readonly guarded: GuardedFiles;
  readonly host: Pick<Host, 'guardedFiles'>;
  readonly log: vscode.LogOutputChannel;
  readonly models: Pick<ModelRegistry, 'find' | 'list'>;
  readonly settings: Settings;
  readonly tools: Pick<Tools, 'offered' | 'selectable'>;
}

interface SelectedAgent extends RunAgents {
  /** The tools that the selected one asks for and that are not there. */
  readonly missing: readonly string[];
  readonly handoffs: readonly Handoff[];
}

/** Reads agent files each time: they are few, and may have changed. */
export class AgentReader {
  private found: { readonly wanted: string; readonly id: Promise<string | undefined> } | undefined;

  constructor(private readonly deps: AgentDeps) {}

  /** Those that the user can select. Also logs what in agent files has no effect here. */
  async list(): Promise<{ readonly name: string; readonly detail: string; readonly isUsable: boolean }[]> {
    // In Restricted Mode no file is read.
    if (!vscode.workspace.isTrusted) return [];
    const { log } = this.deps;
    const { agents, hidden } = await this.files();
    for (const path of hidden) log.info(`${path}: the name of this agent is taken`);
    return agents.flatMap((found) => {
      const { name, at, agent, problem } = found;
      if (agent && agent.unknown.length > 0) {
        log.info(`${at.shown}: nothing is known of ${agent.unknown.join(', ').slice(0, 300)}`);
      }
      if (agent?.isForUser === false) return [];
      const detail = problem ? problemOf(found) : (agent?.description ?? at.shown);
      return [{ name, detail: shownName(detail, 200), isUsable: problem === undefined }];
    });
  }

  /**
   * @param selected the name of an agent
   * @throws OffshootError when there is none of this name, or it cannot be used: without it, more would be allowed
   */
  async read(selected: string | undefined): Promise<SelectedAgent> {
    const { deps } = this;
    const { agents } = await this.files();
    const named: AgentProfile[] = [];
    for (const { name, agent } of agents) {
      if (agent?.isForAgents === true) named.push(profileOf(deps, name, agent).profile);
    }
    if (selected === undefined) return { selected: undefined, named, missing: [], handoffs: [] };
    const found = agents.find(({ name }) => agentKey(name) === agentKey(selected));
    if (!found) {
      throw new OffshootError(
        'agent-missing',
        vscode.l10n.t(
          'The agent {0} isn’t there any more. Select a mode or another agent.',
          shownName(selected),
        ),
      );
    }
    const { name, agent } = found;
    if (!agent) {
      throw new OffshootError(
        'agent-unusable',
        vscode.l10n.t(
          'The agent {0} can’t be used: {1}. Correct its file, or select a mode.',
          shownName(name),
          problemOf(found),
        ),
      );
    }
    const { profile, missing } = profileOf(deps, name, agent);
    return { selected: profile, named, missing, handoffs: agent.handoffs };
  }

  /** Undefined when it cannot be used. */
  async find(name: string): Promise<AgentProfile | undefined> {
    return (await this.usable(name))?.selected;
  }

  /** The first of the models that an agent asks for and that is there. */
  async modelOf(name: string): Promise<ChatModel | undefined> {
    const { models = [], findModel } = (await this.find(name)) ?? {};
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
    const { selected, missing } = await this.read(name);
    const model = await selected?.findModel();
    return [...(model ? [] : (selected?.models ?? [])), ...missing];
  }

  /** What an agent hands over to, with what to ask then. */
  async handoffsOf(name: string): Promise<readonly Handoff[]> {
    return (await this.usable(name))?.handoffs ?? [];
  }

  private async usable(name: string): Promise<SelectedAgent | undefined> {
    try {
      return await this.read(name);
    } catch (error) {
      if (error instanceof OffshootError) return undefined;
      throw error;
    }
  }

  private files(): ReturnType<typeof findAgents> {
    const { guarded, host } = this.deps;
    return findAgents(guarded, editorTexts, agentsOfExtensions(host));
  }
}

function problemOf({ problem }: FoundAgent): string {
  return problem ? problemText(problem) : '';
}

function profileOf(
  { models, settings, tools }: AgentDeps,
  name: string,
  agent: AgentFile,
): { readonly profile: AgentProfile; readonly missing: readonly string[] } {
  const { allows, missing } = toolsOfAgent(agent, {
    ...tools.selectable(),
    offered: tools.offered(),
    sets: settings.get('tools.sets'),
  });
  const { description, body, models: wanted, agents } = agent;
  const findModel = async (): Promise<ChatModel | undefined> => {
    const id = await modelOf(models, wanted);
    return id === undefined ? undefined : models.find(id);
  };
  return {
    profile: {
      name,
      description,
      fragments: agentFragments({ name, body }),
      allows,
      models: wanted,
      findModel,
      agents,
    },
    missing,
  };
}

const contributed = z.object({
  isBuiltin: z.boolean().optional(),
  contributes: z.object({ chatAgents: z.array(z.unknown()) }),
});

const contributedAgent = z.object({ path: z.string().min(1).max(1_000), when: z.string().optional() });

/** Those that an extension contributes always: conditions can’t be checked, and VS Code’s own are about its own chat. */
function agentsOfExtensions(host: AgentDeps['host']): NamedAgentFile[] {
  return vscode.extensions.all.flatMap(({ id, extensionUri, packageJSON }) => {
    const said = contributed.safeParse(packageJSON).data;
    if (!said || said.isBuiltin === true) return [];
    const uri = extensionUri.toString();
    const files = host.guardedFiles(() => [{ name: id, uri }]);
    return said.contributes.chatAgents.flatMap((each) => {
      const agent = contributedAgent.safeParse(each).data;
      const path = agent && linkedPath('', agent.path);
      return path === undefined || agent?.when !== undefined ? [] : [{ files, uri: uriBelow(uri, path) }];
    });
  });
}
