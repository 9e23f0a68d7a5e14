import { ASIDE } from '../../../host/aside.ts';
import type { WallRefusal } from './commandDetails.ts';

/** What programs write of the errors that a wall gives them. */
const signs: readonly (readonly [WallRefusal, RegExp])[] = [
  [
    'network',
    /\b(?:EAI_AGAIN|ENETUNREACH|ENOTFOUND)\b|network is unreachable|could not resolve|failure in name resolution|name or service not known|unable to resolve host|no such host/iu,
  ],
  ['writing', /\b(?:EROFS|EXDEV)\b|read-only file system|cross-device link|device or resource busy/iu],
  ['access', /\b(?:EACCES|EPERM)\b|permission denied|operation not permitted/iu],
];

export function refusalsIn(output: string): readonly WallRefusal[] {
  return signs.flatMap(([refusal, sign]) => (sign.test(output) ? [refusal] : []));
}

const words: Readonly<Record<WallRefusal, string>> = {
  network: 'the network',
  writing: 'writing a file',
  access: 'access to a file or a socket',
};

/** As the user and the model name it: without the usual protocol. */
export function hostNameOf(origin: string): string {
  return origin.replace(/^https:\/\//u, '');
}

/** For the model, of a command that failed in a sandbox or was refused something. @param hosts that it may not reach */
export function refusalText(refusals: readonly WallRefusal[], hosts: readonly string[]): string {
  const what =
    refusals.length === 0
      ? 'It ran in a sandbox.'
      : `It ran in a sandbox, which seems to have refused it ${refusals.map((each) => words[each]).join(' and ')}.`;
  const where =
    hosts.length === 0
      ? ''
      : ` It may not reach ${hosts.join(', ')}: to have the user asked for them, call run_command again with hosts: ${JSON.stringify(hosts)}.`;
  return (
    `[${what}${where} In it, only the open folders and /tmp can be written, without protected files and .git; of the ` +
    'network, only allowed hosts can be reached, by HTTP and HTTPS; and no other files of the user. If it has to be ' +
    'done outside, call run_command with outside: true, and the user is asked.]'
  );
}

/** For the model, of protected files that a command in a sandbox made. */
export function madeText(made: readonly string[], isCut: boolean): string {
  const what =
    made.length === 0
      ? 'There are too many files to look for protected ones that it made'
      : `It made what decides which programs run, or instructs agents. “${ASIDE}” was added to these names: ${made.join(', ')}${isCut ? ', and there may be more' : ''}`;
  return (
    `[${what}. The user is told. Make such files by the tools for files, or by a command with outside: true, and the ` +
    'user is asked.]'
  );
}
