import { isHiddenCharacter, spelledOut } from '../../base/hiddenCharacters.ts';

/** Scripts with letters that look like those of English; others cannot be mistaken for it. */
const LOOKALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Georgian}\p{Script=Deseret}\p{Script=Osage}]/u;

/** Unassigned characters and unusual spaces. Characters that are always hidden are handled elsewhere. */
const UNSEEN = /[\p{C}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/u;

/** Marks that look like those of a path: full stops, slashes, colons, hyphens. */
const LOOKALIKE_MARK =
  /[\u2024\u2025\u2026\u3002\uff0e\uff61\u0660\u06f0\u2044\u2215\u29f8\u2571\uff0f\u29f5\u29f9\ufe68\uff3c\u02d0\u0589\u05c3\u2236\ua789\uff1a\u2010-\u2015\u2212\u30fb]/u;

/** Spells out characters that look like others, as in `src/g‹U+0433›eet.ts`. */
export function trueName(path: string): string {
  return path
    .split('/')
    .map((part) =>
      Array.from(part, (letter) => (passes(letter, part) ? letter : spelledOut(letter))).join(''),
    )
    .join('/');
}

function passes(letter: string, part: string): boolean {
  if (letter <= '\u007e' && letter >= ' ') return true;
  if (isHiddenCharacter(letter.codePointAt(0) ?? 0)) return false;
  if (UNSEEN.test(letter) || LOOKALIKE_MARK.test(letter)) return false;
  // Accented letters are accepted; `ɑ`, `ı` and the mathematical ones are not.
  if (/\p{Script=Latin}/u.test(letter)) return /^[a-z]/i.test(letter.normalize('NFD'));
  if (letter.normalize('NFKC') !== letter) return false;
  if (!LOOKALIKE.test(letter)) return true;
  // A name entirely in Greek or Cyrillic is accepted, unless each of its letters could be English.
  const stem = part.replace(/\.[a-z0-9]{1,10}$/i, '');
  return !/[a-z]/i.test(stem) && /[бгджзилмнпфцчшщъыьэюяґєїљњћђγδθλξπσφψω]/iu.test(stem);
}
