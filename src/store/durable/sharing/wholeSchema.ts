import type { z } from 'zod';
import type { JsonValue } from '../../../engine/json.ts';

/** Every member of a type, by its path, and every text that one of them may be; except inside free JSON. */
type Members<T> = [JsonValue] extends [T] ? never : MembersOfEach<T>;
type MembersOfEach<T> = T extends string
  ? string extends T
    ? never
    : `= ${T}`
  : T extends number | boolean | null | undefined | ReadonlyMap<unknown, unknown>
    ? never
    : T extends readonly (infer Element)[]
      ? Members<Element>
      : { [K in keyof T & string]-?: MemberAt<K, T[K]> }[keyof T & string];
type MemberAt<K extends string, Value> = string extends K ? never : K | `${K}.${Members<Value>}`;

type Lacking<T, Output> = Exclude<Members<T>, Members<Output>>;

/**
 * A schema that knows every member of a type, including optional ones. A schema that misses a member would silently
 * drop it; here it is a compile error that names the member.
 */
export const whole =
  <T>() =>
  <S extends z.ZodType<T>>(
    schema: S & ([Lacking<T, z.output<S>>] extends [never] ? unknown : { lacks: Lacking<T, z.output<S>> }),
  ): z.ZodType<T> =>
    schema;
