/** How far a live link is behind the recording, in milliseconds. The page loads these without the schemas. */
export const shareDelaysMs = [0, 10_000, 30_000, 120_000] as const;
