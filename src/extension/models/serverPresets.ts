import type { CompatibleServer } from '../../agent/compatible/compatibleServer.ts';

/** A kind of server the user may have; its presets can be changed in the settings. */
export interface ServerPreset {
  /** Names of products are the same in every language. */
  readonly name: string;
  readonly address: string;
  readonly settings?: Partial<Pick<CompatibleServer, 'headers' | 'body'>>;
  /** It requires a key. */
  readonly hasKey?: boolean;
  /** The user must fill in a part of the address. */
  readonly isTemplate?: boolean;
}

export const serverPresets: readonly ServerPreset[] = [
  { name: 'OpenRouter', address: 'https://openrouter.ai/api/v1', hasKey: true },
  { name: 'LM Studio', address: 'http://localhost:1234/v1' },
  { name: 'vLLM', address: 'http://localhost:8000/v1' },
  { name: 'llama.cpp', address: 'http://localhost:8080/v1' },
  {
    name: 'Azure OpenAI',
    address: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    settings: { headers: { 'api-key': '{key}' } },
    hasKey: true,
    isTemplate: true,
  },
];
