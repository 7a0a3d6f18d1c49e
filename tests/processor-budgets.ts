/** What a test file of `npm test` may use, in processor seconds, including the processes that it starts. */
export const fileBudgetSeconds = 5;

/** What all unit and integration tests of `npm test` may use together, in processor seconds. */
export const totalBudgetSeconds = 600;

/** Files that may use more, each with the reason. */
export const fileBudgets: Readonly<Record<string, { seconds: number; reason: string }>> = {};
