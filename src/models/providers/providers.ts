/** The AI SDK's providers, loaded together when an answer is requested: activation must not wait for them. */
export { createAnthropic } from '@ai-sdk/anthropic';
export { createGoogle } from '@ai-sdk/google';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { withDocumentNames } from './cloud/documentNames.ts';
export { anthropicFetch } from './hosted/anthropicFetch.ts';
export { compatibleFetch } from './compatible/compatibleFetch.ts';
export { withSettings } from './withSettings.ts';
export { ollamaModel } from './ollama/ollamaModel.ts';
export { openRouterModel } from './hosted/openRouterModel.ts';
export { withTaggedReasoning } from '../requests/taggedReasoning.ts';
export { withReasoningDetails } from './compatible/reasoningDetails.ts';
