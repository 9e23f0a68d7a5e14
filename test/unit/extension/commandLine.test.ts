import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { commandLine } from '../../../src/extension/importExport/commandLine.ts';

describe('a line of commands', () => {
  it('has quotes where a shell needs them', () => {
    const commands = [
      ['tool', 'import', '/home/ann/a b/it’s.json'],
      ['tool', '--session', 'a-1'],
    ];
    assert.equal(commandLine(commands, false), "tool import '/home/ann/a b/it’s.json' && tool --session a-1");
    const file = String.raw`C:\Users\Ann B\s.json`;
    assert.equal(
      commandLine([['pi', '--session', file]], true),
      String.raw`pi --session "C:\Users\Ann B\s.json"`,
    );
    assert.equal(commandLine([['pi', String.raw`C:\s.json`]], true), String.raw`pi C:\s.json`);
  });

  it('is read by a shell as the words that it was made of', () => {
    // Windows has no such shell.
    if (process.platform === 'win32') return;
    const words = ["it's", '$HOME `id` "x"', '~', '', '*', '-n', 'a\nb', ';', '!x', '#'];
    const printed = execFileSync('sh', ['-c', commandLine([['printf', String.raw`%s\0`, ...words]], false)], {
      encoding: 'utf8',
    });
    assert.deepEqual(printed.split('\0').slice(0, -1), words);
  });
});
