import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';

/** Whether the library shows compact rows. Stored on this device, because it depends on the screen. */
export const compactRows = persistedChoice<boolean>('density', {
  parse: (text) => text === 'compact',
  print: (isCompact) => (isCompact ? 'compact' : 'comfortable'),
});
