/** Where programs and what they need are, on Linux. */
export const linuxPlaces: readonly string[] = [
  ...[
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/etc',
    '/opt',
    '/nix',
    '/gnu',
    '/snap',
  ],
  ...['/home/linuxbrew', '/run/current-system', '/run/opengl-driver', '/sys/devices/system/cpu'],
];

/** The same, on macOS. */
export const macPlaces: readonly string[] = [
  ...[
    '/usr',
    '/bin',
    '/sbin',
    '/etc',
    '/opt',
    '/nix',
    '/System',
    '/Library',
    '/Applications',
    '/private/etc',
  ],
  ...['/private/var/db/timezone', '/private/var/select', '/var/select', '/dev'],
];

/**
 * What of the user's own folder a program in a sandbox may read: tools, what they have downloaded, and how git is set up.
 * Everything else there is not to be found.
 */
export const toolPlaces: readonly string[] = [
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.local/share/fnm',
    '.node-gyp',
    '.npm',
    '.bun',
    '.deno',
    '.yarn',
    '.corepack',
  ],
  ...['.local/share/pnpm', '.cache/node', '.cache/ms-playwright', '.cache/Cypress', '.cache/puppeteer'],
  ...[
    '.asdf',
    '.local/share/mise',
    '.proto',
    '.nodenv',
    '.pyenv',
    '.rbenv',
    '.rvm',
    '.gem',
    '.sdkman',
    '.jenv',
  ],
  ...[
    '.local/bin',
    '.local/lib',
    '.local/share/uv',
    '.local/pipx',
    '.local/share/pipx',
    '.cache/uv',
    '.cache/pip',
  ],
  ...[
    '.conda',
    'miniconda3',
    'anaconda3',
    'miniforge3',
    '.rustup',
    '.cargo',
    'go',
    '.cache/go-build',
    '.ghcup',
  ],
  ...['.cabal', '.stack', '.opam', '.m2', '.gradle', '.ivy2', '.sbt', '.cache/coursier', '.dotnet', '.nuget'],
  ...[
    '.composer',
    '.mix',
    '.hex',
    '.elan',
    '.juliaup',
    '.swiftpm',
    '.gitconfig',
    '.config/git',
    '.tool-versions',
  ],
  ...['Library/Caches/Homebrew', 'Library/pnpm', 'Library/Python'],
];

/** The only list of places with secrets: of the user's own folder, below what may be read. */
export const secretPlaces: readonly string[] = [
  // Keys and sign-ins.
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh', '.config/hub'],
  ...[
    '.netrc',
    '_netrc',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.pgpass',
    '.my.cnf',
    '.git-credentials',
  ],
  ...['.config/git/credentials', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.bundle/config', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...['.nuget/NuGet', '.sbt/.credentials', '.ivy2/.credentials', '.composer/auth.json', '.hex/hex.config'],
  ...[
    '.terraform.d',
    '.terraformrc',
    '.vault-token',
    '.s3cfg',
    '.boto',
    '.config/rclone',
    '.config/op',
    '.oci',
  ],
  ...[
    '.password-store',
    '.local/share/keyrings',
    '.local/share/kwalletd',
    '.pki',
    '.config/sops',
    '.config/age',
  ],
  ...['.config/doctl', '.config/heroku', '.config/github-copilot', '.config/configstore', '.databrickscfg'],
  // Browsers, mail and messages.
  ...[
    '.mozilla',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/microsoft-edge',
  ],
  ...[
    '.config/vivaldi',
    '.config/opera',
    '.thunderbird',
    '.config/Signal',
    '.config/Slack',
    '.config/discord',
  ],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Safari', 'Library/Mail', 'Library/Messages'],
  ...['Library/Application Support', 'Library/Containers', 'Library/Group Containers'],
  // Editors, agents and what was typed.
  ...[
    '.vscode',
    '.vscode-oss',
    '.vscode-server',
    '.vscode-server-insiders',
    '.vscode-remote',
    '.config/Code',
  ],
  ...[
    '.config/Code - Insiders',
    '.config/VSCodium',
    '.config/Cursor',
    '.local/share/code-server',
    '.config/code-server',
  ],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.cursor', '.local/share/opencode', '.continue'],
  ...[
    '.bash_history',
    '.zsh_history',
    '.local/share/fish',
    '.python_history',
    '.node_repl_history',
    '.psql_history',
  ],
  ...['.mysql_history', '.sqlite_history', '.rediscli_history', '.lesshst', '.viminfo'],
];

/** Those of the machine. */
export const systemSecrets: readonly string[] = [
  ...[
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/gshadow',
    '/etc/gshadow-',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '/etc/ssh',
  ],
  ...['/etc/ssl/private', '/etc/pki/tls/private', '/etc/NetworkManager/system-connections', '/etc/wireguard'],
  ...['/etc/krb5.keytab', '/etc/docker', '/etc/kubernetes', '/etc/rancher', '/etc/letsencrypt'],
];
