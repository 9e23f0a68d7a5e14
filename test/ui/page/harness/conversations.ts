import type { ConversationView } from '../../../../src/protocol/chatFromHost.ts';
import type { MessageView, ToolPartView } from '../../../../src/protocol/views.ts';

/** Noon of a day in May, as every message of a made conversation says. */
const createdAt = Date.UTC(2026, 4, 4, 12);

export function question(id: string, text: string, rest: Partial<MessageView> = {}): MessageView {
  return {
    id,
    role: 'user',
    parts: [{ type: 'text', text }],
    createdAt,
    status: 'complete',
    checkpoints: [],
    ...rest,
  };
}

export function answer(id: string, text: string, rest: Partial<MessageView> = {}): MessageView {
  return {
    ...question(id, text),
    role: 'assistant',
    model: { label: 'Offline demo', isDemo: true },
    ...rest,
  };
}

export function streaming(id: string, text = ''): MessageView {
  return answer(id, text, { status: 'streaming', parts: text === '' ? [] : [{ type: 'text', text }] });
}

/** A call of a tool that has ended well, unless said otherwise. */
export function toolCall(rest: Partial<ToolPartView> = {}): ToolPartView {
  return {
    type: 'tool',
    callId: 'c1',
    name: 'read_file',
    title: 'Read src/greet.ts',
    icon: 'file',
    state: 'done',
    input: '{\n  "path": "src/greet.ts"\n}',
    output: 'src/greet.ts, lines 1–4 of 4:\nexport function greet() {}',
    duration: 12,
    ...rest,
  };
}

/** A call that waits for the user. */
export function askingCall(id: string, rest: Partial<ToolPartView> = {}): ToolPartView {
  const { duration: _none, ...call } = toolCall({
    callId: id,
    name: 'edit_file',
    title: 'Edit src/greet.ts',
    icon: 'edit',
    state: 'asking',
    output: '',
    approval: {
      id,
      question: 'Allow edit to src/greet.ts?',
      choices: ['once', 'chat', 'workspace', 'deny'],
      covers: 'edits',
      hasChanges: true,
    },
    ...rest,
  });
  return call;
}

export function conversation(
  messages: readonly MessageView[] = [],
  rest: Partial<ConversationView> = {},
): ConversationView {
  return {
    chat: { id: 'chat-1', title: 'Closures and other things' },
    branch: 'main',
    branchCount: 1,
    messageCount: messages.length,
    messages: [...messages],
    sideQuestions: [],
    model: { id: 'demo:offline', label: 'Offline demo', isDemo: true },
    mode: { id: 'agent', label: 'Agent', description: 'Reads and changes files' },
    banners: [],
    isReadOnly: false,
    ...rest,
  };
}

/** Questions and answers in turn, `count` messages in all; ids m0, m1 and so on, beginning at `first`. */
export function turns(count: number, first = 0): MessageView[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `m${first + index}`;
    return (first + index) % 2 === 0
      ? question(id, `Question ${id}: how does this work?`)
      : answer(id, `Answer ${id}: like **this**, with \`code\` and some words to fill a line or two.`);
  });
}
