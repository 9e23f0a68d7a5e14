/** The code of a request that was not sent: the user can let it through once, or raise the cap. */
export const BUDGET_REACHED = 'budget-reached';
