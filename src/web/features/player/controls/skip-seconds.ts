/** How far the skip buttons and keys go, in both players. */
export const skipSeconds = 15;
