import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { groq } from './groq.ts';
import type { HostedProvider } from './hostedSource.ts';
import { openAi } from './openAi.ts';

/** The providers for which a user can set a key, by name. */
export const hostedProviders: readonly HostedProvider[] = [anthropic, google, groq, openAi];
