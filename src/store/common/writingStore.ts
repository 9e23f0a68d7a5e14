import type { ContextStore } from '../../engine/store.ts';
import {
  isMethodName,
  writes,
  type MethodName,
  type WriteArguments,
  type WriteMethods,
  type WriteResults,
} from './storeWrites.ts';

/** The base of every store: a method for each write that is one. */
export abstract class WriteCalls {
  static {
    for (const name of Object.keys(writes).filter(isMethodName)) {
      const value = async function (this: WriteCalls, ...values: unknown[]): Promise<unknown> {
        return this.perform(name, inputOf(name, values));
      };
      Object.defineProperty(this.prototype, name, { value, configurable: true, writable: true });
    }
  }

  /** @param given checked */
  protected abstract perform<N extends MethodName>(
    name: N,
    given: WriteArguments[N],
  ): Promise<WriteResults[N]>;
}

/** @throws what the checks of the write throw */
function inputOf<N extends MethodName>(name: N, values: readonly unknown[]): WriteArguments[N] {
  const write = writes[name];
  const { parameters = [] } = write;
  const input: Record<string, unknown> = { ...(values[parameters.length] as object | undefined) };
  for (const [index, each] of parameters.entries()) input[each] = values[index];
  // The types of the methods say that it is this input.
  const given = input as WriteArguments[N];
  return write.checked?.(given) ?? given;
}

// TypeScript cannot see methods that are added to a prototype.
const made = WriteCalls as abstract new () => WriteCalls & WriteMethods;

/** The same with the types of the methods, which are those of the interface. */
export const WritingStore: abstract new () => WriteCalls & Pick<ContextStore, MethodName> = made;
