import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';

/**
 * Whether one-letter shortcuts are wanted; a person who speaks to the computer switches them off (WCAG
 * 2.1.4).
 */
export const shortcutPreference = persistedChoice<boolean>('shortcuts', {
  parse: (text) => text !== 'off',
  print: (isOn) => (isOn ? 'on' : 'off'),
});
