import * as vscode from 'vscode';
import { soon } from '../fixtures/soon.ts';
import { useFileTurns } from './fileTurns.ts';
import { hoverText } from './hoverText.ts';
import { setSetting } from './support.ts';

describe('what is told over the lines of runs', () => {
  const use = useFileTurns();

  afterEach(() => setSetting('lineMarks', undefined));

  const lensCount = async (file: vscode.Uri): Promise<number> =>
    (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file)).filter(
      ({ command }) => command?.command === 'offshoot.whyThisLine',
    ).length;

  it('is a hover unless that is off, and a lens only where it is asked for', async () => {
    const { files, turn } = use();
    await turn({ 'told.txt': 'written by a run\n' });
    const file = files.uri('told.txt');
    await vscode.window.showTextDocument(file);
    for (const [mode, hover, lenses] of [
      ['hover', true, 0],
      ['always', true, 0],
      ['codeLens', true, 1],
      ['off', false, 0],
    ] as const) {
      await setSetting('lineMarks', mode);
      await soon.equal(async () => (await hoverText(file, 0)).includes('question'), hover);
      await soon.equal(() => lensCount(file), lenses);
    }
  });
});
