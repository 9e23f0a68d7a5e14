import { z } from 'zod';

// Commands get what their caller passes: a tree node, the context of a message in the page, or nothing. A tree that is
// redrawn while its menu is open passes nothing either; each command then asks.

const messageArgument = z.object({ messageId: z.string() });
const modelArgument = z.object({ modelId: z.string() });
const compactingArgument = z.object({
  instructions: z.string().default(''),
  continues: z.boolean().default(false),
  typed: z.string().optional(),
});
const typedArgument = z.object({ typed: z.string() });
const branchArgument = z.object({ kind: z.literal('branch'), chatId: z.string(), name: z.string() });
const checkpointArgument = z.object({ kind: z.literal('checkpoint'), chatId: z.string(), name: z.string() });
const chatArgument = z.object({ kind: z.literal('chat'), chatId: z.string() });

export type BranchArgument = z.infer<typeof branchArgument>;

/** Undefined when the command was called elsewhere. */
export function messageIdOf(argument: unknown): string | undefined {
  return messageArgument.safeParse(argument).data?.messageId;
}

export function modelIdOf(argument: unknown): string | undefined {
  return modelArgument.safeParse(argument).data?.modelId;
}

/** Undefined when none was given, as from the palette. */
export function compactArgument(
  argument: unknown,
): { readonly instructions: string; readonly continues: boolean } | undefined {
  const { data } = compactingArgument.safeParse(argument);
  return data && { instructions: data.typed ?? data.instructions, continues: data.continues };
}

/** The text typed after the name of a command in the chat. */
export function typedOf(argument: unknown): string | undefined {
  return typedArgument.safeParse(argument).data?.typed;
}

export function branchOf(argument: unknown): BranchArgument | undefined {
  return branchArgument.safeParse(argument).data;
}

/** VS Code passes the clicked row, and all selected ones. */
export function branchesOf(argument: unknown, selection: unknown): BranchArgument[] {
  const all: unknown[] = Array.isArray(selection) ? selection : [argument];
  return all.flatMap((each) => branchOf(each) ?? []);
}

/** Whether a menu passed a row that VS Code no longer knew; the palette passes no argument at all. */
export function isRowLost(args: readonly unknown[]): boolean {
  return args.length > 0 && (args[0] === undefined || args[0] === null);
}

export function checkpointOf(argument: unknown): z.infer<typeof checkpointArgument> | undefined {
  return checkpointArgument.safeParse(argument).data;
}

export function chatOf(argument: unknown): z.infer<typeof chatArgument> | undefined {
  return chatArgument.safeParse(argument).data;
}
