import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { skipSeconds } from '#web/features/player/controls/skip-seconds.ts';
import type { KeyAction } from '#web/shortcuts/key-actions.ts';

/** A key that can be changed. `name` is its own action on a line with two keys. */
export interface ChoosableKey {
  action: KeyAction;
  name: string;
}

export interface ShortcutLine {
  /** The action of the line's keys. */
  name: string;
  /** Keys that cannot be changed. */
  fixed: readonly string[];
  choosable: readonly ChoosableKey[];
}

export interface ShortcutGroup {
  title: string;
  lines: readonly ShortcutLine[];
}

const fixedLine = (name: string, ...fixed: string[]): ShortcutLine => ({ name, fixed, choosable: [] });
const line = (name: string, action: KeyAction, ...fixed: string[]): ShortcutLine => ({
  name,
  fixed,
  choosable: [{ action, name }],
});

/** Every shortcut of the app with its action, grouped by where it works. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const { t } = useLingui();
  const seconds = skipSeconds;
  const back = t`${plural(seconds, { one: 'Back # second', other: 'Back # seconds' })}`;
  const forward = t`${plural(seconds, { one: 'Forward # second', other: 'Forward # seconds' })}`;
  return [
    {
      title: t`Recorder`,
      lines: [
        line(t`Record`, 'recorder.record'),
        line(t`Stop`, 'recorder.stop'),
        line(t`Pause or resume`, 'recorder.pause'),
        line(t`Add marker`, 'recorder.mark'),
        line(t`Add note`, 'recorder.note'),
      ],
    },
    { title: t`Everywhere`, lines: [line(t`Show keyboard shortcuts`, 'everywhere.help')] },
    {
      title: t`Player`,
      lines: [
        line(t`Play or pause`, 'player.play', t`Space`),
        fixedLine(t`5 seconds back or forward`, '←', '→'),
        {
          name: t`15 seconds back or forward`,
          fixed: [],
          choosable: [
            { action: 'player.back', name: back },
            { action: 'player.forward', name: forward },
          ],
        },
        fixedLine(t`1 second back or forward`, '⇧ ←', '⇧ →'),
        line(t`Jump to 0–90% of the recording`, 'player.tenth'),
        fixedLine(t`Jump to the start or end`, 'Home', 'End'),
        {
          name: t`Slower or faster`,
          fixed: [],
          choosable: [
            { action: 'player.slower', name: t`Slower` },
            { action: 'player.faster', name: t`Faster` },
          ],
        },
        line(t`Mute or unmute`, 'player.mute'),
        fixedLine(t`Volume up or down (on the waveform)`, '↑', '↓'),
        line(t`Add marker`, 'player.mark'),
        line(t`Add to or remove from favourites`, 'player.favourite'),
        line(t`Add note`, 'player.note'),
        line(
          t({ message: 'Share', comment: 'A button: lets others listen to the recording by a link' }),
          'player.share',
        ),
        {
          name: t`Set selection start or end`,
          fixed: [],
          choosable: [
            {
              action: 'player.start',
              name: t({
                message: 'Set selection start',
                comment: 'The selected part of the recording begins where the playhead is',
              }),
            },
            {
              action: 'player.end',
              name: t({
                message: 'Set selection end',
                comment: 'The selected part of the recording ends where the playhead is',
              }),
            },
          ],
        },
        fixedLine(t`Select (on the waveform)`, '⇧ ←', '⇧ →'),
        fixedLine(t`Clear selection`, 'Esc'),
        line(t({ message: 'Loop', comment: 'A switch: play the same part again and again' }), 'player.loop'),
        line(t`Skip silence`, 'player.silence'),
        line(t`Go to live`, 'player.live'),
        {
          name: t`Zoom in or out`,
          fixed: [],
          choosable: [
            { action: 'player.zoomIn', name: t`Zoom in` },
            { action: 'player.zoomOut', name: t`Zoom out` },
          ],
        },
      ],
    },
  ];
}

/** The name of an action in the sheet. */
export const nameIn = (groups: readonly ShortcutGroup[], action: KeyAction): string =>
  groups
    .flatMap(({ lines }) => lines)
    .flatMap(({ choosable }) => choosable)
    .find((key) => key.action === action)?.name ?? '';
