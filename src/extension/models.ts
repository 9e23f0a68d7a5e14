import { DemoModelSource } from '../agent/demoModel.ts';
import { ModelRegistry } from '../agent/modelRegistry.ts';
import { OpenAiCompatibleSource } from '../agent/openAiCompatible.ts';
import { VsCodeModelSource } from '../agent/vscodeLmModel.ts';
import type { ApiKeys } from './apiKeys.ts';
import type { Settings } from './settings.ts';
import { vscodeModels } from './vscodeModels.ts';

/** All the places models come from. */
export function createModels(settings: Settings, keys: ApiKeys): ModelRegistry {
  return new ModelRegistry({
    sources: [
      new VsCodeModelSource(vscodeModels),
      new OpenAiCompatibleSource({
        settings: () => {
          const model = settings.get('openaiCompatible.model');
          return { baseUrl: settings.get('openaiCompatible.baseUrl'), models: model === '' ? [] : [model] };
        },
        keyFor: (origin) => keys.get(origin),
      }),
      new DemoModelSource({ pace: () => settings.get('demo.pace') }),
    ],
    chosen: () => chosenModel(settings),
  });
}

/** The model that was picked; else the one of the server that was set up; else none, and the demo answers. */
function chosenModel(settings: Settings): string | undefined {
  const picked = settings.get('model');
  if (picked !== '') return picked;
  const model = settings.get('openaiCompatible.model');
  const isSetUp = settings.get('openaiCompatible.baseUrl') !== '' && model !== '';
  return isSetUp ? `openai-compatible:${model}` : undefined;
}
