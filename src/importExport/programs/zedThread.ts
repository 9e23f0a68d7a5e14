import { z } from 'zod';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedText } from '../attachedText.ts';
import { ToolCalls } from '../chatBuilder.ts';
import type { ImportReport } from '../importReport.ts';

// A thread of Zed. Since version 0.3.0 each message is one of Rust's enums as serde writes them: `{"User": …}`,
// `{"Agent": …}`; before, a message has a role, segments, and calls of tools apart. Known from Zed's own sources
// (`crates/agent/src/db.rs`) and from two readers of such databases.

const other = z.unknown().transform(() => ({ kind: 'other' }) as const);
const picture = z.object({ source: z.string() });

const inside = z.union([
  z.string(),
  z.object({ Text: z.string() }).transform(({ Text }) => Text),
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.unknown().transform(() => undefined),
]);
const result = z.object({
  is_error: z.boolean().catch(false),
  content: z.union([
    z.array(inside).transform((all) => all.filter((each) => each !== undefined).join('\n\n')),
    inside,
  ]),
});

const userContent = z.union([
  z.object({ Text: z.string() }).transform(({ Text: text }) => ({ kind: 'text', text }) as const),
  z
    .object({ Mention: z.object({ uri: z.unknown(), content: z.string() }) })
    .transform(({ Mention: { uri, content } }) => ({ kind: 'mention', name: nameOf(uri), content }) as const),
  z.object({ Image: picture }).transform(({ Image }) => ({ kind: 'picture', data: Image.source }) as const),
  other,
]);

const agentContent = z.union([
  z.object({ Text: z.string() }).transform(({ Text: text }) => ({ kind: 'text', text }) as const),
  z
    .object({ Thinking: z.object({ text: z.string() }) })
    .transform(({ Thinking }) => ({ kind: 'thinking', text: Thinking.text }) as const),
  z.object({ RedactedThinking: z.unknown() }).transform(() => ({ kind: 'redacted' }) as const),
  z
    .object({ ToolUse: z.object({ id: z.string(), name: z.string(), input: z.unknown() }) })
    .transform(({ ToolUse }) => ({ kind: 'call', ...ToolUse }) as const),
  other,
]);

type Results = Readonly<Record<string, z.infer<typeof result> | undefined>>;
const none: Results = {};

const results = z.record(z.string(), result.optional().catch(undefined)).catch({});

const segment = z.union([
  z
    .object({ type: z.literal('text'), text: z.string() })
    .transform(({ text }) => ({ kind: 'text', text }) as const),
  z
    .object({ type: z.literal('thinking'), text: z.string() })
    .transform(({ text }) => ({ kind: 'thinking', text }) as const),
  z.object({ type: z.literal('redacted_thinking') }).transform(() => ({ kind: 'redacted' }) as const),
  other,
]);

const message = z.union([
  z
    .object({ User: z.object({ id: z.string().optional().catch(undefined), content: z.array(userContent) }) })
    .transform(({ User }) => ({ role: 'user', ...User, results: none }) as const),
  z
    .object({ Agent: z.object({ content: z.array(agentContent), tool_results: results }) })
    .transform(({ Agent }) => ({
      ...{ role: 'assistant' as const, id: undefined },
      ...{ content: Agent.content, results: Agent.tool_results },
    })),
  z.literal('Resume').transform(() => ({ role: 'resume' }) as const),
  z
    .object({
      role: z.enum(['user', 'assistant', 'system']),
      segments: z.array(segment),
      tool_uses: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })).catch([]),
      tool_results: z.array(result.extend({ tool_use_id: z.string() })).catch([]),
    })
    .transform(({ role, segments, tool_uses: calls, tool_results: given }) => ({
      ...{ role, id: undefined },
      content: [...segments, ...calls.map((each) => ({ kind: 'call', ...each }) as const)],
      results: byId(given),
    })),
]);

function byId(given: readonly (z.infer<typeof result> & { readonly tool_use_id: string })[]): Results {
  return Object.fromEntries(given.map((each) => [each.tool_use_id, each]));
}

export const zedMessage = message;
export type ZedMessage = z.infer<typeof message>;

export const zedThread = z.object({
  title: z.string().optional().catch(undefined),
  summary: z.string().optional().catch(undefined),
  messages: z.array(z.unknown()),
  updated_at: z.string().optional().catch(undefined),
  model: z.object({ model: z.string() }).nullish().catch(undefined),
});

export function partsOfMessage(
  { content, results: given }: Exclude<ZedMessage, { role: 'resume' }>,
  report: ImportReport,
): UIMessagePart[] {
  const calls = new ToolCalls();
  const parts = content.flatMap((each): UIMessagePart[] => {
    switch (each.kind) {
      case 'text':
        return each.text.trim() === '' ? [] : [{ type: 'text', text: each.text }];
      case 'thinking':
        return each.text === '' ? [] : [{ type: 'reasoning', text: each.text }];
      case 'mention':
        return [attachedText(each.name, each.content)];
      case 'picture':
        return [{ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${each.data}` }];
      case 'redacted':
        report.add(defineMessage('Reasoning that is encrypted'));
        return [];
      case 'call': {
        calls.called(each.id, each.name, each.input);
        const answered = Object.hasOwn(given, each.id) ? given[each.id] : undefined;
        return answered ? [calls.result(each.id, answered.content ?? '', answered.is_error)] : [];
      }
      case 'other':
        report.add(defineMessage('Parts of messages of an unknown kind'));
        return [];
    }
  });
  calls.reportOpen(report);
  return parts;
}

/** `{"File": {"abs_path": "/a/b"}}`: the last part of its path, its name, or what it is. */
function nameOf(uri: unknown): string {
  if (typeof uri !== 'object' || uri === null) return typeof uri === 'string' ? uri.slice(0, 200) : '';
  const [[kind, about] = ['', undefined]] = Object.entries(uri);
  const { abs_path: path, name } = z
    .object({
      abs_path: z.string().optional().catch(undefined),
      name: z.string().optional().catch(undefined),
    })
    .catch({ abs_path: undefined, name: undefined })
    .parse(about);
  return name ?? path?.split(/[/\\]/u).at(-1) ?? kind;
}
