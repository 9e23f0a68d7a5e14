import { copyJson, type JsonObject } from './json.ts';
import { estimate, type Estimate, type EstimatePart } from './estimate/estimate.ts';
import type { Fragment } from './fragments/fragment.ts';
import type { GraphData } from './graph.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import { membersJson, plainFragments } from './renderers/plain.ts';
import { modelTextOf, type UIMessage } from './uiMessage.ts';

export interface InspectedContext {
  readonly fragments: readonly Fragment[];
  readonly persisted: readonly UIMessage[];
  readonly pending: readonly UIMessage[];
  readonly renderer: ContextRenderer;
}

/** Everything there is to inspect in an engine. Plain data: it can be written to JSON. */
export interface ContextSnapshot {
  readonly estimate: Estimate;
  /** The system prompt. */
  readonly rendered: string;
  readonly fragments: {
    /** The fragments of the system prompt, with the current results of functions. */
    readonly context: readonly JsonObject[];
    readonly pending: readonly UIMessage[];
    readonly persisted: readonly UIMessage[];
  };
  readonly graph: GraphData;
  readonly meta: {
    readonly chatId: string;
    readonly branch: string;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
  };
}

export function estimateContext(
  modelId: string,
  { fragments, persisted, pending, renderer }: InspectedContext,
): Promise<Estimate> {
  const context = fragments.map((fragment): EstimatePart => ({
    ...(fragment.id === undefined ? {} : { id: fragment.id }),
    name: fragment.name,
    text: renderer.render([fragment]),
  }));
  const messages = [...persisted, ...pending].map((message): EstimatePart => ({
    id: message.id,
    name: message.role,
    text: modelTextOf(message),
  }));
  return estimate({ modelId, parts: [...context, ...messages] });
}

export interface InspectedChat {
  readonly chatId: string;
  readonly branch: string;
  readonly graph: () => Promise<GraphData>;
}

/** @param standing reminders that go with the user's messages */
export async function takeSnapshot(
  modelId: string,
  inspected: InspectedContext,
  standing: readonly Fragment[],
  { chatId, branch, graph }: InspectedChat,
): Promise<ContextSnapshot> {
  return {
    estimate: await estimateContext(modelId, inspected),
    rendered: inspected.renderer.render(inspected.fragments),
    fragments: {
      context: fragmentsAsJson([...inspected.fragments, ...standing]),
      pending: copyJson(inspected.pending),
      persisted: copyJson(inspected.persisted),
    },
    graph: await graph(),
    meta: { chatId, branch, timestamp: Date.now() },
  };
}

function fragmentsAsJson(fragments: readonly Fragment[]): JsonObject[] {
  return fragments.flatMap((fragment) => {
    const plain = plainFragments([fragment]);
    const id = fragment.id === undefined ? {} : { id: fragment.id };
    return plain.length === 0
      ? []
      : [{ ...id, name: fragment.name, data: membersJson(plain)[fragment.name] ?? null }];
  });
}
