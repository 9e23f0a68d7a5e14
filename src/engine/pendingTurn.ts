import type { EngineArtifacts } from './artifacts.ts';
import type { MessageEffects } from './effects.ts';
import type { EngineFiles } from './files.ts';
import { asNewMessage, PendingMessages, type PendingPlan } from './pendingMessages.ts';
import type { EngineState } from './state.ts';
import type { NewMessage, SharedChanges } from './store.ts';

/** Everything that waits for `save()`: messages, and what changed beside them. */
export class PendingTurn {
  readonly messages = new PendingMessages();

  constructor(
    private readonly userId: string,
    private readonly state: EngineState,
    private readonly artifacts: EngineArtifacts,
    private readonly files: EngineFiles,
  ) {}

  /** What goes with the last message; undefined when nothing does. */
  effects(): MessageEffects | undefined {
    const state = this.state.pendingEffects();
    const artifacts = this.artifacts.pending('path');
    const files = this.files.pending();
    if (!state && artifacts.length === 0 && files.length === 0) return undefined;
    return {
      ...(state ? { state } : {}),
      ...(artifacts.length > 0 ? { artifacts } : {}),
      ...(files.length > 0 ? { files } : {}),
    };
  }

  /** What is not bound to the path. */
  shared(): SharedChanges {
    return {
      userId: this.userId,
      user: this.state.pending('user'),
      app: this.state.pending('app'),
      artifacts: this.artifacts.pending('user'),
    };
  }

  /** The messages to store; the effects go with the last, or with a node of their own that no model sees. */
  newMessages(plan: PendingPlan, invocationId: string | undefined): NewMessage[] {
    const messages = plan.messages.map((message) => asNewMessage(message, invocationId));
    const effects = this.effects();
    if (!effects) return messages;
    const last = messages.pop() ?? stateNode(invocationId);
    return [...messages, { ...last, effects }];
  }

  /** Forgets what was saved; what came meanwhile waits on. */
  saved(plan: PendingPlan, messages: readonly NewMessage[]): void {
    this.messages.saved(plan.messages.length);
    this.state.clear();
    this.artifacts.clear();
    this.files.saved(messages.at(-1)?.effects?.files ?? []);
  }

  /** Drops what waits, because the branch is left; returns how many there were. */
  clear(): number {
    return this.messages.clear() + this.state.clear() + this.artifacts.clear();
  }
}

/** True when something beside the path changed. */
export function hasSharedChanges({ user, app, artifacts }: SharedChanges): boolean {
  return user.size > 0 || app.size > 0 || artifacts.length > 0;
}

function stateNode(invocationId: string | undefined): NewMessage {
  return {
    id: crypto.randomUUID(),
    name: 'state',
    type: 'internal',
    data: null,
    invocationId,
    replaces: undefined,
    effects: undefined,
  };
}
