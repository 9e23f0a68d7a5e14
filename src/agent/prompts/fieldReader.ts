import { z } from 'zod';

/** YAML can escape half of a surrogate pair, which cannot be stored. */
export const line = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .overwrite((text) => text.toWellFormed());

/** A list, or one text with commas: both forms are common. */
export const list = z.union([
  z.array(line).max(100),
  line.transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]);

/** Front matter is read as text. */
export const flag = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['true', 'false']))
  .transform((text) => text === 'true');

/** Reads the fields of a front matter, and notes those of the wrong kind. */
export class FieldReader<F extends object> {
  private readonly wrong: string[] = [];

  constructor(
    private readonly fields: ReadonlyMap<string, unknown>,
    private readonly known: { readonly [K in keyof F]: z.ZodType<F[K]> },
  ) {}

  /** Undefined where it is not there, or empty. */
  get<K extends keyof F & string>(key: K): F[K] | undefined {
    const value = this.fields.get(key);
    if (value === undefined || value === '') return undefined;
    const read = this.known[key].safeParse(value);
    if (!read.success) this.wrong.push(key);
    return read.data;
  }

  /** Keys that have no meaning here. */
  get unknown(): string[] {
    return [...this.fields.keys()].filter((key) => !Object.hasOwn(this.known, key));
  }

  /** Undefined if everything that was read is of the right kind. */
  get problem(): string | undefined {
    return this.wrong.length === 0 ? undefined : `“${this.wrong.join('”, “')}” has a value of the wrong kind`;
  }
}
