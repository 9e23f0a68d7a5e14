import { SessionGroups } from '../../sessionGroups.ts';
import type { KeptSession, SessionFamily } from './opencodeChat.ts';

/**
 * Forks are copies that name no origin, with the times of what was copied: sessions that began at the same moment are
 * one conversation.
 * @param startOf the time of a session's first message
 */
export function familiesOf(
  sessions: readonly KeptSession[],
  startOf: (id: string) => number | undefined,
): SessionFamily[] {
  const byId = new Map(sessions.map((each) => [each.info.id, each]));
  const groups = new SessionGroups<KeptSession>();
  const byCreation = sessions.toSorted((one, other) => one.info.time.created - other.info.time.created);
  for (const each of byCreation) {
    const { id, parentID } = each.info;
    const parent = typeof parentID === 'string' && byId.has(parentID) ? parentID : undefined;
    const start = startOf(id);
    const names = [`session ${id}`, ...(parent === undefined ? [] : [`session ${parent}`])];
    groups.add(each, start === undefined || parent !== undefined ? names : [...names, `start ${start}`]);
  }
  return groups.all().flatMap((group) => {
    const isAgent = ({ info: { parentID } }: KeptSession): boolean =>
      typeof parentID === 'string' && byId.has(parentID);
    const roots = group.filter((each) => !isAgent(each));
    return roots.length === 0 ? [] : [{ roots, agents: group.filter(isAgent) }];
  });
}
