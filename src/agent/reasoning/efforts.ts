import { z } from 'zod';
import type { ChatModel } from '../chatModel.ts';

/** Reasoning efforts, from least to most; each provider has its own words for them. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export type ReasoningEffort = z.infer<typeof reasoningEffort>;

type Model = Pick<ChatModel, 'id' | 'capabilities'>;

const THREE: readonly ReasoningEffort[] = ['low', 'medium', 'high'];

/** The efforts a model supports, lowest first; empty if it has no choice, or nothing is known about it. */
export function effortsOf({ id, capabilities }: Model): readonly ReasoningEffort[] {
  const [source = ''] = id.split(':', 1);
  const name = id.slice(source.length + 1);
  switch (source) {
    case 'anthropic':
      return anthropicEfforts(name);
    case 'google':
      return googleEfforts(name);
    case 'openai':
      return openAiEfforts(name);
    case 'groq':
      if (name.includes('gpt-oss')) return THREE;
      return name.includes('qwen3') ? ['none'] : [];
    case 'ollama':
      if (capabilities?.includes('reasoning') !== true) return [];
      return name.includes('gpt-oss') ? THREE : ['none'];
    default:
      return [];
  }
}

/** The lowest effort of a model; undefined if it has no choice. */
export function leastEffortOf(model: Model): ReasoningEffort | undefined {
  return effortsOf(model)[0];
}

/** Claude's family and version, as 4.6 for `claude-opus-4-6-20260101`; undefined for the oldest naming scheme. */
function claude(name: string): { readonly family: string; readonly version: number } | undefined {
  const found = /claude-([a-z]+)-(\d)(?:-(\d)(?!\d))?/u.exec(name);
  if (!found) return undefined;
  const [, family = '', major = '', minor = '0'] = found;
  return { family, version: Number(`${major}.${minor}`) };
}

/** Whether an Anthropic model decides itself how much to reason, once enabled. */
export function thinksAdaptively(name: string): boolean {
  const { version = 0 } = claude(name) ?? {};
  return version >= 4.6;
}

/** https://platform.claude.com/docs/en/build-with-claude/effort */
function anthropicEfforts(name: string): readonly ReasoningEffort[] {
  const { family, version } = claude(name) ?? { family: '', version: 0 };
  if (version < 4) return [];
  const isAlwaysOn = family === 'fable' || (version >= 5.5 && family !== 'haiku');
  const off: readonly ReasoningEffort[] = isAlwaysOn ? [] : ['none'];
  if (version < 4.6) return [...off, ...THREE];
  return version === 4.6 ? [...off, ...THREE, 'max'] : [...off, ...THREE, 'xhigh', 'max'];
}

/** Whether a Google model reasons and accepts a request to show it. */
export function geminiThinks(name: string): boolean {
  return /^gemini-(?:2\.5|[3-9]|(?:flash|pro)(?:-lite)?-latest)/u.test(name);
}

/** https://ai.google.dev/gemini-api/docs/thinking */
function googleEfforts(name: string): readonly ReasoningEffort[] {
  if (!geminiThinks(name)) return [];
  if (name.startsWith('gemini-2.5')) return name.includes('pro') ? THREE : ['none', ...THREE];
  return name.includes('flash') && !name.endsWith('-latest') ? ['minimal', ...THREE] : THREE;
}

/** https://platform.openai.com/docs/guides/reasoning */
function openAiEfforts(name: string): readonly ReasoningEffort[] {
  if (/^o\d/u.test(name)) return name.includes('-pro') ? [] : THREE;
  const found = /^gpt-([5-9])(?:\.(\d+))?(?:-(.+))?$/u.exec(name);
  if (!found) return [];
  const [, major, minor = '0', variant = ''] = found;
  const version = Number(`${major ?? ''}.${minor}`);
  if (/^(?:chat|pro)/u.test(variant)) return [];
  if (variant.startsWith('codex')) return version >= 5.2 ? [...THREE, 'xhigh'] : THREE;
  if (version >= 6) {
    const canBeOff = /^gpt-6(?:\.1-terra|-luna|-sol)(?:-|$)/u.test(name);
    return [...(canBeOff ? (['none'] as const) : []), ...THREE, 'xhigh', 'max'];
  }
  if (version >= 5.6) return ['none', ...THREE, 'xhigh', 'max'];
  if (version >= 5.2) return ['none', ...THREE, 'xhigh'];
  return version === 5.1 ? ['none', ...THREE] : ['minimal', ...THREE];
}
