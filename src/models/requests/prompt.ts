import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';

/** A request as the AI SDK passes it to a provider: messages in its own form, tools as JSON Schema. */
export type ModelRequest = LanguageModelV4CallOptions;

export type PromptMessage = LanguageModelV4Message;
export type SystemMessage = Extract<PromptMessage, { role: 'system' }>;
export type UserMessage = Extract<PromptMessage, { role: 'user' }>;
export type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;
export type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;
export type TalkMessage = UserMessage | AssistantMessage | ToolMessage;

export type UserPart = UserMessage['content'][number];
export type AssistantPart = AssistantMessage['content'][number];
export type ToolPart = ToolMessage['content'][number];
export type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
export type ResultPart = Extract<ToolPart, { type: 'tool-result' }>;
export type ResultOutput = ResultPart['output'];
export type TextPart = Extract<UserPart, { type: 'text' }>;
export type ReasoningPart = Extract<AssistantPart, { type: 'reasoning' }>;
export type FilePart = Extract<UserPart, { type: 'file' }>;
export type FunctionTool = LanguageModelV4FunctionTool;
export type ProviderOptions = SharedV4ProviderOptions;

export function isCall(part: AssistantPart): part is CallPart {
  return part.type === 'tool-call';
}

export function isResult(part: ToolPart): part is ResultPart {
  return part.type === 'tool-result';
}

export function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** A message on the user's side that this program generates; it is not stored. */
export function userNote(text: string): UserMessage {
  return { role: 'user', content: [textPart(text)] };
}

/** The namespace for this program's own notes; no provider is sent it. */
const OWN = 'offshoot';

/** Records on an assistant message which model wrote it, for {@link writerOf}. */
export function writtenBy(modelId: string | undefined): { providerOptions?: ProviderOptions } {
  return modelId === undefined ? {} : { providerOptions: { [OWN]: { modelId } } };
}

/** Undefined if unknown. */
export function writerOf({ providerOptions }: PromptMessage): string | undefined {
  const modelId = providerOptions?.[OWN]?.['modelId'];
  return typeof modelId === 'string' ? modelId : undefined;
}
