import type { ForeignFiles } from '../../host/foreignFiles.ts';

const AGENT_FOLDER = { base: 'home', below: ['.pi', 'agent'] } as const;

type Places = Pick<ForeignFiles, 'userFolder'>;

/** It has a folder for each project. */
export function piSessions(places: Places): string {
  return places.userFolder({ ...AGENT_FOLDER, variable: 'PI_CODING_AGENT_DIR' }, 'sessions');
}

/** The one folder in which the user has the sessions of all projects; otherwise that of all others. */
export function piSharedSessions(places: Places): string {
  const below = [...AGENT_FOLDER.below, 'sessions'];
  return places.userFolder({ ...AGENT_FOLDER, variable: 'PI_CODING_AGENT_SESSION_DIR', below });
}

/** The name of a project's folder among those of the sessions. */
export function piProjectFolder(project: string): string {
  return `--${project.replace(/^[/\\]/u, '').replaceAll(/[/\\:]/gu, '-')}--`;
}
