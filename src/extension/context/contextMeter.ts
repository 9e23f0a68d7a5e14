import * as vscode from 'vscode';
import { narrowedTools, type AgentProfile } from '../../agent/prompts/agentProfile.ts';
import { toolsIn } from '../../agent/run/chatMode.ts';
import { takesTools, contextWindowOf, type ChatModel } from '../../models/chatModel.ts';
import { pdfLimitsOf, targetOf } from '../../models/modelProviders.ts';
import { PathContextReader, type PathContext } from '../../agent/context/pathContext.ts';
import { PDF_PAGE_TOKENS, toolsText } from '../../agent/context/sentText.ts';
import type { Ledger } from '../../agent/ledger/ledger.ts';
import { TextTokens } from '../../agent/context/textTokens.ts';
import type { ToolsForModel } from '../../agent/context/toolsFor.ts';
import type { ProjectInstructions } from '../../agent/instructions/projectInstructions.ts';
import type { FoundFacts } from '../../agent/memory/findMemory.ts';
import { BRANCH_MEMORY } from '../../agent/memory/rememberTool.ts';
import type { FoundSkills } from '../../agent/skills/findSkills.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';
import type { LeftOutTool } from '../../models/requests/tools.ts';
import type { AgentTool } from '../../agent/tools/tool.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { Budget } from '../../agent/budget/budget.ts';
import { usageCost } from '../../agent/run/runUsage.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { BranchData } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { XmlRenderer } from '../../engine/renderers/xml.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { mainLine, type BranchLabels } from '../branches/branchLabels.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { logFailure } from '../ui/failures.ts';
import { artifactName } from './instructionsKept.ts';
import type { NextRequest, SendingCost } from './nextPrice.ts';
import type { InstructionsFiles } from './instructionsFiles.ts';
import { Debouncer } from '../../base/debouncer.ts';
import type { Settings } from '../manifest/settings.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import type { SystemPrompt } from './promptSource.ts';
import type { ProjectHooks } from './projectHooks.ts';
import type { ListedHooks } from './readHooks.ts';
import type { Memory } from './memory.ts';
import type { Skills } from './skills.ts';

/** How long changes are batched before everything is counted again, in milliseconds. */
const GATHER_MS = 100;

export interface PromptPart {
  readonly fragment: Fragment;
  /** As it is sent to the model. */
  readonly text: string;
  readonly tokens: number;
}

/** What would be sent to a model at the head of the current branch, and its state and artifacts. */
export interface ContextNow {
  readonly chatId: string;
  readonly title: string | undefined;
  /** Undefined while nothing has been asked in the chat. */
  readonly branch: BranchData | undefined;
  readonly branchLabel: string;
  /** Undefined when the selected one is unavailable. */
  readonly model: ChatModel | undefined;
  readonly system: readonly PromptPart[];
  readonly tools: {
    readonly count: number;
    readonly tokens: number;
    /** Foreign tools that cannot be offered, or not to this model, with the reasons. */
    readonly leftOut: readonly LeftOutTool[];
  };
  readonly path: PathContext;
  readonly userState: ReadonlyMap<string, JsonValue>;
  readonly appState: ReadonlyMap<string, JsonValue>;
  /** Oldest first. */
  readonly instructions: {
    readonly chat: readonly ArtifactVersion[];
    readonly workspace: readonly ArtifactVersion[];
  };
  /** The project instructions for certain files only, and those that have no effect here. */
  readonly project: Pick<ProjectInstructions, 'conditional' | 'unused'>;
  readonly skills: FoundSkills;
  readonly hooks: readonly ListedHooks[];
  readonly memory: readonly FoundFacts[];
  readonly userArtifacts: ReadonlyMap<string, readonly ArtifactVersion[]>;
  /** An estimate for the pages of PDFs that are sent to the model. */
  readonly pdfTokens: number;
  /** The total. */
  readonly tokens: number;
  /** In tokens, if known. */
  readonly window: number | undefined;
  /** Undefined if the model has no price. */
  readonly cost: SendingCost | undefined;
  /** What the next request takes, and what is left of each cap: lines in the language of the user. */
  readonly price: readonly string[];
}

export interface ContextSources {
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
  readonly userId: string;
  readonly current: CurrentChat;
  readonly models: ModelRegistry;
  readonly settings: Settings;
  readonly prompt: SystemPrompt;
  readonly instructionsFiles: Pick<InstructionsFiles, 'read'>;
  readonly skills: Pick<Skills, 'read'>;
  readonly hooks: Pick<ProjectHooks, 'reader'>;
  readonly memory: Pick<Memory, 'read'>;
  readonly tools: () => readonly AgentTool[];
  readonly mode: SelectedMode;
  readonly agent: () => Promise<AgentProfile | undefined>;
  readonly leftOutTools: () => readonly LeftOutTool[];
  readonly budget: () => Promise<Pick<Budget, 'left'>>;
  readonly log: vscode.LogOutputChannel;
  /** Automatic counting waits for this. */
  readonly mayCount: Promise<unknown>;
}

export class ContextMeter implements Disposable {
  private readonly changed = new vscode.EventEmitter<ContextNow>();
  private readonly tokens = new TextTokens();
  private readonly paths: PathContextReader;
  private readonly subscriptions: Disposable;
  private last: ContextNow | undefined;
  private readonly refreshing = new Debouncer(GATHER_MS, () => this.notify());
  private isDisposed = false;
  private readonly counted = new Map<string, number>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly sources: ContextSources) {
    const { store, current, settings, prompt, mode } = sources;
    this.paths = new PathContextReader(store, this.tokens);
    const schedule = (): void => this.refresh();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      this.refreshing,
      this.paths,
      store.onDidChange(({ kind }) => {
        if (kind !== 'draft') schedule();
      }),
      current.onDidChange(schedule),
      settings.onDidChange(schedule),
      mode.onDidChange(schedule),
      prompt.onDidChange(schedule),
      vscode.lm.onDidChangeChatModels(schedule),
      vscode.workspace.onDidGrantWorkspaceTrust(schedule),
    );
  }

  /** Undefined before the first count. */
  get now(): ContextNow | undefined {
    return this.last;
  }

  refresh(): void {
    this.refreshing.soon();
  }

  async read(): Promise<ContextNow> {
    const { store, userId, current, labels, prompt, tools, leftOutTools } = this.sources;
    const mode = this.sources.mode.current;
    const agent = await this.sources.agent();
    const chatId = await current.chatId();
    const chat = await store.getChat(chatId);
    const branch = chat && (await store.getActiveBranch(chatId));
    const model = await this.model();
    // Before the tools: one of them is offered only where there are skills.
    const skills = chat ? await this.sources.skills.read() : { skills: [], unused: [], notRead: 0 };
    const hasTools = chat !== undefined && model !== undefined && takesTools(model);
    const { offered, leftOut } = hasTools
      ? await toolsOf(narrowedTools(agent, toolsIn(mode, tools(), model)), model)
      : { offered: [], leftOut: [] };
    const path = await this.paths.read(chatId, branch?.headMessageId ?? null);
    const branchMemory = path.effects.state.get(BRANCH_MEMORY);
    // Without a chat nothing is shown, and the tokenizer need not be loaded.
    const fragments = chat
      ? await prompt.fragments({ chatId, hasTools: offered.length > 0, mode, agent, branchMemory })
      : [];
    const system = await this.countPrompt(fragments);
    const toolTokens = offered.length === 0 ? 0 : await this.count(toolsText(offered));
    const pdfTokens = model ? tokensOfPages(model, path.pages) : 0;
    const promptTokens = system.reduce((sum, part) => sum + part.tokens, 0);
    const tokens = promptTokens + toolTokens + path.tokens + pdfTokens;
    const cost = model && sendingCost(model, tokens);
    const budget = branch && (await this.budgetLeft(chatId, branch.id));
    const userArtifacts = await store.getSharedArtifacts(userId);
    this.last = {
      chatId,
      title: chat?.title,
      branch,
      branchLabel: branch ? await labels.label(chatId, branch.name) : mainLine(),
      model,
      system,
      tools: {
        count: offered.length,
        tokens: toolTokens,
        leftOut: hasTools ? [...leftOutTools(), ...leftOut] : [],
      },
      path,
      userState: await store.getSharedState({ scope: 'user', userId }),
      appState: await store.getSharedState({ scope: 'app' }),
      instructions: {
        chat: userArtifacts.get(await artifactName({ chatId })) ?? [],
        workspace: userArtifacts.get(await artifactName('workspace')) ?? [],
      },
      project: chat ? await this.sources.instructionsFiles.read() : { conditional: [], unused: [] },
      skills,
      hooks: (chat && (await (await this.sources.hooks.reader())?.list())) ?? [],
      memory: chat ? await this.sources.memory.read(branchMemory) : [],
      userArtifacts,
      pdfTokens,
      tokens,
      window: model && contextWindowOf(model),
      cost,
      price: chat && model ? await priceOf({ cost, model, tokens, budget }) : [],
    };
    return this.last;
  }

  /** What the ledger would hold if everything before the last question were summarized; read when it is looked at. */
  async nextLedger({ branch, window }: ContextNow): Promise<Ledger | undefined> {
    const head = branch?.headMessageId;
    return branch && typeof head === 'string'
      ? this.paths.previewLedger(branch.chatId, head, window)
      : undefined;
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscriptions.dispose();
  }

  private async notify(): Promise<void> {
    try {
      await this.sources.mayCount;
      if (this.isDisposed) return;
      this.changed.fire(await this.read());
    } catch (error) {
      logFailure(this.sources.log, 'The context could not be read', error);
    }
  }

  private async model(): Promise<ChatModel | undefined> {
    try {
      return await this.sources.models.current();
    } catch {
      // Asking a question reports the reason; what would be sent can be counted anyway.
      return undefined;
    }
  }

  private async budgetLeft(chatId: string, branchId: string): Promise<NextRequest['budget']> {
    const { budget, settings } = this.sources;
    // Without caps, the program that makes requests need not be loaded.
    if (Object.keys(settings.get('budget')).length === 0) return [];
    try {
      return await (await budget()).left({ chatId, branchId });
    } catch {
      // Asking a question reports a mistake in the setting.
      return undefined;
    }
  }

  private async countPrompt(fragments: readonly Fragment[]): Promise<PromptPart[]> {
    const renderer = new XmlRenderer();
    const parts: PromptPart[] = [];
    for (const fragment of fragments) {
      const text = renderer.render([fragment]);
      if (text !== '') parts.push({ fragment, text, tokens: await this.count(text) });
    }
    return parts;
  }

  /** Most of the text is the same each time. */
  private async count(text: string): Promise<number> {
    const known = this.counted.get(text);
    if (known !== undefined) return known;
    const tokens = await this.tokens.count(text);
    if (this.counted.size > 200) this.counted.clear();
    this.counted.set(text, tokens);
    return tokens;
  }
}

/** 0 if none of them are sent to the model. */
function tokensOfPages(model: ChatModel, pages: number): number {
  const limits = pdfLimitsOf(model);
  return limits ? Math.min(pages, limits.maxPages ?? pages) * PDF_PAGE_TOKENS : 0;
}

/** The module that makes requests knows what providers refuse in tools; it is loaded when there is a chat. */
async function toolsOf(tools: readonly AgentTool[], model: ChatModel): Promise<ToolsForModel> {
  const { toolsFor } = await import('../../agent/context/toolsFor.ts');
  return toolsFor(tools, targetOf(model));
}

/** Its texts are loaded when they are first needed. */
async function priceOf(next: NextRequest): Promise<readonly string[]> {
  const { nextPrice } = await import('./nextPrice.ts');
  return nextPrice(next);
}

/** A long request is priced by its own length, as when it is counted afterwards. */
function sendingCost(model: ChatModel, inputTokens: number): SendingCost | undefined {
  const most = usageCost({ inputTokens }, model);
  const least = usageCost({ inputTokens, cachedTokens: inputTokens }, model);
  const limit = model.maxOutputTokens ?? model.listed?.facts.limits?.output;
  const whole = limit === undefined ? undefined : usageCost({ inputTokens, outputTokens: limit }, model);
  if (most === undefined || least === undefined) return undefined;
  return { most, least, answer: whole === undefined ? undefined : whole - most };
}
