import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Instructions } from './instructionsFiles.ts';
import { ContextMeter, type ContextSources } from './contextMeter.ts';
import { ContextWarnings } from './contextWarnings.ts';
import { SystemPrompt } from './promptSource.ts';
import type { Memory } from './memory.ts';
import type { Skills } from './skills.ts';

export interface ContextOptions extends Omit<ContextSources, 'prompt' | 'instructionsFiles'> {
  readonly instructions: Instructions;
  readonly skills: Skills;
  readonly memory: Memory;
  readonly workspaceState: vscode.Memento;
}

export interface Context extends Disposable {
  readonly prompt: SystemPrompt;
  readonly meter: ContextMeter;
  readonly warnings: ContextWarnings;
}

export function createContext({ instructions, workspaceState, ...sources }: ContextOptions): Context {
  const made = new DisposableStore();
  const prompt = made.add(
    new SystemPrompt(instructions.kept, instructions.files, sources.skills, sources.memory),
  );
  const meter = made.add(new ContextMeter({ ...sources, prompt, instructionsFiles: instructions.files }));
  const warnings = made.add(new ContextWarnings(meter, workspaceState, sources.settings));
  return { prompt, meter, warnings, dispose: () => made.dispose() };
}
