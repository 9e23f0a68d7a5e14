import type { OutputMarks } from '../../host/programs.ts';

/** What stands between two marks in a text that comes in pieces. A mark begins with a character that is not in it again. */
export class MarkedOutput {
  private state: 'before' | 'within' | 'after' = 'before';
  /** The end of what came: it may be the beginning of a mark. */
  private held = '';

  constructor(private readonly marks: OutputMarks) {}

  get hasBegun(): boolean {
    return this.state !== 'before';
  }

  get hasEnded(): boolean {
    return this.state === 'after';
  }

  /** @returns what is known by now to stand between the marks, and was not returned before */
  add(text: string): string {
    this.held += text;
    if (this.state === 'before' && this.takeUpTo(this.marks.begin).isFound) this.state = 'within';
    if (this.state === 'within') {
      const { isFound, before } = this.takeUpTo(this.marks.end);
      if (isFound) this.state = 'after';
      return before;
    }
    if (this.state === 'after') this.held = '';
    return '';
  }

  private takeUpTo(mark: string): { readonly isFound: boolean; readonly before: string } {
    const { held } = this;
    const at = held.indexOf(mark);
    const isFound = at !== -1;
    const until = isFound ? at : beginningOf(mark, held);
    this.held = held.slice(isFound ? at + mark.length : until);
    return { isFound, before: held.slice(0, until) };
  }
}

/** Where a mark may have begun that has not come as a whole; the end of the text: nowhere. */
function beginningOf(mark: string, text: string): number {
  const at = text.lastIndexOf(mark.charAt(0));
  return at !== -1 && mark.startsWith(text.slice(at)) ? at : text.length;
}
