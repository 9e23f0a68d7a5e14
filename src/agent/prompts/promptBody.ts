/** An input of a prompt: `${input:name:placeholder}`. */
export interface PromptInput {
  readonly name: string;
  readonly placeholder: string | undefined;
}

const VARIABLE = /\$\{(input:)?([A-Za-z][\w-]*)(?::([^{}\n]*))?\}/gu;

/** How many inputs are asked for, and how many files are sent. */
export const MAX_INPUTS = 10;
export const MAX_LINKS = 10;

export function inputsOf(body: string): PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, isInput, name = '', placeholder] of body.matchAll(VARIABLE)) {
    if (isInput === undefined) continue;
    if (!inputs.has(name)) inputs.set(name, { name, placeholder: placeholder?.trim() });
    else if (placeholder !== undefined && inputs.get(name)?.placeholder === undefined)
      inputs.set(name, { name, placeholder: placeholder.trim() });
  }
  return [...inputs.values()].slice(0, MAX_INPUTS);
}

/** By input: `name=value other=value` if the text begins like that, else all of it for the first input. */
export function givenInputs(inputs: readonly PromptInput[], rest: string): Map<string, string> {
  const [first] = inputs;
  const text = rest.trim();
  if (!first || text === '') return new Map();
  const names = inputs.map(({ name }) => name);
  const begins = [...text.matchAll(/(?:^|\s)([A-Za-z][\w-]*)=/gu)].filter(([, name = '']) =>
    names.includes(name),
  );
  if (begins[0]?.index !== 0) return new Map([[first.name, text]]);
  return new Map(
    begins.map((found, at) => {
      const [whole, name = ''] = found;
      const value = text.slice(found.index + whole.length, begins[at + 1]?.index).trim();
      return [name, /^(["']).*\1$/su.test(value) && value.length > 1 ? value.slice(1, -1) : value];
    }),
  );
}

/** Fills the body's variables in one pass: values are not expanded again. Unknown variables stay. */
export function fillBody(
  body: string,
  inputs: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): string {
  return body.replaceAll(VARIABLE, (whole: string, isInput: string | undefined, name: string) => {
    return (isInput === undefined ? variables.get(name) : inputs.get(name)) ?? whole;
  });
}

/** The variables a body uses, except its inputs. */
export function variablesOf(body: string): Set<string> {
  return new Set(
    [...body.matchAll(VARIABLE)].flatMap(([, isInput, name = '']) => (isInput === undefined ? [name] : [])),
  );
}

const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gmu;
const LINK =
  /\]\(\s*<?([^()\s<>]{1,1000})>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)|(?:^|\s)#file:(\S{1,1000})/gu;

/** The workspace files that a body links to, as written, each once; links in code do not count. */
export function linksOf(body: string): string[] {
  const links = [...withoutFences(body).matchAll(LINK)].map(([, link, file]) => link ?? file ?? '');
  return [...new Set(links.flatMap((link) => pathOfLink(link) ?? []))];
}

/** A Markdown text without its fenced code. */
export function withoutFences(text: string): string {
  return text.replaceAll(FENCED, '');
}

/** Undefined for URLs and anchors in the same text. */
function pathOfLink(link: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/iu.test(link)) return undefined;
  const [path = ''] = link.split(/[?#]/u);
  try {
    return path === '' ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The target of a link from a folder, both below the workspace folder; undefined if it leads out of it. */
export function linkedPath(from: string, link: string): string | undefined {
  const parts = link.startsWith('/') ? [] : from.split('/').filter((part) => part !== '');
  for (const part of link.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
