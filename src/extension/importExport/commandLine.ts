/** Commands as typed into a shell, one after the other: each is a program with its arguments. */
export function commandLine(commands: readonly (readonly string[])[], isWindows: boolean): string {
  const word = isWindows ? windowsWord : posixWord;
  return commands.map((words) => words.map(word).join(' ')).join(' && ');
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** No path has a quote in it there. */
function windowsWord(word: string): string {
  return /^[\w@+=:,.\\/-]+$/u.test(word) ? word : `"${word}"`;
}
