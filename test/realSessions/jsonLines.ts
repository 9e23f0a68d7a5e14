import { z } from 'zod';
import { until } from '../fixtures/until.ts';
import type { PipedChild } from './confined.ts';

const record = z.looseObject({ type: z.string().optional() });
export type JsonRecord = z.infer<typeof record>;

/** A program that is spoken to with one JSON value on each line, and answers so. */
export class JsonLines {
  readonly records: JsonRecord[] = [];
  private rest = '';
  private problems = '';

  constructor(private readonly child: PipedChild) {
    child.stdout.on('data', (data: Buffer) => {
      this.take(data.toString());
    });
    child.stderr.on('data', (data: Buffer) => {
      this.problems += data.toString();
    });
  }

  send(value: object): void {
    this.child.stdin.write(`${JSON.stringify(value)}\n`);
  }

  /** Waits for a record that comes after those there were. */
  async next(isIt: (record: JsonRecord) => boolean, what: string, after = 0): Promise<JsonRecord> {
    try {
      return await until(() => this.records.slice(after).find(isIt), what, 60_000);
    } catch (cause) {
      const last = JSON.stringify(this.records.slice(-5)).slice(0, 2_000);
      throw new Error(`${what} did not come: ${last}\n${this.problems.slice(-2_000)}`, { cause });
    }
  }

  private take(data: string): void {
    this.rest += data;
    const lines = this.rest.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() !== '') this.records.push(record.parse(JSON.parse(line)));
    }
  }
}
