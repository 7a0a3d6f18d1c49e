/**
 * A place in a prerendered page that is filled with the user's data before the app loads. `title`: text that the user
 * wrote; `length`: a duration; `day`: the heading of a day.
 */
export type Slot = 'title' | 'length' | 'day';

/** The attribute that marks a slot. */
export const slotAttribute = (slot: Slot | undefined): { 'data-slot'?: Slot } =>
  slot === undefined ? {} : { 'data-slot': slot };
