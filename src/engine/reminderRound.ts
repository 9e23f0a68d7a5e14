import type { ConversationView } from './conversationPath.ts';
import { InvalidArgumentError } from './errors.ts';
import { withFiredReminders } from './firedReminders.ts';
import { reminderPart } from './fragments/carriedMessage.ts';
import type { Fragment } from './fragments/fragment.ts';
import { askReminder, type ReminderContext, type ToolOutcome } from './fragments/reminders.ts';
import { copyJson } from './json.ts';
import { verbatim } from './messageDescriptor.ts';
import { onceIdsOf } from './onceIds.ts';
import { isUserTurn } from './pathSummary.ts';
import { isReminderPart, stripReminders, textOf, type UIMessage } from './uiMessage.ts';
import { usageNumbers } from './usage.ts';

/** What reminders read of the chat, in addition to its messages. */
export interface ReminderChat {
  readonly branch: string;
  /** As the chat's metadata has it. */
  readonly usage: unknown;
}

/** Where in a conversation reminders are asked. */
export interface ReminderMoment {
  readonly before: ConversationView;
  /** The pending messages up to here. */
  readonly pending: readonly UIMessage[];
  readonly chat: ReminderChat;
  readonly turn: number;
  /** The user's message that the reminders would go with. */
  readonly message?: UIMessage;
  /** Between steps: what was answered since the question or the last reminder, and how the last calls ended. */
  readonly step?: { readonly open: UIMessage; readonly outcomes: readonly ToolOutcome[] };
  /** When the last question was asked, if it is pending. */
  readonly askedAt?: number | undefined;
  /** Calls what may not call the engine. */
  readonly outside: <T>(call: () => T) => T;
}

/** The reminders that are asked at one moment, one after the other, and what they add. */
export class ReminderRound {
  private readonly now = Date.now();
  private readonly said: { readonly reminder: Fragment; readonly text: string }[] = [];
  private readonly latched = new Set<string>();
  private readonly history: History;

  constructor(private readonly moment: ReminderMoment) {
    this.history = new History(moment);
  }

  get isEmpty(): boolean {
    return this.said.length === 0;
  }

  /** The same text is added once, of however many outcomes one reminder is asked. @throws ReminderFailedError */
  async ask(reminder: Fragment, toolOutcome?: ToolOutcome): Promise<void> {
    const wanted = new Set<string>();
    const context = this.context(wanted, toolOutcome);
    const text = await this.moment.outside(() => askReminder(reminder, context));
    if (text === undefined) return;
    for (const id of wanted) this.latched.add(id);
    if (this.said.some((each) => each.reminder === reminder && each.text === text)) return;
    this.said.push({ reminder, text });
  }

  /** The user's message with what was added. @throws InvalidArgumentError */
  added(message: UIMessage): UIMessage {
    // What a message without reminders says of them was said of another.
    const base = message.parts.some(isReminderPart) ? message : stripReminders(message);
    const parts = [...message.parts, ...this.said.map(({ text }) => reminderPart(text))];
    if (this.latched.size === 0) return { ...base, parts };
    const { metadata = {} } = base;
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
      throw new InvalidArgumentError('message', verbatim('its metadata is no object, which once(id) needs'));
    }
    const once = [...new Set([...onceIdsOf(message), ...this.latched])];
    return { ...base, metadata: withFiredReminders({ ...metadata }, { once }), parts };
  }

  /** A message of its own with what was added. */
  alone(): UIMessage {
    const once = this.latched.size === 0 ? {} : { once: [...this.latched] };
    return {
      id: crypto.randomUUID(),
      role: 'user',
      metadata: withFiredReminders({}, { alone: true, ...once }),
      parts: [reminderPart(...this.said.map(({ text }) => text))],
    };
  }

  /** Accessors, because most conditions read little of it; they hold no reference to the object they are on. */
  private context(wanted: Set<string>, toolOutcome: ToolOutcome | undefined): ReminderContext {
    const { moment, history, now, latched } = this;
    const { chat, step } = moment;
    return {
      turn: moment.turn,
      get content() {
        return history.content;
      },
      get messageCount() {
        return history.messages.length;
      },
      branch: chat.branch,
      get usage() {
        const { usage } = chat;
        return typeof usage === 'object' && usage !== null ? usageNumbers({ ...usage }) : undefined;
      },
      get lastMessageAt() {
        return history.askedAt;
      },
      get elapsed() {
        const { askedAt } = history;
        return askedAt === undefined ? undefined : Math.max(0, now - askedAt);
      },
      get lastAssistantMessage() {
        return history.last;
      },
      get lastAssistantMessages() {
        return history.answers;
      },
      get lastAssistantReplies() {
        return history.replies;
      },
      toolOutcomes: step?.outcomes,
      toolOutcome,
      latch: (id) => {
        if (latched.has(id) || history.hasFired(id)) return false;
        wanted.add(id);
        return true;
      },
    };
  }
}

/** The messages of a moment, each list made when it is first read. */
class History {
  private all: readonly UIMessage[] | undefined;
  private answered: readonly UIMessage[] | undefined;
  private whole: readonly UIMessage[] | undefined;
  private latest: readonly UIMessage[] | undefined;
  private fired: ReadonlySet<string> | undefined;

  constructor(private readonly moment: ReminderMoment) {}

  get messages(): readonly UIMessage[] {
    const { before, pending, step, message } = this.moment;
    const last = step?.open ?? message;
    this.all ??= [...before.messages, ...pending, ...(last ? [last] : [])];
    return this.all;
  }

  get content(): string {
    const question = this.moment.message ?? this.messages.findLast(isUserTurn);
    return question ? textOf(question) : '';
  }

  get askedAt(): number | undefined {
    return this.moment.askedAt ?? this.moment.before.lastAskedAt;
  }

  get last(): UIMessage | undefined {
    const { step } = this.moment;
    this.latest ??= copyJson(step ? [step.open] : repliesIn(this.messages).slice(-1));
    return this.latest[0];
  }

  get answers(): readonly UIMessage[] {
    this.answered ??= copyJson(this.messages.filter(({ role }) => role === 'assistant'));
    return this.answered;
  }

  get replies(): readonly UIMessage[] {
    this.whole ??= copyJson(repliesIn(this.messages));
    return this.whole;
  }

  hasFired(id: string): boolean {
    this.fired ??= new Set(this.moment.pending.flatMap((message) => onceIdsOf(message)));
    return this.fired.has(id) || this.moment.before.firedOnce.has(id);
  }
}

/** What was answered from each question to the next, as one message. */
function repliesIn(messages: readonly UIMessage[]): UIMessage[] {
  const replies: UIMessage[] = [];
  let isOpen = false;
  for (const message of messages) {
    if (isUserTurn(message)) isOpen = false;
    if (message.role !== 'assistant') continue;
    const last = isOpen ? replies.pop() : undefined;
    replies.push(last ? { ...last, parts: [...last.parts, ...message.parts] } : message);
    isOpen = true;
  }
  return replies;
}
