/** Distance of the skip buttons and keys, in the player and in the mini player. */
export const skipSeconds = 15;
