import { persistedChoice } from '#web/ui/hooks/persisted-choice.ts';

/** Whether one-letter shortcuts are on. Users of speech input switch them off (WCAG 2.1.4). */
export const shortcutPreference = persistedChoice<boolean>('shortcuts', {
  parse: (text) => text !== 'off',
  print: (isOn) => (isOn ? 'on' : 'off'),
});
