import type { AgentProfile, RunAgents } from './agentProfile.ts';

/** Those that may explore for the selected one. */
export function explorersFor({ selected, named }: RunAgents): readonly AgentProfile[] {
  const allowed = selected?.agents && new Set(selected.agents.map(agentKey));
  return allowed ? named.filter(({ name }) => allowed.has(agentKey(name))) : named;
}

/** Names are the same in upper and lower case, in wide letters, and with spaces or hyphens between their words. */
export function agentKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, '-');
}
