import path from 'node:path';

/**
 * What decides where programs are; tests make one up.
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} home
 * @property {(file: string) => boolean} isExecutable
 */

/**
 * The desktop editors that run the extension, in the order of preference, and where their installers put them. Tarballs,
 * portable copies and Flatpak are found by PATH alone.
 */
const editors = [
  { command: 'code', mac: 'Visual Studio Code', windows: 'Microsoft VS Code' },
  {
    command: 'code-insiders',
    mac: 'Visual Studio Code - Insiders',
    windows: 'Microsoft VS Code Insiders',
  },
  { command: 'codium', mac: 'VSCodium', windows: 'VSCodium' },
];

/**
 * The command that opens a desktop VS Code: on PATH, or where installers put it.
 * @param {Machine} machine
 * @returns {string | undefined}
 */
export function findDesktop(machine) {
  for (const editor of editors) {
    const found =
      findOnPath(editor.command, machine) ?? usualPlaces(editor, machine).find(machine.isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Where a command is on PATH.
 * @param {string} name
 * @param {Machine} machine
 * @returns {string | undefined}
 */
export function findOnPath(name, { platform, env, isExecutable }) {
  const { delimiter, join } = pathsOf(platform);
  const names = platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((file) => join(folder, file)))
    .find(isExecutable);
}

/**
 * @param {typeof editors[number]} editor
 * @param {Machine} machine
 * @returns {string[]}
 */
function usualPlaces({ command, mac, windows }, { platform, env, home }) {
  const { join } = pathsOf(platform);
  if (platform === 'win32') {
    const folders = [
      env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'Programs'),
      env.ProgramFiles,
      env['ProgramFiles(x86)'],
    ];
    return folders.flatMap((folder) => (folder ? [join(folder, windows, 'bin', `${command}.cmd`)] : []));
  }
  if (platform === 'darwin') {
    // Microsoft's builds call their command `code`, whatever the edition; newer ones by the name of the edition.
    const names = [...new Set([command, 'code'])];
    return ['/Applications', join(home, 'Applications')].flatMap((folder) =>
      names.map((name) => join(folder, `${mac}.app`, 'Contents', 'Resources', 'app', 'bin', name)),
    );
  }
  return [
    join('/usr/bin', command),
    join('/usr/local/bin', command),
    join('/usr/share', command, 'bin', command),
    join('/snap/bin', command),
  ];
}

/** @param {NodeJS.Platform} platform */
function pathsOf(platform) {
  return platform === 'win32' ? path.win32 : path.posix;
}
