export interface Sum {
  /** As it was understood. */
  readonly expression: string;
  /** Undefined: it has no value, as a division by zero. */
  readonly value: number | undefined;
}

/** Longer ones are no sums that anybody types. In UTF-16 units; bounds how deep brackets go as well. */
const MAX_LENGTH = 200;

/** Looks like two differences. */
const DATE = /\b\d{4}-\d{2}-\d{2}\b/;

const LEAD =
  /^(?:(?:please )?(?:what(?:'s|’s| is| are)|how much (?:is|are)|calculate|compute|solve)\b|请?(?:计算|算一下|算))[\s:：]*/i;
const TAIL = /(?:\s*(?:是多少|等于多少|等于几|是几|=|[?？。!！.]))+$/;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdivided by\b|除以/gi, '/'],
  [/\b(?:times|multiplied by)\b|乘以?/gi, '*'],
  [/\bplus\b|加上?/gi, '+'],
  [/\bminus\b|减去?/gi, '-'],
  [/(?<=\d)\s*%\s*of\b/gi, '/100*'],
  [/(?<=\d)\s*%(?!\s*[\d(])/g, '/100'],
  [/\*\*/g, '^'],
  [/[×·∙]/g, '*'],
  [/(?<=[\d)\s])x(?=[\d(\s])/gi, '*'],
  [/÷/g, '/'],
  [/[−–]/g, '-'],
  [/（/g, '('],
  [/）/g, ')'],
  [/(?<=\d)[,，](?=\d{3}(?!\d))/g, ''],
];

/** The sum that a question consists of; undefined if it asks anything else. */
export function sumIn(question: string): Sum | undefined {
  if (question.length > MAX_LENGTH || DATE.test(question)) return undefined;
  const asked = question.trim().replace(LEAD, '').replace(TAIL, '').trim();
  const text = WORDS.reduce((sofar, [pattern, sign]) => sofar.replaceAll(pattern, sign), asked);
  const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|[-+*/%^()]|\S/g) ?? [];
  if (!tokens.slice(1).some((token) => /^[-+*/%^]$/.test(token))) return undefined;
  const reader = new SumReader(tokens);
  const value = reader.read();
  if (value === undefined) return undefined;
  return { expression: asked, value: Number.isFinite(value) ? Number(value.toPrecision(12)) : undefined };
}

/** Reads a sum by the usual rules; `%` between two numbers is the remainder. */
class SumReader {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  /** Undefined if it is none. */
  read(): number | undefined {
    const value = this.terms();
    return this.at === this.tokens.length ? value : undefined;
  }

  private take(...signs: readonly string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token === undefined || !signs.includes(token)) return undefined;
    this.at += 1;
    return token;
  }

  private terms(): number | undefined {
    let value = this.factors();
    while (value !== undefined) {
      const sign = this.take('+', '-');
      if (sign === undefined) return value;
      const next = this.factors();
      value = next === undefined ? undefined : sign === '+' ? value + next : value - next;
    }
    return value;
  }

  private factors(): number | undefined {
    let value = this.signed();
    while (value !== undefined) {
      const sign = this.take('*', '/', '%');
      if (sign === undefined) return value;
      const next = this.signed();
      if (next === undefined) return undefined;
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next;
    }
    return value;
  }

  private signed(): number | undefined {
    if (this.take('-') === undefined) return this.power();
    const value = this.signed();
    return value === undefined ? undefined : -value;
  }

  private power(): number | undefined {
    const base = this.operand();
    if (base === undefined || this.take('^') === undefined) return base;
    const exponent = this.signed();
    return exponent === undefined ? undefined : base ** exponent;
  }

  private operand(): number | undefined {
    if (this.take('(') !== undefined) {
      const value = this.terms();
      return this.take(')') === undefined ? undefined : value;
    }
    const token = this.tokens[this.at];
    if (token === undefined || !/^[\d.]/.test(token)) return undefined;
    this.at += 1;
    return Number(token);
  }
}
