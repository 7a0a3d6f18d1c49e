import { useLingui } from '@lingui/react/macro';

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly { keys: readonly string[]; action: string }[];
}

/** Every key of the app with what it does, by the place where it works. The keys are the same in every language. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const { t } = useLingui();
  const space = t`Space`;
  return [
    {
      title: t`Recorder`,
      shortcuts: [
        { keys: ['R'], action: t`Record` },
        { keys: ['P'], action: t`Pause or go on` },
        { keys: ['M'], action: t`Add a marker` },
      ],
    },
    {
      title: t`Player`,
      shortcuts: [
        { keys: [space, 'K'], action: t`Play or pause` },
        { keys: ['←', '→'], action: t`5 seconds back or forward` },
        { keys: ['J', 'L'], action: t`10 seconds back or forward` },
        { keys: ['⇧ ←', '⇧ →'], action: t`1 second back or forward` },
        { keys: ['0', '…', '9'], action: t`Jump to a tenth of the recording` },
        { keys: ['Home', 'End'], action: t`Jump to the start or end` },
        { keys: ['<', '>'], action: t`Slower or faster` },
        { keys: ['M'], action: t`Sound off or on` },
        { keys: ['N'], action: t`Add a marker` },
        { keys: ['+', '−'], action: t`Zoom in or out` },
      ],
    },
    {
      title: t`Everywhere`,
      shortcuts: [{ keys: ['?'], action: t`Show these shortcuts` }],
    },
  ];
}
