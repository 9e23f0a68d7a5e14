import type { TokenStyle, TokenStyles } from '../../protocol/chatFromPage.ts';

export interface ThemeRule {
  readonly selectors: readonly string[];
  readonly foreground?: string | undefined;
  /** Words such as `italic` and `bold`; if empty, plain. */
  readonly fontStyle?: string | undefined;
}

/** The theme scopes of each token, the most specific first. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  keyword: ['storage.type', 'keyword.other', 'keyword'],
  control: ['keyword.control', 'keyword'],
  builtin: ['support.class', 'support.type', 'support.function'],
  type: ['entity.name.type', 'support.type', 'storage.type'],
  literal: ['constant.language'],
  number: ['constant.numeric'],
  operator: ['keyword.operator'],
  punctuation: ['punctuation'],
  property: ['support.type.property-name', 'variable.other.property', 'variable'],
  regexp: ['string.regexp', 'string'],
  string: ['string.quoted', 'string'],
  escape: ['constant.character.escape', 'constant.character'],
  symbol: ['constant.other.symbol', 'constant.other', 'constant'],
  variable: ['variable.other.readwrite', 'variable'],
  self: ['variable.language', 'variable'],
  constant: ['variable.other.constant', 'constant.other', 'variable'],
  function: ['entity.name.function', 'support.function'],
  class: ['entity.name.type.class', 'entity.name.class', 'entity.name.type'],
  parameter: ['variable.parameter', 'variable'],
  comment: ['comment.line', 'comment'],
  doctag: ['storage.type.class.jsdoc', 'comment'],
  directive: ['meta.preprocessor', 'keyword.control.directive', 'keyword.control'],
  heading: ['markup.heading', 'entity.name.section'],
  tag: ['entity.name.tag'],
  attribute: ['entity.other.attribute-name'],
  bullet: ['punctuation.definition.list.begin.markdown', 'markup.list'],
  raw: ['markup.inline.raw', 'markup.raw'],
  link: ['markup.underline.link', 'string.other.link', 'string'],
  quote: ['markup.quote', 'comment'],
  selector: ['entity.other.attribute-name.class.css', 'entity.name.tag.css', 'entity.other.attribute-name'],
  pseudo: ['entity.other.attribute-name.pseudo-class.css', 'entity.other.attribute-name'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
};

export function tokenStylesOf(rules: readonly ThemeRule[]): TokenStyles {
  const styles: Record<string, TokenStyle> = {};
  for (const [token, scopes] of Object.entries(SCOPES)) {
    const color = firstOf(scopes, (scope) => best(rules, scope, ({ foreground }) => foreground));
    const fontStyle = best(rules, scopes[0] ?? '', (rule) => rule.fontStyle) ?? '';
    const style = {
      ...(color === undefined || !isColor(color) ? {} : { color }),
      ...(fontStyle.includes('italic') ? { isItalic: true } : {}),
      ...(fontStyle.includes('bold') ? { isBold: true } : {}),
    };
    if (Object.keys(style).length > 0) styles[token] = style;
  }
  return styles;
}

function firstOf<T>(items: readonly string[], find: (item: string) => T | undefined): T | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value of the rule that matches the scope most exactly; of equally exact ones, the last. */
function best<T>(
  rules: readonly ThemeRule[],
  scope: string,
  valueOf: (rule: ThemeRule) => T | undefined,
): T | undefined {
  let found: { value: T; length: number } | undefined;
  for (const rule of rules) {
    const value = valueOf(rule);
    if (value === undefined) continue;
    for (const selector of rule.selectors) {
      const means = scope === selector || scope.startsWith(`${selector}.`);
      if (means && selector.length >= (found?.length ?? 0)) found = { value, length: selector.length };
    }
  }
  return found?.value;
}

function isColor(text: string): boolean {
  return /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text);
}
