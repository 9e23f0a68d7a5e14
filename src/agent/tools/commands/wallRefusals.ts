import { z } from 'zod';

/** What a wall has refused, as far as a command says it. */
export const wallRefusal = z.enum(['network', 'writing', 'access']);
export type WallRefusal = z.infer<typeof wallRefusal>;

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

/** For the model, of a command that failed in a sandbox or was refused something. */
export function refusalText(refusals: readonly WallRefusal[]): string {
  const what =
    refusals.length === 0
      ? 'It ran in a sandbox.'
      : `It ran in a sandbox, which seems to have refused it ${refusals.map((each) => words[each]).join(' and ')}.`;
  return (
    `[${what} In it, only the open folders and /tmp can be written, without protected files and .git; there is no ` +
    'network, and no other files of the user. If it has to be done outside, call run_command with outside: true, and ' +
    'the user is asked.]'
  );
}

/** For the model, of protected files that a command in a sandbox made. */
export function madeText(made: readonly string[]): string {
  return (
    `[It made what decides which programs run, or instructs agents: ${made.join(', ')}. The user is told, and may not ` +
    'want it. Make such files by the tools for files.]'
  );
}
