import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

const cap = z.strictObject({ dollars: z.number().min(0), tokens: z.int().min(0) }).partial();
export type Cap = z.infer<typeof cap>;

/** The setting `offshoot.budget`: what may be spent at most; what is left out has no cap. */
const budgetCaps = z
  .strictObject({ perMessage: cap, perBranch: cap, perChat: cap, perDay: cap })
  .partial()
  .default({});

/** In the order in which they are checked. */
export const scopes = ['perMessage', 'perBranch', 'perChat', 'perDay'] as const;
export type Scope = (typeof scopes)[number];

export interface ScopedCap extends Cap {
  readonly scope: Scope;
}

/** A mistake must not count as no cap. */
class BudgetUnreadableError extends OffshootError {
  constructor(where: string) {
    super(
      'budget-unreadable',
      defineMessage(
        'Nothing was sent: the setting offshoot.budget has a mistake{0}. It takes perMessage, perBranch, perChat and perDay, each with dollars or tokens as numbers.',
        where,
      ),
    );
  }
}

/** The caps that are set. @throws BudgetUnreadableError */
export function readCaps(setting: unknown): readonly ScopedCap[] {
  const read = budgetCaps.safeParse(setting ?? undefined);
  if (!read.success) {
    const at = read.error.issues[0]?.path.map(String).join('.') ?? '';
    throw new BudgetUnreadableError(at === '' ? '' : ` (${at})`);
  }
  return scopes.flatMap((scope) => {
    const { dollars, tokens } = read.data[scope] ?? {};
    if (dollars === undefined && tokens === undefined) return [];
    return [
      {
        scope,
        ...(dollars === undefined ? {} : { dollars }),
        ...(tokens === undefined ? {} : { tokens }),
      },
    ];
  });
}
