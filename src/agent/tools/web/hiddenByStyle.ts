/** What colors text has, and stands on, as far as the styles of the elements around it say. */
export interface Ground {
  readonly text?: string | undefined;
  readonly behind?: string | undefined;
}

/** The longest style that is looked at, in UTF-16 units. */
const MAX_STYLE = 2_000;

/** Declarations with which nothing is seen, by their property. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none$/u,
  visibility: /^(?:hidden|collapse)$/u,
  'content-visibility': /^hidden$/u,
  opacity: /^(?=.)0*(?:\.0\d*)?%?$/u,
  'font-size': /^(?=.)(?:0*(?:\.\d+)?(?:px|pt|%)?|0*(?:\.[01]\d*)?r?em|1px)$/u,
  'text-indent': /^-\d{3,}/u,
  left: /^-\d{4,}/u,
  right: /^-\d{4,}/u,
  top: /^-\d{4,}/u,
  clip: /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]/u,
  'clip-path': /^(?:inset\((?:50|100)%|circle\(0)/u,
  transform: /^scale\(0\)/u,
  color: /^transparent$/u,
};

/** Nothing fits into these, where what does not fit is cut off. */
const NO_ROOM = /^[01](?:\.0+)?(?:px|r?em|%)?$/u;
const SIZES = ['width', 'height', 'max-width', 'max-height'];

/** What a style of an element's own makes of the text in it. */
export function hiddenByStyle(style: string, around: Ground): Ground & { readonly isHidden: boolean } {
  if (style === '') return { ...around, isHidden: false };
  const declared = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE).toLowerCase().split(';')) {
    const at = declaration.indexOf(':');
    if (at < 0) continue;
    const value = declaration.slice(at + 1).replace('!important', '');
    declared.set(declaration.slice(0, at).trim(), value.trim());
  }
  const own = declared.get('background-color') ?? firstWord(declared.get('background'));
  const text = plainColor(declared.get('color')) ?? around.text;
  const behind = own === undefined ? around.behind : plainColor(own);
  const isHidden =
    [...declared].some(([property, value]) => HIDING[property]?.test(value) ?? false) ||
    (declared.get('overflow') === 'hidden' && SIZES.some((size) => NO_ROOM.test(declared.get(size) ?? '')));
  return { text, behind, isHidden: isHidden || isUnseen(text, behind, own !== undefined) };
}

/** Where no ground is named, that of a page is white. */
function isUnseen(text: string | undefined, behind: string | undefined, hasGround: boolean): boolean {
  return text !== undefined && (behind ?? (hasGround ? undefined : 'white')) === text;
}

const firstWord = (value: string | undefined): string | undefined => value?.split(/\s(?![^(]*\))/u)[0];

/** The ways in which white and black are written come to the same; other colors stay as they are. */
function plainColor(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || /^(?:inherit|initial|unset|currentcolor|var\()/u.test(value))
    return undefined;
  const color = value.replaceAll(/\s+/gu, '');
  if (/^(?:white|#f{3,4}|#f{6}|#f{8}|rgba?\(255,255,255(?:,1)?\))$/u.test(color)) return 'white';
  return /^(?:black|#0{3}|#0{6}|rgba?\(0,0,0(?:,1)?\))$/u.test(color) ? 'black' : color;
}
