// Reads the `when` clauses of package.json as VS Code does, as far as the clauses there go.

/** @typedef {import('./when-clause.mjs').When} When */

const token = /\s*(\|\||&&|[()]|==|!=|=~|!|'[^']*'|\/(?:\\.|[^/\\])+\/|[\w.:-]+)/y;

/** @param {string} text */
function tokensOf(text) {
  const tokens = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) throw new Error(`This clause cannot be read: ${text}`);
    tokens.push(found);
  }
  return tokens;
}

/**
 * @param {string} text
 * @returns {When}
 */
export function parseWhen(text) {
  const tokens = tokensOf(text);
  const next = () => {
    const found = tokens.shift();
    if (found === undefined) throw new Error(`This clause ends too early: ${text}`);
    return found;
  };
  /**
   * @param {'and' | 'or'} kind
   * @param {string} operator
   * @param {() => When} part
   * @returns {When}
   */
  const series = (kind, operator, part) => {
    const first = part();
    if (tokens[0] !== operator) return first;
    const of = [first];
    while (tokens[0] === operator) {
      next();
      of.push(part());
    }
    return { kind, of };
  };
  /** @returns {When} */
  const either = () => series('or', '||', all);
  /** @returns {When} */
  const all = () => series('and', '&&', single);
  /** @returns {When} */
  const single = () => {
    const first = next();
    if (first === '!') return { kind: 'not', of: single() };
    if (first === '(') {
      const inner = either();
      if (next() !== ')') throw new Error(`A parenthesis is not closed: ${text}`);
      return inner;
    }
    if (!/^\w/.test(first)) throw new Error(`A key is missing before ${first}: ${text}`);
    return comparison(first);
  };
  /**
   * @param {string} key
   * @returns {When}
   */
  const comparison = (key) => {
    switch (tokens[0]) {
      case '==':
        next();
        return { kind: 'equals', key, value: plain(next()) };
      case '!=':
        next();
        return { kind: 'not', of: { kind: 'equals', key, value: plain(next()) } };
      case '=~':
        next();
        return { kind: 'matches', key, pattern: new RegExp(next().slice(1, -1)) };
      default:
        return key === 'true' || key === 'false'
          ? { kind: 'constant', value: key === 'true' }
          : { kind: 'key', key };
    }
  };
  const when = either();
  if (tokens.length > 0) throw new Error(`What follows ${tokens[0]} cannot be read: ${text}`);
  return when;
}

/** @param {string} value */
function plain(value) {
  return value.startsWith("'") ? value.slice(1, -1) : value;
}

/**
 * @param {When} when
 * @returns {string[]}
 */
export function keysOf(when) {
  switch (when.kind) {
    case 'constant':
      return [];
    case 'key':
    case 'equals':
    case 'matches':
      return [when.key];
    case 'not':
      return keysOf(when.of);
    case 'and':
    case 'or':
      return when.of.flatMap(keysOf);
  }
}

/**
 * @param {When} when
 * @param {ReadonlyMap<string, string | boolean>} values
 * @returns {boolean}
 */
export function holds(when, values) {
  switch (when.kind) {
    case 'constant':
      return when.value;
    case 'key':
      return Boolean(values.get(when.key));
    case 'equals':
      return String(values.get(when.key) ?? '') === when.value;
    case 'matches':
      return when.pattern.test(String(values.get(when.key) ?? ''));
    case 'not':
      return !holds(when.of, values);
    case 'and':
      return when.of.every((part) => holds(part, values));
    case 'or':
      return when.of.some((part) => holds(part, values));
  }
}
