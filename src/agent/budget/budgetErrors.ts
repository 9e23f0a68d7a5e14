import { OffshootError } from '../../engine/errors.ts';
import { defineMessage, verbatim, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { createNotice } from '../../models/errors/notice.ts';
import type { AnswerError } from '../../models/errors/modelErrors.ts';
import { BUDGET_REACHED } from './budgetReached.ts';
import type { Scope } from './budgetCaps.ts';

export type Unit = 'dollars' | 'tokens';

/** A cap that a request does not fit. */
export interface ReachedCap {
  readonly scope: Scope;
  readonly unit: Unit;
  readonly cap: number;
  /** What is left of it. */
  readonly left: number;
  /** What the request would take at most. */
  readonly most: number;
}

export class BudgetReachedError extends OffshootError {
  constructor(readonly reached: ReachedCap) {
    const { unit, most, left } = reached;
    super(
      BUDGET_REACHED,
      defineMessage(
        'Stopped by your budget. The next request could take up to {0}; {1} is left of {2}.',
        amountText(most, unit),
        amountText(left, unit),
        capText(reached),
      ),
    );
  }
}

/** A cap in dollars says nothing about a model without a price. */
export class PriceUnknownError extends OffshootError {
  constructor(modelLabel: string, tokens: number, reached: Pick<ReachedCap, 'scope' | 'cap'>) {
    super(
      BUDGET_REACHED,
      defineMessage(
        'Stopped by your budget. The price of {0} isn’t known, so the cap of {1} can’t hold for the next request of up to {2}. Add a cap in tokens, or set a price in offshoot.modelOverrides.',
        modelLabel,
        capText({ ...reached, unit: 'dollars' }),
        amountText(tokens, 'tokens'),
      ),
    );
  }
}

/** The answer was cut off where the budget ended. */
export function cutOffByBudget(modelLabel: string): AnswerError {
  return createNotice(
    BUDGET_REACHED,
    defineMessage('The response of {0} ends here, where your budget does.', modelLabel),
  );
}

export function capText({ scope, unit, cap }: Pick<ReachedCap, 'scope' | 'unit' | 'cap'>): MessageDescriptor {
  const amount = amountText(cap, unit);
  switch (scope) {
    case 'perMessage':
      return defineMessage('{0} per message', amount);
    case 'perBranch':
      return defineMessage('{0} per branch', amount);
    case 'perChat':
      return defineMessage('{0} per chat', amount);
    case 'perDay':
      return defineMessage('{0} per day', amount);
  }
}

export function amountText(amount: number, unit: Unit): MessageDescriptor {
  if (unit === 'tokens') return defineMessage('{0} tokens', Math.max(0, Math.ceil(amount)).toLocaleString());
  const dollars = Math.max(0, amount);
  return verbatim(`$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`);
}
