import { SUMMARY, type Turn } from './flows.ts';
import type { Exchange, Picture, Said } from './said.ts';

interface Result {
  readonly text: string;
  /** Undefined where the protocol says nothing of it. */
  readonly isError?: boolean | undefined;
  readonly pictures: readonly Picture[];
}

/** One thing on the way through a conversation, in the form in which what was said and what was imported are compared. */
export type Item =
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'picture'; readonly picture: Picture }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly model: string; readonly isCut: boolean }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly input: unknown;
      /** Undefined where none came. */
      readonly result?: Result | undefined;
    }
  | { readonly kind: 'summary'; readonly text: string };

/** One way through a conversation, from its first question to an end. */
export interface Way {
  readonly items: readonly Item[];
  /** It is where the program was last in its conversation. */
  readonly isActive: boolean;
  /** Its first question is the task of a sub-agent, which a call in another way gave it. */
  readonly isAgent: boolean;
}

/** What was said in one flow, as its `said.json` has it. */
export interface Told {
  readonly program: string;
  readonly version: string;
  /** The day, as in ISO 8601. */
  readonly date: string;
  /** When it began and ended, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The title that the model gave, if it was asked for one. */
  readonly title?: string | undefined;
  readonly ways: readonly Way[];
}

interface Node {
  item: Item;
  readonly callId?: string | undefined;
  readonly parent: Node | undefined;
  readonly children: Node[];
}

/**
 * What was said, as ways: a request holds the history that the program has in mind, so each request is a place in a tree.
 * What a program says around the questions (instructions, reminders, notes) is in none of them.
 */
export function waysOf(record: readonly Exchange[], turns: readonly Turn[]): Way[] {
  return new ToldWays(record, turns).ways();
}

class ToldWays {
  private readonly root: Node = {
    item: { kind: 'question', text: '' },
    parent: undefined,
    children: [],
  };
  private readonly calls = new Map<string, Node>();
  /** The last node of each conversation, by its first question. */
  private readonly ends = new Map<Node, Node>();
  private last: Node = this.root;
  private readonly tasks: readonly string[];

  constructor(
    record: readonly Exchange[],
    private readonly turns: readonly Turn[],
  ) {
    const calls = turns.flatMap(({ replies }) => replies.flatMap((reply) => reply.calls ?? []));
    const given = JSON.stringify(calls.map(({ input }) => input));
    this.tasks = turns.flatMap(({ ask }) => (given.includes(JSON.stringify(ask).slice(1, -1)) ? [ask] : []));
    // An answer that was stopped is recorded when the program closes the connection, which may be later.
    for (const exchange of record.toSorted((one, other) => one.at - other.at)) this.take(exchange);
  }

  ways(): Way[] {
    const active = new Set(this.ends.values());
    return leavesOf(this.root).map((leaf) => {
      const path = pathTo(leaf);
      const [first] = path;
      return {
        items: path.map(({ item }) => item),
        isActive: active.has(leaf),
        isAgent: first?.item.kind === 'question' && this.tasks.includes(first.item.text),
      };
    });
  }

  private take({ as, said, answered, model, isCut }: Exchange): void {
    if (as === 'aside') return;
    if (as === 'summary') {
      const text = answered.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('');
      this.last = this.add(this.last, { kind: 'summary', text });
      this.end(this.last);
      return;
    }
    let at = this.root;
    let result: Node | undefined;
    for (const each of said) {
      // Where results have no pictures, a picture follows them as one of the user's.
      if (each.kind === 'picture' && result) addPicture(result, each.picture);
      else at = this.followed(at, each);
      if (each.kind === 'result') result = this.calls.get(each.id);
      else if (each.kind === 'call' || (each.kind === 'text' && each.who === 'assistant')) result = undefined;
      else if (each.kind === 'text' && this.turns.some(({ ask }) => each.text.includes(ask))) {
        result = undefined;
      }
    }
    for (const each of answered) {
      if (each.kind === 'text') at = this.add(at, { kind: 'text', text: each.text, model, isCut });
      else if (each.kind === 'reasoning') at = this.add(at, { kind: 'reasoning', text: each.text });
      else if (each.kind === 'call') {
        at = this.add(at, { kind: 'call', name: each.name, input: each.input }, each.id);
        this.calls.set(each.id, at);
      }
    }
    this.last = at;
    this.end(at);
  }

  /** The place after one more thing of a history; things that are not known leave it where it is. */
  private followed(at: Node, said: Said): Node {
    switch (said.kind) {
      case 'result': {
        const call = this.calls.get(said.id);
        if (call?.item.kind === 'call') {
          const { text, isError, pictures } = said;
          call.item = { ...call.item, result: call.item.result ?? { text, isError, pictures } };
        }
        return at;
      }
      case 'picture':
        return said.who === 'user' ? this.asked(at, { kind: 'picture', picture: said.picture }) : at;
      case 'text': {
        if (said.text.includes(SUMMARY)) return this.summaryIn(said.text) ?? at;
        if (said.who === 'assistant') return this.found(at, said) ?? at;
        if (said.who === 'system') return at;
        const ask = this.turns.findLast((turn) => said.text.includes(turn.ask))?.ask;
        return ask === undefined ? at : this.asked(at, { kind: 'question', text: ask });
      }
      case 'call':
        return this.found(at, said) ?? at;
      case 'reasoning':
        return at;
    }
  }

  private summaryIn(text: string): Node | undefined {
    return everyNode(this.root).findLast(({ item }) => item.kind === 'summary' && text.includes(item.text));
  }

  /** What of the answers it is, further on from here. */
  private found(at: Node, said: Said): Node | undefined {
    for (const child of at.children) {
      const { item, callId } = child;
      if (said.kind === 'call' ? callId === said.id : isText(item, said)) return child;
      // A program need not send back what the model thought, nor an answer that was stopped.
      if (item.kind === 'reasoning' || item.kind === 'text' || item.kind === 'call') {
        const further = this.found(child, said);
        if (further) return further;
      }
    }
    return undefined;
  }

  private asked(at: Node, item: Item): Node {
    // After a summary some of what it covers may be said again.
    if (pathTo(at).some((each) => isSame(each.item, item)) && pathTo(at).some(isSummary)) return at;
    const after = this.endOfAnswer(at);
    return after.children.find((child) => isSame(child.item, item)) ?? this.add(after, item);
  }

  /** The end of an answer of which a program sends back only a part, or nothing. */
  private endOfAnswer(at: Node): Node {
    const next = at.children.find(({ item }) => item.kind !== 'question' && item.kind !== 'picture');
    return next === undefined || at === this.root || isSummary(next) ? at : this.endOfAnswer(next);
  }

  private add(parent: Node, item: Item, callId?: string): Node {
    const node: Node = { item, callId, parent, children: [] };
    parent.children.push(node);
    return node;
  }

  private end(node: Node): void {
    const [first] = pathTo(node);
    if (first) this.ends.set(first, node);
  }
}

function addPicture(node: Node, picture: Picture): void {
  if (node.item.kind !== 'call' || !node.item.result) return;
  const { pictures } = node.item.result;
  if (pictures.some(({ sha256 }) => sha256 === picture.sha256)) return;
  node.item = { ...node.item, result: { ...node.item.result, pictures: [...pictures, picture] } };
}

function isText(item: Item, said: Said): boolean {
  return item.kind === 'text' && said.kind === 'text' && said.text.includes(item.text);
}

function isSummary({ item }: Pick<Node, 'item'>): boolean {
  return item.kind === 'summary';
}

function isSame(one: Item, other: Item): boolean {
  if (one.kind === 'question') return other.kind === 'question' && one.text === other.text;
  if (one.kind !== 'picture' || other.kind !== 'picture') return false;
  return one.picture.sha256 === other.picture.sha256;
}

/** From the first after the root. */
function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at = node; at.parent; at = at.parent) path.unshift(at);
  return path;
}

function everyNode(node: Node): Node[] {
  return [node, ...node.children.flatMap(everyNode)];
}

function leavesOf(node: Node): Node[] {
  return node.children.length === 0 ? (node.parent ? [node] : []) : node.children.flatMap(leavesOf);
}
