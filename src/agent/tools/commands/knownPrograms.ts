import { protectionOf } from '../../../host/protectedFiles.ts';

export type Words = readonly [program: string, ...args: string[]];

/** Programs that run what their arguments, their input or a file contains: no answer for later covers them. */
const runners = new Set(
  [
    'sh bash zsh dash ksh mksh fish csh tcsh pwsh powershell cmd busybox toybox rbash elvish nu xonsh',
    'env xargs parallel sudo su doas run0 pkexec nohup time timeout nice ionice taskset chroot unshare nsenter setsid',
    'stdbuf script expect watch entr strace ltrace gdb lldb perf valgrind flock setarch linux32 linux64 systemd-run at',
    'batch crontab ssh scp sftp rsync screen tmux dtach docker podman nerdctl kubectl vagrant wsl flatpak snap',
    'eval exec source . command builtin trap alias unalias export declare typeset local readonly set shopt setopt enable',
    'hash bind complete read mapfile coproc function unset cd pushd popd umask ulimit type which noglob nocorrect let',
    'node nodejs deno bun tsx ts-node npx pnpx bunx python python2 python3 pypy pypy3 ipython uvx pipx poetry ruby irb',
    'perl php lua luajit tclsh wish r rscript julia groovy scala kotlin java jshell osascript awk gawk mawk nawk sed ed ex',
    'vi vim nvim view emacs nano less more man most pager gpg openssl socat nc ncat telnet ftp mail make',
  ]
    .join(' ')
    .split(' '),
);

/** No option of theirs, nor anything else they are given, runs a program or writes a file. */
const anyOption =
  'ls cat tac head wc nl echo pwd true false stat du df cmp diff comm cut tr rev fold expand unexpand paste join od ' +
  'hexdump strings md5sum sha1sum sha256sum sha512sum b2sum cksum seq sleep whoami id uname nproc uptime ps basename ' +
  'dirname realpath readlink tail grep egrep fgrep';

/**
 * What is known to do no harm with these options alone, and with any words that are none: it only reads, or runs what
 * belongs to the project. Others of its options may run programs or write files. After the program stand those of its
 * own commands that this is known of, one of which must come first.
 */
const someOptions: Readonly<Record<string, string>> = {
  test: '-d -e -f -L -n -r -s -w -x -z',
  file: '-b -i -L --brief --mime --mime-type',
  base64: '-d -w --decode --wrap',
  sort: '-b -d -f -g -h -i -k -M -n -r -s -t -u -V -z --key --numeric-sort --reverse --unique --version-sort',
  tree: '-a -d -f -h -i -I -L -P -s --dirsfirst --gitignore --prune',
  jq: '-a -c -e -j -M -n -r -s -S --arg --argjson --compact-output --raw-output --slurp --sort-keys',
  find:
    '-a -not -o -type -name -iname -path -ipath -regex -iregex -maxdepth -mindepth -size -empty -newer -mtime -mmin ' +
    '-perm -user -group -prune -print -print0 -ls -xdev -true -false -quit',
  fd: '-a -d -e -E -g -H -i -I -L -p -s -t --exclude --extension --glob --hidden --max-depth --no-ignore --type',
  rg:
    '-a -A -B -C -c -e -f -F -g -h -H -i -I -l -L -m -n -N -o -p -P -s -S -t -T -u -U -v -w -x -0 --after-context ' +
    '--before-context --context --count --files --files-with-matches --fixed-strings --glob --heading --hidden ' +
    '--ignore-case --iglob --json --line-number --max-count --max-depth --multiline --no-heading --no-ignore ' +
    '--no-line-number --only-matching --pcre2 --regexp --smart-case --sort --stats --type --type-not --word-regexp',
  'git status log diff show ls-files ls-tree blame describe rev-parse rev-list shortlog cat-file':
    '-a -b -c -G -L -M -n -p -q -r -s -S -t -u -v -w -z --abbrev-commit --abbrev-ref --after --all --author --before ' +
    '--branch --cached --check --color --committer --date --decorate --diff-filter --exclude-standard --find-renames ' +
    '--first-parent --follow --format --graph --grep --ignore-all-space --ignored --max-count --merges --name-only ' +
    '--name-status --no-color --no-merges --no-patch --no-renames --numstat --oneline --others --patch --porcelain ' +
    '--pretty --quiet --reverse --short --shortstat --show-current --show-toplevel --since --staged --stat --summary ' +
    '--symbolic-full-name --tags --unified --until --untracked-files --verify --word-diff',
  'git branch': '-a -r -v --all --list --merged --no-merged --remotes --show-current --verbose',
  'git grep': '-A -B -C -c -E -e -F -h -H -i -I -l -n -P -v -w --cached --count --ignore-case --line-number',
  'git add': '-A -n -u -v --all --dry-run --update --verbose',
  'git commit': '-a -m -q -v --all --amend --message --no-edit --quiet',
  'npm test t run run-script ls outdated':
    '-s -w -ws --depth --if-present --ignore-scripts --include-workspace-root --json --loglevel --long --silent ' +
    '--workspace --workspaces',
  'pnpm test t run ls': '--json --long --silent',
  'yarn test': '--silent',
  'cargo build check clippy doc metadata test tree':
    '-F -j -p -q -r -v --all --all-features --all-targets --bin --bins --doc --example --examples --features ' +
    '--frozen --lib --locked --no-deps --no-default-features --no-fail-fast --no-run --offline --package --quiet ' +
    '--release --test --tests --verbose --workspace',
  'go build list test version vet':
    '-bench -benchmem -count -cover -failfast -json -m -parallel -race -run -short -timeout -v',
  'tsc --noEmit': '--noEmit --pretty',
  eslint: '--cache --color --ext --fix --max-warnings --no-color --quiet',
  prettier: '-c -l --check --list-different',
  jest: '-i -t --bail --ci --coverage --runInBand --silent --testNamePattern --verbose',
  pytest:
    '-h -k -l -m -q -rA -s -v -x --collect-only --durations --exitfirst --failed-first --ff --last-failed --lf ' +
    '--maxfail --tb --verbose',
};

/** What writes no files but those that its words name, with these options. */
const writers: Readonly<Record<string, string>> = {
  cp: '-f -i -n -p -u -v',
  ln: '-f -n -s -v',
  mkdir: '-p -v --parents',
  mv: '-f -i -n -u -v',
  rm: '-d -f -i -r -R -v --force --recursive',
  rmdir: '-p -v',
  tee: '-a',
  touch: '-a -c -m',
  truncate: '-s --size',
  uniq: '-c -d -i -u',
};

/** What writes the files that its words name, and with some options more than that. */
const allWriters = new Set([
  ...Object.keys(writers),
  ...'dd install curl wget aria2c unzip tar zip gzip gunzip xz unxz bzip2 zstd 7z patch split csplit git'.split(
    ' ',
  ),
]);

const makeFolders = new Set(['mkdir', 'rmdir']);

/** After `--` stand words for the project's own program. */
const passOn = new Set(['npm test', 'npm t', 'npm run', 'npm run-script', 'cargo test']);

/** They read further options from the file `x` that `@x` names. */
const readOptionFiles = new Set(['pytest', 'tsc']);

const harmless = new Map<string, ReadonlySet<string> | 'any'>([
  ...anyOption.split(' ').map((program) => [program, 'any'] as const),
  ...Object.entries({ ...someOptions, ...writers }).flatMap(([key, options]) => {
    const [program = '', ...own] = key.split(' ');
    const names = own.length === 0 ? [program] : own.map((each) => `${program} ${each}`);
    return names.map((name) => [name, new Set(options.split(' '))] as const);
  }),
]);

export function runsOthers([program]: Words): boolean {
  const name = program.toLowerCase();
  return runners.has(name) || runners.has(name.replace(/[-.\d]+$/u, ''));
}

/** Whether leave for the beginning of a command can cover it, since nothing that may follow there does harm. */
export function isKnownHarmless([program, ...args]: Words): boolean {
  const withOwn = `${program} ${args[0] ?? ''}`;
  const options = harmless.get(program) ?? harmless.get(withOwn);
  if (options === undefined || options === 'any') return options === 'any';
  const end = passOn.has(withOwn) ? args.indexOf('--') : -1;
  const own = end < 0 ? args : args.slice(0, end);
  if (readOptionFiles.has(program) && own.some((arg) => arg.startsWith('@'))) return false;
  // A pattern may match what is protected, and so may the files of a hidden folder.
  if (Object.hasOwn(writers, program) && own.some((arg) => /[*?]|(?:^|\/)\.[^./]/u.test(arg))) return false;
  return own.every((arg) => arg === '-' || !arg.startsWith('-') || isOneOf(arg, options));
}

/** Whole, before its `=`, or as letters in one: `-rf`, `-n5`. An abbreviation may be one of another option. */
function isOneOf(arg: string, options: ReadonlySet<string>): boolean {
  const [name = ''] = arg.split('=');
  if (arg === '--' || options.has(name)) return true;
  return (
    !arg.startsWith('--') &&
    Array.from(arg.slice(1)).every((char) => options.has(`-${char}`) || /\d/u.test(char))
  );
}

/** What a command may write, as its words name it: files and their folders, and words that only look like it. */
export function placesIn(words: Words): string[] {
  const [program, ...args] = words;
  const onlyReads = isKnownHarmless(words) && !Object.hasOwn(writers, program);
  if (onlyReads || !allWriters.has(program)) return [];
  const places = args.flatMap(valuesIn).filter((each) => each !== '');
  return makeFolders.has(program) ? places.map((each) => `${each}/.`) : places;
}

/** What an argument may name: `of=x` and `--output=x` name `x`, and so do `-ox` and `-xfox`. */
export function valuesIn(arg: string): string[] {
  const value = arg.slice(arg.indexOf('=') + 1);
  if (!arg.startsWith('-')) return [arg, value];
  if (arg.startsWith('--')) return value === arg ? [] : [value];
  const letters = /^-\w{0,12}/u.exec(arg)?.[0].length ?? 1;
  return Array.from({ length: letters - 1 }, (_, index) => arg.slice(index + 2));
}

/** Whether a place is not to be written without a question: out of the folder, or protected in it. */
export function isProtectedPlace(place: string, folder: string): boolean {
  if (/^[/~]/u.test(place) || place.split('/').includes('..')) return true;
  return protectionOf(`${folder}/${place}`) !== undefined;
}
