/** The format of a moment: 12 November 2026, 16:20. */
export const dateTimeStyle = { dateStyle: 'long', timeStyle: 'short' } as const;
