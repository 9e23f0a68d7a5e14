/** A picture by what it is, not by its bytes or its name. */
export interface Picture {
  readonly mediaType: string;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

/**
 * One thing that was said, in a form that is no protocol's: what a model server is sent, and what an imported chat holds,
 * are both a list of these.
 */
export type Said =
  | { readonly kind: 'text'; readonly who: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly kind: 'result';
      /** Of the call. */
      readonly id: string;
      readonly text: string;
      /** Undefined where the protocol says nothing of it. */
      readonly isError?: boolean | undefined;
      readonly pictures: readonly Picture[];
    }
  | { readonly kind: 'picture'; readonly who: 'user' | 'assistant'; readonly picture: Picture };

export interface Call {
  readonly name: string;
  /** A group of tools, which OpenAI's Responses have: they need not be offered one by one. */
  readonly namespace?: string;
  /** A text is a call of a tool that takes text, which OpenAI's Responses have. */
  readonly input: unknown;
}

/** What the model says, in the order of its members. */
export interface Reply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** After half of the text it says nothing more, until the program goes away. */
  readonly holds?: true;
  /**
   * What is no turn of the conversation: a title, a topic, a guess at the next question (`aside`); the summary that stands
   * for the conversation from then on (`summary`).
   */
  readonly as?: 'aside' | 'summary';
  /** Tokens that the request is said to have had. Default: 100 */
  readonly inputTokens?: number | undefined;
}

export interface ModelRequest {
  readonly protocol: string;
  readonly model: string;
  readonly isStreamed: boolean;
  /** In its order; what the protocol keeps apart as instructions comes first. */
  readonly said: readonly Said[];
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[];
  readonly body: unknown;
}

/** A request with its answer, as they went over the wire. */
export interface Exchange extends Omit<ModelRequest, 'body'> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly as: 'turn' | 'aside' | 'summary';
  /** What was sent of the reply: less than all where the program went away. */
  readonly answered: readonly Said[];
  readonly isCut: boolean;
}

/** What the user last said in words. */
export function lastQuestion({ said }: Pick<ModelRequest, 'said'>): string {
  return texts(said, 'user').at(-1) ?? '';
}

/** Whether it has a call's result after the last words of the user. */
export function resultsSince({ said }: Pick<ModelRequest, 'said'>, question: string): number {
  const from = said.findLastIndex(
    (each) => each.kind === 'text' && each.who === 'user' && each.text.includes(question),
  );
  return said.slice(from + 1).filter(({ kind }) => kind === 'result').length;
}

export function texts(said: readonly Said[], who: 'system' | 'user' | 'assistant'): string[] {
  return said.flatMap((each) => (each.kind === 'text' && each.who === who ? [each.text] : []));
}
