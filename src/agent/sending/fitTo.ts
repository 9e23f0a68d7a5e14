import { fitCacheMarks } from './cacheMarks.ts';
import { fitFiles } from './fileParts.ts';
import { fitIds } from './callIds.ts';
import { fitMetadata } from './metadata.ts';
import { fitPairs } from './pairs.ts';
import type { ModelRequest, SystemMessage, TalkMessage } from './prompt.ts';
import { textPart } from './prompt.ts';
import { fitReasoning, fitThoughts } from './reasoning.ts';
import { fitResultFiles } from './resultFiles.ts';
import { fitRoles, withoutSystem } from './roles.ts';
import type { Target } from './target.ts';
import { fitText } from './text.ts';
import { fitToolNames } from './toolNames.ts';
import { fitTools } from './tools.ts';

/**
 * Turns a request into one its target accepts. Depends only on the request and the target, so that what was sent
 * before is repeated byte for byte; stored messages do not change.
 */
export function fitTo(request: ModelRequest, target: Target): ModelRequest {
  const { system, talk } = apart(request.prompt);
  const { tools } = fitTools(request.tools, target);
  let messages = fitPairs(talk);
  messages = fitResultFiles(messages, target);
  messages = fitFiles(messages, target);
  messages = fitText(messages, target);
  // Trailing reasoning can be detected only after blank text is removed.
  messages = fitReasoning(messages, target);
  messages = fitMetadata(messages, target);
  messages = fitToolNames(messages, target);
  messages = fitIds(messages, target);
  messages = fitRoles(messages, target);
  messages = fitThoughts(messages, target);
  const isSystemTaken = target.dialect !== 'vscodeLm';
  const marked = fitCacheMarks(
    {
      system: isSystemTaken ? system.filter(({ content }) => content.trim() !== '') : [],
      messages: isSystemTaken ? messages : withoutSystem(system, messages),
      tools,
    },
    target,
  );
  const { tools: _offered, toolChoice, temperature, ...rest } = request;
  return {
    ...rest,
    prompt: [...marked.system, ...marked.messages].map(unsigned),
    ...(marked.tools.length === 0
      ? {}
      : { tools: [...marked.tools], ...(toolChoice === undefined ? {} : { toolChoice }) }),
    ...(temperature === undefined ? {} : { temperature: fitTemperature(temperature, target) }),
  };
}

/** Anthropic's scale ends at 1, the others' at 2. */
function fitTemperature(temperature: number, { dialect }: Target): number {
  return Math.min(Math.max(temperature, 0), dialect === 'anthropic' ? 1 : 2);
}

/** Instructions come first; later system messages are only quoted. */
function apart(prompt: ModelRequest['prompt']): { system: SystemMessage[]; talk: TalkMessage[] } {
  const system: SystemMessage[] = [];
  const talk: TalkMessage[] = [];
  for (const message of prompt) {
    if (message.role !== 'system') talk.push(message);
    else if (talk.length === 0) system.push(message);
    else talk.push({ role: 'user', content: [textPart(message.content)] });
  }
  return { system, talk };
}

/** Removes this program's own notes from a message. */
function unsigned<M extends ModelRequest['prompt'][number]>(message: M): M {
  const { offshoot: _own, ...others } = message.providerOptions ?? {};
  const { providerOptions: _all, ...bare } = message;
  // Only the optional member is omitted.
  return (Object.keys(others).length === 0 ? bare : { ...bare, providerOptions: others }) as M;
}
