import { foldersAbove, type Walls } from './walls.ts';

/**
 * The profile of `sandbox-exec` for walls, in the language of macOS's seatbelt. Of the rules that match, the last counts.
 * There is no network at all: loopback would be that of the machine.
 */
export function seatbeltProfile(walls: Walls): string {
  const { readable, writable, kept, hiddenFiles, hiddenFolders, temporary } = walls;
  const written = [...writable, temporary];
  const hidden = [...hiddenFiles, ...hiddenFolders];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read pseudo-tty ipc-posix-sem)',
    // Paths are looked up part by part.
    '(allow file-read-metadata)',
    rule('allow', 'file-read*', ['(literal "/")', ...[...readable, ...written].map(below)]),
    rule('allow', 'file-write*', written.map(below)),
    rule('allow', 'file-write* file-ioctl', devices),
    rule('allow', 'mach-lookup', services),
    rule('deny', 'file-write*', ['(regex #"/\\.git(/|$)")', ...kept.map(below)]),
    rule('deny', 'file-write-unlink', foldersAbove(walls).map(itself)),
    rule('deny', 'file-read* file-write*', hidden.map(below)),
    '(deny network*)',
    '',
  ].join('\n');
}

const devices = ['null', 'zero', 'tty', 'dtracehelper', 'stdin', 'stdout', 'stderr']
  .map((name) => itself(`/dev/${name}`))
  .concat('(regex #"^/dev/(ttys|fd/)[0-9]+$")');

/** Names of users, and messages of the system; none that starts, opens or sends anything. */
const services = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.notification_center',
  'com.apple.system.logger',
  'com.apple.diagnosticd',
].map((name) => `(global-name ${quoted(name)})`);

function rule(verb: 'allow' | 'deny', what: string, filters: readonly string[]): string {
  return filters.length === 0 ? '' : `(${verb} ${what}\n  ${filters.join('\n  ')})`;
}

function below(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function itself(path: string): string {
  return `(literal ${quoted(path)})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
