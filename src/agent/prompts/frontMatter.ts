import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';

/** The longest front matter, in UTF-16 units: real files have a few hundred. */
export const MAX_FRONT_MATTER = 10_000;

/** The block between two lines of `---` at the beginning of a Markdown file, and the text after it. */
export interface FrontMatter {
  /** By key; values are strings, or lists and maps of strings. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** Undefined when it is valid, else the parser's message. */
  readonly problem: string | undefined;
  readonly body: string;
}

const OPENING = /^\uFEFF?---[ \t]*\r?\n/u;
const CLOSING = /^---[ \t]*$/mu;

/** Globs are often written without quotes, which YAML reads as an alias; a line with nothing else is unambiguous. */
const BARE_GLOB = /^(applyTo:[ \t]*)(\*[^\n'"#]*)$/mu;

/** Descriptions are often written without quotes and with a colon, which YAML reads as another key. */
const BARE_COLON =
  /^(description:[ \t]+)([^\s"'|>[\]{}#&*!%@`](?:(?! #)[^\n])*:(?:[ \t](?:(?! #)[^\n])*)?)$/gmu;

/** Untrusted: all scalars are read as text, so that tags and merge keys have no effect; aliases are refused. */
export function readFrontMatter(source: string): FrontMatter {
  const [opening] = OPENING.exec(source) ?? [];
  if (opening === undefined) return { fields: new Map(), problem: undefined, body: source };
  const rest = source.slice(opening.length);
  const end = CLOSING.exec(rest.slice(0, MAX_FRONT_MATTER));
  if (!end) {
    const problem =
      rest.length > MAX_FRONT_MATTER
        ? `longer than ${MAX_FRONT_MATTER} characters`
        : 'the closing --- is missing';
    return { fields: new Map(), problem, body: source };
  }
  const body = rest.slice(end.index + end[0].length).replace(/^\r?\n/u, '');
  return { ...fieldsOf(rest.slice(0, end.index)), body };
}

function fieldsOf(yaml: string): Pick<FrontMatter, 'fields' | 'problem'> {
  if (yaml.trim() === '') return { fields: new Map(), problem: undefined };
  try {
    const quoted = yaml
      .replaceAll('\r\n', '\n')
      .replace(BARE_GLOB, '$1"$2"')
      .replaceAll(BARE_COLON, (_, key: string, text: string) => `${key}'${text.replaceAll("'", "''")}'`);
    const read = load(quoted, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 4 });
    if (typeof read !== 'object' || read === null || Array.isArray(read)) {
      return { fields: new Map(), problem: 'expected lines of the form “key: value”' };
    }
    return { fields: new Map(Object.entries(read)), problem: undefined };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { fields: new Map(), problem: error.reason };
  }
}
