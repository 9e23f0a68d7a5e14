import type { FrameLocator, Locator } from 'playwright-core';
import type { SegmentId } from '../../../src/webview/state/traySegments.ts';
import { until } from '../../fixtures/until.ts';
import type { Workbench } from './workbench.ts';

/** The chat as a user uses it: types, reads, presses its buttons. */
export class ChatPage {
  /** @param where the page stands: in the side bar, or in an editor tab */
  constructor(
    private readonly workbench: Workbench,
    private readonly where: 'chat' | 'panel' = 'chat',
  ) {}

  get frame(): FrameLocator {
    return this.workbench[this.where];
  }

  get input(): Locator {
    return this.frame.locator('.composer textarea');
  }

  get stopButton(): Locator {
    return this.frame.getByRole('button', { name: 'Stop', exact: true });
  }

  /** The questions and answers of the conversation, in order. */
  get messages(): Locator {
    return this.frame.locator('.message');
  }

  get answers(): Locator {
    return this.frame.locator('.message.assistant');
  }

  message(text: string): Locator {
    return this.messages.filter({ hasText: text }).first();
  }

  /** A part of the line above the input. */
  segment(id: SegmentId): Locator {
    return this.frame.locator(`[data-segment="${id}"]`);
  }

  /** Opens a panel above the input, if it has not opened automatically. */
  async openPanel(id: SegmentId): Promise<void> {
    const segment = this.segment(id);
    await until(async () => {
      if ((await segment.getAttribute('aria-expanded')) === 'true') return true;
      await segment.click();
      return false;
    }, `the panel ${id} to be open`);
  }

  /** The card of a side question. */
  get aside(): Locator {
    return this.frame.locator('.aside');
  }

  /** Answers what a tool asks, by the name of the button: with it in view, and once it takes clicks. */
  async decide(choice: string): Promise<void> {
    const button = this.frame.getByRole('button', { name: choice, exact: true }).first();
    const more = this.frame.getByRole('button', { name: 'More Ways to Allow', expanded: false }).first();
    await button.or(more).first().waitFor();
    if ((await button.count()) === 0) await more.click();
    await button.scrollIntoViewIfNeeded();
    await button.and(this.frame.locator('[aria-disabled="false"]')).click();
  }

  async send(text: string): Promise<void> {
    await this.type(text);
    await this.input.press('Enter');
  }

  /** Types into the input. A palette that closes gives the focus back a moment later: typing then goes nowhere. */
  async type(text: string): Promise<void> {
    await until(async () => {
      await this.input.fill(text);
      return (await this.input.inputValue()) === text;
    }, 'the input to take what is typed');
  }

  /** Leaves the conversation for a new chat, and waits until that one is shown. */
  async startNew(): Promise<void> {
    const empty = this.frame.getByText('A conversation that branches');
    // An empty chat looks the same before and after: nothing would tell when the new one is there. One that was rewound
    // to its first question has no messages, and is none.
    if ((await this.messages.count()) > 0 || !(await empty.isVisible()))
      await this.workbench.runCommand('offshoot.newChat');
    await empty.waitFor();
  }

  /** Asks, and waits until the answer has ended. */
  async ask(text: string): Promise<void> {
    const before = await this.answers.count();
    await this.send(text);
    await this.answered(before + 1);
  }

  /** Waits until there are this many answers and none is on its way. */
  async answered(count: number): Promise<void> {
    await until(
      async () =>
        (await this.answers.count()) === count &&
        (await this.frame.locator('.message .status.streaming').count()) === 0,
      `${count} finished answers`,
      20_000,
    );
  }

  /** What stands in the conversation: the text of each part of each message. */
  async texts(): Promise<string[]> {
    const texts = await this.messages
      .locator(':scope > :is(.said, .markdown), :scope > .answer-body > .markdown')
      .allTextContents();
    return texts.map((text) => text.trim());
  }

  /** Waits until the conversation is this. */
  async shows(expected: readonly string[]): Promise<void> {
    let last: string[] = [];
    await until(
      async () => {
        last = await this.texts();
        return JSON.stringify(last) === JSON.stringify(expected);
      },
      `the conversation ${JSON.stringify(expected)}`,
    ).catch((error: unknown) => {
      throw new Error(`The conversation is ${JSON.stringify(last)}, not ${JSON.stringify(expected)}.`, {
        cause: error,
      });
    });
  }

  /** Waits until what is typed goes into the input. */
  async hasFocus(): Promise<void> {
    await this.frame.locator('.composer textarea:focus').waitFor();
  }

  /** Waits until the chat is on this branch. */
  async onBranch(name: string): Promise<void> {
    await this.frame.locator(`.header[data-branch="${name}"]`).waitFor();
  }
}
