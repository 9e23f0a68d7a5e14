import type { Hook, HookDialect, HookEvent } from './hook.ts';
import { toolInputFor, toolNameFor, toolNamesFor } from './hookTools.ts';

/** A call of a tool, as hooks are told of it. */
interface ToolCall {
  readonly tool: string;
  readonly callId: string;
  /** Ours. */
  readonly input: unknown;
}

/** What happened, or is about to. */
export type HookOccasion =
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume'; readonly prompt: string }
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  | ({ readonly event: 'PreToolUse' } & ToolCall)
  | ({ readonly event: 'PostToolUse'; readonly result: string } & ToolCall)
  | { readonly event: 'PreCompact'; readonly trigger: 'manual' | 'auto'; readonly wanted: string }
  | {
      readonly event: 'Stop' | 'SubagentStop';
      /** A hook already kept the model from ending. */
      readonly isKept: boolean;
      readonly lastText: string;
      /** The name of the agent of an exploration. */
      readonly agent: string | undefined;
    }
  | { readonly event: 'BeforeRewind'; readonly messageId: string }
  | { readonly event: 'AfterRestore'; readonly files: number }
  | { readonly event: 'BranchCreated' | 'BranchKept' | 'BranchDiscarded' };

/** Where it happens. */
export interface HookSituation {
  readonly chatId: string;
  /** Undefined where it is about none. */
  readonly branch: string | undefined;
  /** The path of the folder that the hook runs in. */
  readonly cwd: string;
  /** What the agent may do: `default`, or `plan` where it changes nothing. */
  readonly permission: 'default' | 'plan';
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The whole path of a file that is named relative to the workspace. */
  readonly pathOf: (name: string) => string;
}

type Json = Readonly<Record<string, unknown>>;

/** What a hook is given to read, as one line of JSON. */
export function hookInput(
  { event, dialect }: Pick<Hook, 'event' | 'dialect'>,
  occasion: HookOccasion,
  situation: HookSituation,
): string {
  const { chatId, branch, cwd, permission, now } = situation;
  const common: Json =
    dialect === 'copilot'
      ? { sessionId: chatId, timestamp: now, cwd }
      : {
          session_id: chatId,
          sessionId: chatId,
          hook_event_name: event,
          hookEventName: event,
          timestamp: new Date(now).toISOString(),
          cwd,
          permission_mode: permission,
        };
  const about = dialect === 'copilot' ? inCamel(occasion, situation) : inSnake(occasion, dialect, situation);
  return `${JSON.stringify({ ...common, ...(branch === undefined ? {} : { branch }), ...about })}\n`;
}

function inSnake(
  occasion: HookOccasion,
  dialect: HookDialect,
  { pathOf }: Pick<HookSituation, 'pathOf'>,
): Json {
  switch (occasion.event) {
    case 'SessionStart':
      return { source: occasion.source };
    case 'UserPromptSubmit':
      return { prompt: occasion.prompt };
    case 'PreToolUse':
    case 'PostToolUse': {
      const { tool, callId, input } = occasion;
      return {
        tool_name: toolNameFor(tool, dialect),
        tool_input: toolInputFor(tool, dialect, input, pathOf),
        tool_use_id: callId,
        ...(occasion.event === 'PostToolUse' ? { tool_response: occasion.result } : {}),
      };
    }
    case 'PreCompact':
      return { trigger: occasion.trigger, custom_instructions: occasion.wanted };
    case 'Stop':
      return { stop_hook_active: occasion.isKept, last_assistant_message: occasion.lastText };
    case 'SubagentStop':
      return {
        stop_hook_active: occasion.isKept,
        last_assistant_message: occasion.lastText,
        agent_type: occasion.agent ?? DEFAULT_AGENT,
      };
    case 'BeforeRewind':
      return { message_id: occasion.messageId };
    case 'AfterRestore':
      return { files: occasion.files };
    case 'BranchCreated':
    case 'BranchKept':
    case 'BranchDiscarded':
      return {};
  }
}

function inCamel(occasion: HookOccasion, { pathOf }: Pick<HookSituation, 'pathOf'>): Json {
  switch (occasion.event) {
    case 'SessionStart': {
      const source = occasion.source === 'startup' ? 'new' : occasion.source;
      return { source, initialPrompt: occasion.prompt };
    }
    case 'UserPromptSubmit':
      return { prompt: occasion.prompt };
    case 'PreToolUse':
    case 'PostToolUse': {
      const { tool, input } = occasion;
      return {
        toolName: toolNameFor(tool, 'copilot'),
        toolArgs: JSON.stringify(toolInputFor(tool, 'copilot', input, pathOf)),
        ...(occasion.event === 'PostToolUse'
          ? { toolResult: { resultType: 'success', textResultForLlm: occasion.result } }
          : {}),
      };
    }
    case 'PreCompact':
      return { trigger: occasion.trigger, customInstructions: occasion.wanted };
    case 'Stop':
      return { stopReason: 'end_turn' };
    case 'SubagentStop':
      return { stopReason: 'end_turn', agentName: occasion.agent ?? DEFAULT_AGENT };
    case 'BeforeRewind':
      return { messageId: occasion.messageId };
    case 'AfterRestore':
      return { files: occasion.files };
    case 'BranchCreated':
    case 'BranchKept':
    case 'BranchDiscarded':
      return {};
  }
}

/** The agent of an exploration that names none. */
const DEFAULT_AGENT = 'explore';

/** What a matcher is compared with; empty where the event has no kinds: then it says nothing. */
export function matchedNames(occasion: HookOccasion): readonly string[] {
  switch (occasion.event) {
    case 'SessionStart':
      return [occasion.source, ...(occasion.source === 'startup' ? ['new'] : [])];
    case 'PreToolUse':
    case 'PostToolUse':
      return toolNamesFor(occasion.tool);
    case 'PreCompact':
      return [occasion.trigger];
    case 'SubagentStop':
      return [occasion.agent ?? DEFAULT_AGENT];
    default:
      return [];
  }
}

/** What can be kept from happening at an event. */
export function canBlock(event: HookEvent): boolean {
  return blocking.has(event);
}

const blocking: ReadonlySet<HookEvent> = new Set([
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'SubagentStop',
  'Stop',
  'BeforeRewind',
]);
