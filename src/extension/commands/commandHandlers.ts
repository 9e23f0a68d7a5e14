import type { Disposable } from '../../base/disposable.ts';
import type { CommandName } from '../manifest/ids.ts';

/** The work of a command: what it throws is shown to the user. */
export type CommandHandler = (...args: unknown[]) => Promise<void>;

/** By names without `offshoot.`. */
export type CommandHandlers<N extends CommandName = CommandName> = Readonly<Record<N, CommandHandler>>;

/** Something that must live as long as its commands can be run. */
export interface CommandPart<N extends CommandName = CommandName> extends Disposable {
  readonly handlers: CommandHandlers<N>;
}

/** The commands that these functions create, or that come with what they create. */
export type NamesOf<F> = F extends (...args: never[]) => infer Made
  ? Made extends CommandPart<infer Name>
    ? Name
    : keyof Made & CommandName
  : never;

type DoneTwice<Parts, Seen = never> = Parts extends readonly [infer First, ...infer Rest]
  ? (keyof First & Seen) | DoneTwice<Rest, Seen | keyof First>
  : never;

type NamesIn<Part> = Part extends unknown ? keyof Part & CommandName : never;

/** An unusable type if two of the parts have the same command. */
export type Together<Parts extends readonly unknown[]> = [DoneTwice<Parts>] extends [never]
  ? CommandHandlers<NamesIn<Parts[number]>>
  : { readonly doneTwice: DoneTwice<Parts> };

export function together<const Parts extends readonly Partial<CommandHandlers>[]>(
  ...parts: Parts
): Together<Parts> {
  const all: unknown = Object.assign({}, ...parts);
  return all as Together<Parts>;
}
