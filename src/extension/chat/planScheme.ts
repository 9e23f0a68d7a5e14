/** Of the documents that plans are opened as. */
export const PLAN_SCHEME = 'offshoot-plan';
