const words = (
  'the tree keeps every branch and each message that was ever said so that rewinding costs a pointer and nothing ' +
  'more const value await store listBranches chatId name return result undefined while an answer with code in it ' +
  'explains why one would rather wait for the disk than lose what someone wrote in the editor'
).split(' ');

/** Text as people and models write it: common words, and a rare one among ten. The same each time it is run. */
export class SampleText {
  private state = 1;

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  private word(): string {
    const word = words[Math.floor(this.next() * words.length)] ?? '';
    return this.next() < 0.1 ? word + String(Math.floor(this.next() * 10_000)) : word;
  }

  /** The minimal standard generator of Park and Miller: between 0 and 1. */
  private next(): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state / 2_147_483_647;
  }
}
