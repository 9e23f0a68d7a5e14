export type Words = readonly [program: string, ...args: string[]];

/** Programs that run what their arguments, their input or a file contains: shells, interpreters, and launchers. */
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

/** Options and words that make other programs run their input, or write to a given path. */
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

/** Git commands that run no other programs on their own and cannot be aliases. */
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

export function runsOthers([program, ...args]: Words): boolean {
  const name = program.toLowerCase();
  if (always.has(name) || isVersioned(name)) return true;
  if (name === 'git') return gitRunsOthers(args);
  const options = byArgument[name];
  return options !== undefined && args.some((arg) => options.some((option) => isOption(arg, option)));
}

/** Git's own options come before the command: they change what it runs. */
function gitRunsOthers([command = '', ...args]: readonly string[]): boolean {
  return !gitCommands.has(command) || args.some((arg) => gitOptions.some((option) => isOption(arg, option)));
}

/** `--exec` matches `--exec=ls` and `--ex`, as programs accept it; `-x` matches `-xls`. */
function isOption(arg: string, option: string): boolean {
  const [name = ''] = arg.split('=');
  if (name === option) return true;
  if (option.startsWith('--')) return name.length > 3 && name.startsWith('--') && option.startsWith(name);
  return option.length === 2 && option.startsWith('-') && arg.startsWith(option);
}

/** As in `python3.12`. */
function isVersioned(name: string): boolean {
  const base = name.replace(/[-.\d]+$/, '');
  return base !== name && base !== '' && always.has(base);
}
