import { isDeepStrictEqual } from 'node:util';
import { PICTURE } from './flows.ts';
import type { Item, Way } from './told.ts';
import type { ImportedWay } from './importedWays.ts';
import type { Loss } from './driver.ts';

/** What a program's files don't have, so that no import can. */
export type Losses = Partial<Readonly<Record<Loss, string>>>;

/** How two ways differ, in words; empty: not at all. */
export function differences(told: Way, imported: ImportedWay, losses: Losses): string[] {
  const [one, other] = [kept(told, losses), kept(imported, losses)];
  const problems: string[] = [];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [said, there] = [one[at], other[at]];
    if (said && there && isSame(said, there, losses)) continue;
    problems.push(
      `${at + 1}: ${said ? shown(said) : 'nothing'} was said, ${there ? shown(there) : 'nothing'} came`,
    );
    // What follows is shifted.
    break;
  }
  return problems;
}

/** How much of a way is there, to say which of several is the nearest. */
export function sharedLength(told: Way, imported: ImportedWay, losses: Losses): number {
  const [one, other] = [kept(told, losses), kept(imported, losses)];
  const at = one.findIndex((item, index) => {
    const there = other[index];
    return !there || !isSame(item, there, losses);
  });
  return at < 0 ? one.length : at;
}

function kept({ items }: Pick<Way, 'items'>, losses: Losses): Item[] {
  const there = items.filter((item) => !isLost(item, losses));
  return inOrder(losses.resultPictures === undefined ? there : there.map(withoutPictures));
}

function withoutPictures(item: Item): Item {
  return item.kind === 'call' && item.result ? { ...item, result: { ...item.result, pictures: [] } } : item;
}

function isLost(item: Item, losses: Losses): boolean {
  return (
    (item.kind === 'reasoning' && losses.reasoning !== undefined) ||
    (item.kind === 'picture' && losses.pictures !== undefined) ||
    (item.kind === 'text' && item.isCut && losses.cut !== undefined)
  );
}

/**
 * Pictures of a question come before or after its words, and calls at once end in any order: both in one order. The
 * pictures of results follow them.
 */
function inOrder(items: readonly Item[]): Item[] {
  const flat = items.flatMap((item): Item[] => {
    if (item.kind !== 'call' || !item.result) return [item];
    const { pictures, ...result } = item.result;
    return [
      { ...item, result: { ...result, pictures: [] } },
      ...pictures.map((picture): Item => ({ kind: 'picture', picture })),
    ];
  });
  const ordered: Item[] = [];
  for (let from = 0; from < flat.length;) {
    const first = flat[from];
    if (!first) break;
    const group = groupOf(first);
    const end = flat.findIndex(
      (item, index) => index > from && (group === 'none' || groupOf(item) !== group),
    );
    const items = flat.slice(from, end < 0 ? flat.length : end);
    ordered.push(...items.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)));
    from = end < 0 ? flat.length : end;
  }
  return ordered;
}

function groupOf({ kind }: Item): 'asked' | 'called' | 'none' {
  return kind === 'question' || kind === 'picture' ? 'asked' : kind === 'call' ? 'called' : 'none';
}

function orderOf(item: Item): string {
  return item.kind === 'call'
    ? `${item.name} ${JSON.stringify(item.input)}`
    : item.kind === 'question'
      ? '0'
      : '1';
}

function isSame(said: Item, there: Item, losses: Losses): boolean {
  switch (said.kind) {
    case 'question':
      return there.kind === said.kind && withoutMention(there.text) === withoutMention(said.text);
    case 'reasoning':
      return there.kind === said.kind && there.text.trim() === said.text.trim();
    case 'summary':
      return there.kind === said.kind && there.text.includes(said.text.trim());
    case 'picture':
      return there.kind === said.kind && isDeepStrictEqual(there.picture, said.picture);
    case 'text':
      return (
        there.kind === said.kind &&
        there.text.trim() === said.text.trim() &&
        (there.model === said.model ||
          losses.models !== undefined ||
          (said.isCut && losses.cutModel !== undefined)) &&
        (there.isCut === said.isCut || losses.cutMark !== undefined)
      );
    case 'call':
      return (
        there.kind === said.kind &&
        there.name === said.name &&
        isSameInput(said.input, there.input) &&
        isSameResult(said, there)
      );
  }
}

/** A picture may be asked about by its name. */
function withoutMention(text: string): string {
  return text.replaceAll(`@${PICTURE}`, '').trim();
}

/** A program may add defaults to an input, and keep one that is a text as a member. */
function isSameInput(said: unknown, there: unknown): boolean {
  if (typeof said === 'string') return JSON.stringify(there).includes(JSON.stringify(said).slice(1, -1));
  if (typeof said !== 'object' || said === null) return isDeepStrictEqual(said, there);
  if (typeof there !== 'object' || there === null) return false;
  return Object.entries(said).every(([name, value]) =>
    isDeepStrictEqual(value, (there as Record<string, unknown>)[name]),
  );
}

type CallItem = Extract<Item, { kind: 'call' }>;

/** What a program keeps of a result may be more than it tells the model, or be wrapped. */
function isSameResult({ result: said }: CallItem, { result: there }: CallItem): boolean {
  if (!said) return true;
  if (!there) return false;
  if (said.isError !== undefined && said.isError !== (there.isError ?? false)) return false;
  const [one, other] = [words(said.text), words(there.text)];
  return one === other || (one !== '' && (other.includes(one) || (other !== '' && one.includes(other))));
}

/** Without what JSON and line numbers do to white space. */
function words(text: string): string {
  return text
    .replaceAll(/\\[nrt]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function shown(item: Item): string {
  const text = JSON.stringify(item);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
