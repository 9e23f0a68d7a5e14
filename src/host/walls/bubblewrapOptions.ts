import { relayEnvironment } from './relay.ts';
import { foldersAbove, type Walls } from './walls.ts';

export interface WallParts {
  /** The path of a file that nobody may read. */
  readonly unreadable: string;
  /** It is started by {@link relayOptions}, whose network it shares. */
  readonly hasRelay: boolean;
}

/**
 * The options for what is around a wall with a relay: a network of its own. All else is as it is outside; a wall in it
 * needs the processes of all to be set up.
 */
export const relayOptions: readonly string[] = [
  ...['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'],
];

/** How a place is made: each stands on those above it. */
type Mount = readonly [path: string, ...options: string[]];

/**
 * The options of bubblewrap for walls: https://github.com/containers/bubblewrap. Processes, the network, shared memory and
 * the name of the machine are those of the sandbox alone.
 */
export function bubblewrapOptions(walls: Walls, { unreadable, hasRelay }: WallParts): readonly string[] {
  const { readable, writable, kept, held, hiddenFiles, hiddenFolders, links, temporary } = walls;
  const mounts = new Map<string, Mount>();
  const place = (path: string, ...options: string[]): void => void mounts.set(path, [path, ...options]);
  // Of one place, the last counts.
  for (const each of readable) place(each, '--ro-bind-try', each, each);
  // A folder above a protected file could be moved away with it, unless it is a place of its own.
  for (const each of foldersAbove(walls)) place(each, '--bind-try', each, each);
  for (const each of writable) place(each, '--bind', each, each);
  for (const each of [...kept, ...held]) place(each, '--ro-bind-try', each, each);
  for (const each of hiddenFiles) place(each, '--ro-bind', unreadable, each);
  for (const each of hiddenFolders) place(each, '--perms', '0000', '--tmpfs', each);
  const sorted = [...mounts.values()].sort(([a], [b]) => depthOf(a) - depthOf(b));
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(hasRelay ? [] : ['--unshare-net']),
    ...['--unshare-cgroup-try', '--cap-drop', 'ALL', '--die-with-parent', '--hostname', 'sandbox'],
    ...links.flatMap(([path, target]) => ['--symlink', target, path]),
    ...['--proc', '/proc', ...kernelPlaces.flatMap((each) => ['--ro-bind-try', each, each])],
    ...['--dev', '/dev', '--bind', temporary, '/tmp', '--bind', temporary, '/var/tmp'],
    ...sorted.flatMap(([, ...options]) => options),
    ...['--remount-ro', '/'],
    ...Object.entries({ ...walledEnvironment, ...(hasRelay ? relayEnvironment : {}) }).flatMap(
      ([name, value]) => ['--setenv', name, value],
    ),
  ];
}

/**
 * Settings of the kernel, which belong to the user where that is root, as in many containers: one of them says which
 * program every crash runs, outside. Not every version of bubblewrap keeps them from being written.
 */
const kernelPlaces = ['sys', 'sysrq-trigger', 'fs', 'irq', 'bus', 'scsi', 'acpi'].map(
  (name) => `/proc/${name}`,
);

function depthOf(path: string): number {
  return path.split('/').length;
}

/** Where programs put what they would else put into the user's own folder. */
export const walledEnvironment: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  XDG_CACHE_HOME: '/tmp/.cache',
  GOCACHE: '/tmp/.cache/go-build',
  npm_config_cache: '/tmp/.npm',
  npm_config_update_notifier: 'false',
  // It looks at the index without writing it.
  GIT_OPTIONAL_LOCKS: '0',
};
