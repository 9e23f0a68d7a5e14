/** The color of text and its background, as set by the styles of the surrounding elements. */
export interface Ground {
  readonly text?: string | undefined;
  readonly behind?: string | undefined;
}

/** The longest style that is examined, in UTF-16 units. */
const MAX_STYLE = 2_000;

/** Declarations that make content invisible, by property. */
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

/** Sizes with no room for content, if overflow is hidden. */
const NO_ROOM = /^[01](?:\.0+)?(?:px|r?em|%)?$/u;
const SIZES = ['width', 'height', 'max-width', 'max-height'];

/** The effect of an element's inline style on its text. */
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

/** If no background is set, the page's is white. */
function isUnseen(text: string | undefined, behind: string | undefined, hasGround: boolean): boolean {
  return text !== undefined && (behind ?? (hasGround ? undefined : 'white')) === text;
}

const firstWord = (value: string | undefined): string | undefined => value?.split(/\s(?![^(]*\))/u)[0];

/** Normalizes the spellings of white and black; other colors stay unchanged. */
function plainColor(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || /^(?:inherit|initial|unset|currentcolor|var\()/u.test(value))
    return undefined;
  const color = value.replaceAll(/\s+/gu, '');
  if (/^(?:white|#f{3,4}|#f{6}|#f{8}|rgba?\(255,255,255(?:,1)?\))$/u.test(color)) return 'white';
  return /^(?:black|#0{3}|#0{6}|rgba?\(0,0,0(?:,1)?\))$/u.test(color) ? 'black' : color;
}
