import * as vscode from 'vscode';
import { inertText } from './inertText.ts';

type Step = Parameters<Parameters<Parameters<typeof vscode.window.withProgress>[1]>[0]['report']>[0];

/** The title and each report are inert. */
export async function withProgress<R>(
  options: vscode.ProgressOptions,
  task: (progress: vscode.Progress<Step>, token: vscode.CancellationToken) => Thenable<R>,
): Promise<R> {
  const { title } = options;
  const shown = { ...options, ...(title === undefined ? {} : { title: inertText(title) }) };
  return vscode.window.withProgress(shown, (progress, token) =>
    task(
      {
        report: (step) =>
          progress.report(step.message === undefined ? step : { ...step, message: inertText(step.message) }),
      },
      token,
    ),
  );
}
