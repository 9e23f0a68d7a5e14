import type { LanguageFn } from 'highlight.js';

type Grammar = () => Promise<{ readonly default: LanguageFn }>;

// Grammars that are used together, or are small, share a file.
const web = () => import('./grammars/web.ts');
const styles = () => import('./grammars/styles.ts');
const c = () => import('./grammars/c.ts');
const jvm = () => import('./grammars/jvm.ts');
const shells = () => import('./grammars/shells.ts');
const functional = () => import('./grammars/functional.ts');
const numeric = () => import('./grammars/numeric.ts');
const scripts = () => import('./grammars/scripts.ts');
const servers = () => import('./grammars/servers.ts');
const dotnet = () => import('./grammars/dotnet.ts');
const native = () => import('./grammars/native.ts');
const documents = () => import('./grammars/documents.ts');
const apps = () => import('./grammars/apps.ts');
const data = () => import('./grammars/data.ts');

/** Loaded when an answer has code in that language, each from a separate file or that of its family. */
const GRAMMARS = {
  bash: async () => ({ default: (await shells()).bash }),
  c: async () => ({ default: (await c()).c }),
  clojure: async () => ({ default: (await functional()).clojure }),
  cmake: async () => ({ default: (await servers()).cmake }),
  cpp: async () => ({ default: (await c()).cpp }),
  csharp: async () => ({ default: (await dotnet()).csharp }),
  css: async () => ({ default: (await web()).css }),
  dart: async () => ({ default: (await apps()).dart }),
  diff: async () => ({ default: (await data()).diff }),
  dockerfile: async () => ({ default: (await servers()).dockerfile }),
  dos: async () => ({ default: (await shells()).dos }),
  elixir: async () => ({ default: (await functional()).elixir }),
  erlang: async () => ({ default: (await functional()).erlang }),
  fsharp: async () => ({ default: (await functional()).fsharp }),
  go: async () => ({ default: (await native()).go }),
  gradle: async () => ({ default: (await jvm()).gradle }),
  graphql: async () => ({ default: (await data()).graphql }),
  groovy: async () => ({ default: (await jvm()).groovy }),
  haskell: async () => ({ default: (await functional()).haskell }),
  http: async () => ({ default: (await servers()).http }),
  ini: async () => ({ default: (await data()).ini }),
  java: async () => ({ default: (await jvm()).java }),
  javascript: async () => ({ default: (await web()).javascript }),
  json: async () => ({ default: (await data()).json }),
  julia: async () => ({ default: (await numeric()).julia }),
  kotlin: async () => ({ default: (await jvm()).kotlin }),
  latex: async () => ({ default: (await documents()).latex }),
  less: async () => ({ default: (await styles()).less }),
  lisp: async () => ({ default: (await functional()).lisp }),
  lua: async () => ({ default: (await scripts()).lua }),
  makefile: async () => ({ default: (await servers()).makefile }),
  markdown: async () => ({ default: (await documents()).markdown }),
  matlab: async () => ({ default: (await numeric()).matlab }),
  nginx: async () => ({ default: (await servers()).nginx }),
  nix: async () => ({ default: (await servers()).nix }),
  objectivec: async () => ({ default: (await c()).objectivec }),
  ocaml: async () => ({ default: (await functional()).ocaml }),
  perl: async () => ({ default: (await scripts()).perl }),
  php: async () => ({ default: (await scripts()).php }),
  powershell: async () => ({ default: (await shells()).powershell }),
  protobuf: async () => ({ default: (await data()).protobuf }),
  python: async () => ({ default: (await numeric()).python }),
  r: async () => ({ default: (await numeric()).r }),
  ruby: async () => ({ default: (await scripts()).ruby }),
  rust: async () => ({ default: (await native()).rust }),
  scala: async () => ({ default: (await jvm()).scala }),
  scheme: async () => ({ default: (await functional()).scheme }),
  scss: async () => ({ default: (await styles()).scss }),
  shell: async () => ({ default: (await shells()).shell }),
  sql: async () => ({ default: (await data()).sql }),
  swift: async () => ({ default: (await apps()).swift }),
  typescript: async () => ({ default: (await web()).typescript }),
  vbnet: async () => ({ default: (await dotnet()).vbnet }),
  verilog: async () => ({ default: (await native()).verilog }),
  vim: async () => ({ default: (await scripts()).vim }),
  wasm: async () => ({ default: (await native()).wasm }),
  xml: async () => ({ default: (await web()).xml }),
  yaml: async () => ({ default: (await data()).yaml }),
} satisfies Record<string, Grammar>;

export type Language = keyof typeof GRAMMARS;

const NAMES: Partial<Record<Language, string>> = {
  bash: 'sh zsh fish ksh',
  c: 'h',
  clojure: 'clj cljs edn',
  cpp: 'c++ cc cxx hpp hxx hh ino',
  csharp: 'c# cs',
  diff: 'patch',
  dockerfile: 'docker containerfile',
  dos: 'bat batch cmd',
  elixir: 'ex exs',
  erlang: 'erl',
  fsharp: 'f# fs fsx',
  go: 'golang',
  graphql: 'gql',
  haskell: 'hs',
  http: 'https',
  ini: 'toml conf cfg properties dotenv env editorconfig',
  java: 'jsp',
  javascript: 'js jsx mjs cjs node',
  json: 'jsonc json5 jsonl ndjson ipynb',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex',
  lisp: 'elisp emacs-lisp el',
  makefile: 'make mk',
  markdown: 'md mdx mkd',
  nginx: 'nginxconf',
  objectivec: 'objc obj-c mm objective-c',
  ocaml: 'ml',
  perl: 'pl pm',
  php: 'php5 php7 php8',
  powershell: 'ps1 ps pwsh',
  protobuf: 'proto',
  python: 'py py3 python3 gyp pyi starlark bzl',
  ruby: 'rb gemspec rake irb',
  rust: 'rs',
  scheme: 'scm racket',
  scss: 'sass',
  shell: 'console shellsession terminal',
  sql: 'mysql postgres postgresql pgsql sqlite plsql tsql',
  typescript: 'ts tsx mts cts deno',
  vbnet: 'vb',
  verilog: 'v sv systemverilog',
  vim: 'viml vimscript',
  wasm: 'wat',
  xml: 'html htm xhtml svg vue svelte astro rss atom plist xsd xsl xslt wsdl',
  yaml: 'yml',
};

const INSIDE: Partial<Record<Language, readonly Language[]>> = {
  javascript: ['xml'],
  markdown: ['xml'],
  shell: ['bash'],
  typescript: ['xml'],
  xml: ['css', 'javascript'],
};

const languages = new Map<string, Language>(
  (Object.keys(GRAMMARS) as Language[]).flatMap((language) => [
    [language, language],
    ...(NAMES[language]?.split(' ') ?? []).map((name) => [name, language] as const),
  ]),
);

/** By the name after its fence; undefined where there is no grammar for it. */
export function languageOf(name: string): Language | undefined {
  return languages.get(name.toLowerCase());
}

export async function loadGrammars(language: Language): Promise<readonly [Language, LanguageFn][]> {
  const all: Language[] = [language, ...(INSIDE[language] ?? [])];
  return Promise.all(
    all.map(async (each): Promise<[Language, LanguageFn]> => [each, (await GRAMMARS[each]()).default]),
  );
}
