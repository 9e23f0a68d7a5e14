import assert from 'node:assert/strict';
import { CommandOutput } from '../../../src/agent/tools/commands/commandOutput.ts';
import { seemsToWaitFor } from '../../../src/agent/tools/commands/seemsToWait.ts';

const ESC = '\u001b';

describe('a command that writes nothing', () => {
  for (const [waitsFor, endings] of [
    ['password', ['[sudo] password for me: ', "Enter passphrase for '/x': ", 'Password:', '密码：', 'PIN: ']],
    ['key', [':', `${ESC}[7m(END)${ESC}[0m`, '--More--(12%)', 'Press any key to go on. ', `${ESC}[?1049h~`]],
    ['answer', ['Continue? [Y/n] ', 'name: (app) ', 'Sure (yes/no)? ', 'mysql> ', 'me@here:~$ ', '>>> ']],
    ['unknown', ['', 'compiling\n', 'Listening on port 3000\n', 'a question?\n', '10%', 'costs 5$']],
  ] as const) {
    it(`seems to wait for: ${waitsFor}`, () => {
      for (const ending of endings) {
        const output = new CommandOutput();
        output.add(`one\r\n${ending}`);
        assert.equal(seemsToWaitFor(output), waitsFor, ending);
      }
    });
  }
});
