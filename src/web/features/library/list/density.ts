import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';

/**
 * Whether the library shows many recordings closely instead of fewer with room around them; kept on this
 * device, whose screen it is about.
 */
export const compactRows = persistedChoice<boolean>('density', {
  parse: (text) => text === 'compact',
  print: (isCompact) => (isCompact ? 'compact' : 'comfortable'),
});
