/** Durations in milliseconds, the unit of every `…Ms` name: `15 * minute` is fifteen minutes. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
