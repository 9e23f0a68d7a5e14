import { messagesFacts } from '../hosted/anthropic.ts';
import { geminiFacts } from '../hosted/google.ts';
import type { CloudProvider } from './cloudSource.ts';
import type { VertexAccess } from './vertexRequests.ts';

/** https://cloud.google.com/vertex-ai/generative-ai/docs */
export const vertex: CloudProvider<'vertex', VertexAccess> = {
  ...geminiFacts,
  id: 'vertex',
  label: 'Google Vertex AI',
  metadata: 'googleVertex',
  listedAs: (name) => `google/${name}`,
  list: async (access) => (await import('./vertexRequests.ts')).listGeminis(access),
  open: async (name, access) => (await import('./vertexRequests.ts')).openGemini(name, access),
};

/** https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai */
export const vertexClaude: CloudProvider<'vertex-anthropic', VertexAccess> = {
  ...messagesFacts,
  id: 'vertex-anthropic',
  label: 'Google Vertex AI (Claude)',
  listedAs: (name) => `anthropic/${name.replace(/@(\d{8})$/u, '-$1').replace(/@.*$/u, '')}`,
  list: async (access) => (await import('./vertexRequests.ts')).listClaudes(access),
  open: async (name, access) => (await import('./vertexRequests.ts')).openClaude(name, access),
};
