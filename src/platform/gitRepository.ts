import { foldedName } from './fileNames.ts';

/**
 * By what git knows a folder as a repository, whatever the folder is called: a file `HEAD`, and either `objects` and
 * `refs` beside it, of whatever kind, or a file `commondir` that says where those are.
 */
const MARKS = ['HEAD', 'objects', 'refs', 'commondir'] as const;
type Mark = (typeof MARKS)[number];

/** Whether something of this name is in a folder, and is one. */
export type LookInto = (name: string) => Promise<'folder' | 'other' | undefined>;

/** Whether git would take a folder for a repository. */
export async function isRepository(look: LookInto): Promise<boolean> {
  // Nearly no folder has it: one look is enough.
  if (!(await hasMark('HEAD', look))) return false;
  if (await hasMark('commondir', look)) return true;
  return (await hasMark('objects', look)) && (await hasMark('refs', look));
}

/**
 * Whether git would take a folder for a repository once something of this name is in it. Each of the names is harmless
 * by itself; in whatever order they come, the one that would complete a repository is refused.
 */
export async function completesRepository(
  name: string,
  kind: 'folder' | 'file',
  look: LookInto,
): Promise<boolean> {
  const folded = foldedName(name);
  const mark = MARKS.find((each) => each.toLowerCase() === folded);
  if (mark === undefined || (kind === 'folder' && mustBeFile(mark))) return false;
  return isRepository((asked) => (asked === mark ? Promise.resolve('other') : look(asked)));
}

/** Whether a folder belongs to a repository. @param isAbove whether the one it lies in does */
export async function isStillInRepository(isAbove: boolean, look: LookInto): Promise<boolean> {
  if (await isRepository(look)) return true;
  return isAbove && (await look('.git')) === undefined;
}

async function hasMark(mark: Mark, look: LookInto): Promise<boolean> {
  const found = await look(mark);
  return found === 'other' || (found === 'folder' && !mustBeFile(mark));
}

function mustBeFile(mark: Mark): boolean {
  return mark === 'HEAD' || mark === 'commondir';
}
