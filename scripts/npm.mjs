/**
 * How npm is started: on Windows it is a script that needs a shell, unless Node is given npm's own file.
 * @param {readonly string[]} args
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npmCommand(args) {
  if (process.platform !== 'win32') return { command: 'npm', args: [...args], shell: false };
  const own = process.env.npm_execpath;
  if (own?.endsWith('npm-cli.js')) return { command: process.execPath, args: [own, ...args], shell: false };
  return { command: 'npm', args: [...args], shell: true };
}
