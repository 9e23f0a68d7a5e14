import type { Dialect, Target } from './target.ts';

/** A provider's limits for pictures. */
export interface ImageRules {
  readonly images: readonly string[];
  /** Per picture, in bytes of base64. */
  readonly maxBytes?: number;
  /** Per picture, in pixels per side. */
  readonly maxSide?: number;
  /** With more than `count` pictures in a request, no side may be longer than this. */
  readonly many?: { readonly count: number; readonly maxSide: number };
  /** The maximum number in a request. */
  readonly maxCount?: number;
}

const common = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export const imageRules: Readonly<Record<Dialect, ImageRules>> = {
  anthropic: {
    images: common,
    maxBytes: 5 * 1024 * 1024,
    maxSide: 8_000,
    many: { count: 20, maxSide: 2_000 },
    maxCount: 100,
  },
  openaiResponses: { images: common },
  openaiChat: { images: common },
  google: { images: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'] },
  groq: { images: common, maxBytes: 4 * 1024 * 1024, maxCount: 5 },
  ollama: { images: ['image/png', 'image/jpeg', 'image/webp'] },
  vscodeLm: { images: common },
  compatible: { images: common },
};

/** Gemini 3 and later accept files in results; names without a number mean the newest. */
const GEMINI_WITH_FILES = /^google:gemini-(?:[3-9]|[1-9]\d|flash|pro)/u;

/**
 * Whether tool results may contain files: https://platform.claude.com/docs/en/agents-and-tools/tool-use,
 * https://ai.google.dev/gemini-api/docs/function-calling, and the `output` of a `function_call_output` of OpenAI's
 * Responses API. Elsewhere it is undocumented, or ignored by some extensions that provide models to VS Code.
 */
export function takesFilesInResults({ dialect, modelId }: Target): boolean {
  if (dialect === 'google') return GEMINI_WITH_FILES.test(modelId);
  return dialect === 'anthropic' || dialect === 'openaiResponses';
}
