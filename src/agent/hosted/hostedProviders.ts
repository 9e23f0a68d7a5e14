import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import type { HostedProvider } from './hostedSource.ts';
import { groq, openAi } from './openAiKin.ts';

/** The providers a person can set a key for, by name. */
export const hostedProviders: readonly HostedProvider[] = [anthropic, google, groq, openAi];
