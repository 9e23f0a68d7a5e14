/** A program and its arguments. */
export type Words = readonly [program: string, ...args: string[]];

/** Programs that run what their arguments, their input or a file says: shells, interpreters, and what starts others. */
const always = new Set(
  [
    'sh bash zsh dash ksh mksh fish csh tcsh pwsh powershell cmd busybox toybox rbash elvish nu xonsh',
    'env xargs parallel sudo su doas run0 pkexec nohup time timeout nice ionice taskset chroot unshare nsenter setsid',
    'stdbuf script expect watch entr strace ltrace gdb lldb perf valgrind flock setarch linux32 linux64 systemd-run at',
    'batch crontab ssh scp sftp rsync screen tmux dtach docker podman nerdctl kubectl vagrant wsl flatpak snap',
    'eval exec source . command builtin trap alias unalias export declare typeset local readonly set shopt setopt enable',
    'hash bind complete read mapfile coproc function unset cd pushd popd umask ulimit type which noglob nocorrect',
    'node nodejs deno bun tsx ts-node npx pnpx bunx python python2 python3 pypy pypy3 ipython uvx pipx poetry ruby irb',
    'perl php lua luajit tclsh wish r rscript julia groovy scala kotlin java jshell osascript awk gawk mawk nawk sed ed ex',
    'vi vim nvim view emacs nano less more man most pager gpg openssl socat nc ncat telnet ftp mail make',
  ]
    .join(' ')
    .split(' '),
);

/** Options and words by which other programs run what they are given, or write where they are told. */
const byArgument: Readonly<Record<string, readonly string[]>> = {
  find: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  fd: ['-x', '--exec', '-X', '--exec-batch'],
  rg: ['--pre', '--hostname-bin'],
  tar: [
    '--to-command',
    '--checkpoint-action',
    '-I',
    '--use-compress-program',
    '-F',
    '--info-script',
    '--rsh-command',
  ],
  sort: ['--compress-program', '-o', '--output'],
  zip: ['-T', '-TT', '--unzip-command'],
  npm: [
    'exec',
    'x',
    'init',
    'create',
    'config',
    'c',
    'set',
    'explore',
    'edit',
    '--prefix',
    '-C',
    '--script-shell',
  ],
  pnpm: ['exec', 'dlx', 'create', 'config', 'c', '--dir', '-C', '--script-shell'],
  yarn: ['exec', 'dlx', 'create', 'config', '--cwd', 'node'],
  cargo: ['--config', '-Z'],
  go: ['run', 'generate', 'env', '-exec', '-toolexec'],
};

/** Of git, what neither runs other programs by itself nor may be an alias. */
const gitCommands = new Set(
  [
    'status log diff show add commit branch checkout switch restore stash fetch pull push merge rebase reset tag',
    'rev-parse rev-list ls-files ls-tree blame grep describe mv rm cherry-pick revert clean shortlog reflog cat-file',
  ]
    .join(' ')
    .split(' '),
);

const gitOptions = [
  ...[
    '--exec',
    '-x',
    '--ext-diff',
    '--textconv',
    '--open-files-in-pager',
    '-O',
    '--upload-pack',
    '--receive-pack',
  ],
  ...[
    '--output',
    '--strategy',
    '-s',
    '--gpg-sign',
    '-S',
    '--interactive',
    '-i',
    '--edit',
    '-e',
    '--config',
    '-c',
  ],
];

/** Whether a program runs others that its arguments, its input or a file names. */
export function runsOthers([program, ...args]: Words): boolean {
  const name = program.toLowerCase();
  if (always.has(name) || isVersioned(name)) return true;
  if (name === 'git') return gitRunsOthers(args);
  const options = byArgument[name];
  return options !== undefined && args.some((arg) => options.some((option) => isOption(arg, option)));
}

/** Options of git itself come before the command: they change what it runs. */
function gitRunsOthers([command = '', ...args]: readonly string[]): boolean {
  return !gitCommands.has(command) || args.some((arg) => gitOptions.some((option) => isOption(arg, option)));
}

/** `--exec` is found in `--exec=ls` and in `--ex`, as programs take it; `-x` in `-xls`. */
function isOption(arg: string, option: string): boolean {
  const [name = ''] = arg.split('=');
  if (name === option) return true;
  if (option.startsWith('--')) return name.length > 3 && name.startsWith('--') && option.startsWith(name);
  return option.length === 2 && option.startsWith('-') && arg.startsWith(option);
}

/** As `python3.12` is. */
function isVersioned(name: string): boolean {
  const base = name.replace(/[-.\d]+$/, '');
  return base !== name && base !== '' && always.has(base);
}
