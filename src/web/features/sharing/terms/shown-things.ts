import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ShareShows } from '#contract/shares.ts';

/** A detail of a recording that listeners see or don't see. */
export type ShownThing = keyof ShareShows;

/** In the order of the form. */
export const shownThings: readonly ShownThing[] = ['title', 'owner', 'date', 'markers', 'notes', 'gaps'];

/** The names of the details, for the form and for the summary. */
export const thingMessages: Record<ShownThing, MessageDescriptor> = {
  title: msg`Title`,
  owner: msg`Your name`,
  date: msg`Date`,
  markers: msg`Markers`,
  notes: msg`Notes`,
  gaps: msg`Gaps`,
};
