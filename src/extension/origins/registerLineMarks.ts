import * as vscode from 'vscode';
import { loadOnce } from '../../base/loadOnce.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import type { Settings } from '../manifest/settings.ts';
import { logFailure } from '../ui/failures.ts';
import { fileSelector } from '../files/openFolders.ts';
import type { Origins } from './origins.ts';

/** Marks lines that runs wrote, and tells of them where the pointer is. Nothing is read before the first is asked for. */
export function registerLineMarks(deps: {
  readonly log: vscode.LogOutputChannel;
  readonly origins: Origins;
  readonly settings: Settings;
  readonly chatFirst: () => Promise<void>;
  readonly current: CurrentChat;
}): vscode.Disposable {
  const { log, settings, chatFirst } = deps;
  const made: vscode.Disposable[] = [];
  const marks = loadOnce(async () => {
    await chatFirst();
    const { LineMarks } = await import('./lineMarks.ts');
    const loaded = new LineMarks(deps);
    made.push(loaded);
    return loaded;
  });
  const isOn = (): boolean => settings.get('lineMarks') !== 'off';
  const update = (): void => {
    if (settings.get('lineMarks') !== 'always') return;
    marks().then(
      (loaded) => loaded.update(),
      (error: unknown) => logFailure(log, 'Lines of runs', error),
    );
  };
  update();
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider(fileSelector(), {
      provideHover: async (document, { line }) =>
        isOn() ? (await marks()).hover(document, line) : undefined,
    }),
    vscode.languages.registerCodeLensProvider(fileSelector(), {
      provideCodeLenses: async (document) =>
        settings.get('lineMarks') === 'codeLens' ? (await marks()).lenses(document) : [],
    }),
    settings.onDidChange(update),
    { dispose: () => vscode.Disposable.from(...made).dispose() },
  );
}
