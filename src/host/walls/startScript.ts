/**
 * What of the environment leads out of a sandbox, or is a secret; each may have `*` at its ends. Those of VS Code are for
 * its own shells, and name its sockets.
 */
const unset: readonly string[] = [
  ...[
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'GPG_AGENT_INFO',
    'DBUS_*',
    'XDG_RUNTIME_DIR',
    'DISPLAY',
    'WAYLAND_*',
  ],
  ...[
    'XAUTHORITY',
    'DOCKER_*',
    'CONTAINER_HOST',
    'BUILDKIT_HOST',
    'TMUX',
    'TMUX_PANE',
    'STY',
    'NVIM',
    'PULSE_SERVER',
  ],
  ...['VSCODE_*', 'ELECTRON_*', 'GIT_ASKPASS', 'SSH_ASKPASS', 'GNOME_KEYRING_CONTROL', 'KUBECONFIG'],
  ...[
    '*TOKEN*',
    '*SECRET*',
    '*PASSWORD*',
    '*PASSWD*',
    '*PASSPHRASE*',
    '*CREDENTIAL*',
    '*_KEY',
    '*APIKEY*',
    '*_PAT',
  ],
  ...[
    '*token*',
    '*secret*',
    '*password*',
    '*credential*',
    '*apikey*',
    'PGPASS*',
    'AWS_*',
    'AZURE_*',
    'DATABASE_URL',
    '*_PROXY',
    '*_proxy',
  ],
];

/**
 * A program of POSIX `sh` that starts what it is given behind the wall. It starts no other program before: those on the
 * user's path may be files that an earlier command has written.
 * @param wall what sets up the wall, as a command of `sh` that may end with redirections; `"$@"` is what it starts
 */
export function startScript(wall: string): string {
  return `offshoot_names=$(export -p | while IFS= read -r offshoot_line; do
  offshoot_line=\${offshoot_line#export }
  offshoot_line=\${offshoot_line#declare -x }
  offshoot_line=\${offshoot_line%%=*}
  case $offshoot_line in
    *[!A-Za-z0-9_]* | '' | [0-9]*) ;;
    ${unset.join(' | ')}) printf '%s ' "$offshoot_line" ;;
  esac
done)
for offshoot_name in $offshoot_names; do unset "$offshoot_name"; done
unset offshoot_names offshoot_name
${wall}
`;
}

/** As one word of `sh`. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
