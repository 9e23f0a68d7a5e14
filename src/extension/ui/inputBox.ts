import * as vscode from 'vscode';
import { inertText, plainText } from './inertText.ts';

export interface AskTextOptions extends Omit<vscode.InputBoxOptions, 'validateInput' | 'ignoreFocusOut'> {
  /** What is wrong with a text; undefined when it is valid. */
  readonly validateInput?: (value: string) => string | undefined;
}

/**
 * Asks for a line of text. Its initial value is the text itself; the texts around it are inert. It stays open when it
 * loses the focus: users look at a chat to find a name for it, and a page that was still loading takes the focus late.
 * Either would close the input, and end the command.
 */
export async function askText({ validateInput, ...options }: AskTextOptions): Promise<string | undefined> {
  const { title, prompt, placeHolder } = options;
  return vscode.window.showInputBox({
    ...options,
    ignoreFocusOut: true,
    ...(title === undefined ? {} : { title: plainText(title) }),
    ...(prompt === undefined ? {} : { prompt: inertText(prompt) }),
    ...(placeHolder === undefined ? {} : { placeHolder: plainText(placeHolder) }),
    ...(validateInput && {
      validateInput: (value: string) => {
        const problem = validateInput(value);
        return problem === undefined ? undefined : inertText(problem);
      },
    }),
  });
}

export interface TextInputOptions {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly ignoreFocusOut?: boolean;
  readonly buttons?: readonly vscode.QuickInputButton[];
}

/** A line of text that is checked, or used, while it is shown. */
export class TextInput implements vscode.Disposable {
  private readonly input = vscode.window.createInputBox();
  readonly onDidChangeValue = this.input.onDidChangeValue;
  readonly onDidAccept = this.input.onDidAccept;
  readonly onDidHide = this.input.onDidHide;
  readonly onDidTriggerButton = this.input.onDidTriggerButton;

  constructor({ title, prompt, placeholder, ...options }: TextInputOptions) {
    this.input.title = plainText(title);
    this.input.prompt = inertText(prompt);
    if (placeholder !== undefined) this.input.placeholder = plainText(placeholder);
    Object.assign(this.input, options);
  }

  get value(): string {
    return this.input.value;
  }

  set problem(problem: string | undefined) {
    this.input.validationMessage = problem === undefined ? undefined : inertText(problem);
  }

  /** Nothing can be entered during a check. */
  set isBusy(isBusy: boolean) {
    this.input.busy = isBusy;
    this.input.enabled = !isBusy;
  }

  show(): void {
    this.input.show();
  }

  dispose(): void {
    this.input.dispose();
  }
}
