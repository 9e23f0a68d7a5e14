import type { Approvals } from './approvals.ts';

/** @param branch what questions name; undefined: nothing */
export function approvalsOn(
  branch: string | undefined,
  approvals: Approvals,
): Pick<Approvals, 'ask' | 'isAllowed'> {
  if (branch === undefined) return approvals;
  return {
    isAllowed: (request, chatId) => approvals.isAllowed(request, chatId),
    ask: (request, context) => approvals.ask(request, { ...context, branch }),
  };
}
