import { foldedName } from './fileNames.ts';

/** Git knows a repository by a file `HEAD`, with either `objects` and `refs` of any kind, or a file `commondir`. */
const MARKS = ['HEAD', 'objects', 'refs', 'commondir'] as const;
type Mark = (typeof MARKS)[number];

/** Returns whether a folder contains this name, and of which kind it is. */
export type LookInto = (name: string) => Promise<'folder' | 'other' | undefined>;

export async function isRepository(look: LookInto): Promise<boolean> {
  // Almost no folder has it: one check is enough.
  if (!(await hasMark('HEAD', look))) return false;
  if (await hasMark('commondir', look)) return true;
  return (await hasMark('objects', look)) && (await hasMark('refs', look));
}

/** Each of the names is harmless alone; in any order, the one that would complete a repository is rejected. */
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

/** @param isAbove whether its parent folder belongs to a repository */
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
