import { useLingui } from '@lingui/react/macro';
import { actionKeys, digitKeys, type KeyAction } from '#web/shortcuts/key-actions.ts';
import { keyLabel } from '#web/shortcuts/use-key-label.ts';

export interface ShortcutLine {
  /** The action of the line's keys. */
  name: string;
  /** As printed on a keyboard. */
  keys: readonly string[];
}

export interface ShortcutGroup {
  title: string;
  lines: readonly ShortcutLine[];
}

const labelOf = (action: KeyAction): string =>
  actionKeys[action] === digitKeys ? '0–9' : keyLabel(actionKeys[action]);
const fixedLine = (name: string, ...keys: string[]): ShortcutLine => ({ name, keys });
const line = (name: string, actions: readonly KeyAction[], ...keys: string[]): ShortcutLine => ({
  name,
  keys: [...keys, ...actions.map(labelOf)],
});

/** Every shortcut of the app with its action, grouped by where it works. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const { t } = useLingui();
  return [
    {
      title: t`Recorder`,
      lines: [
        line(t`Record`, ['recorder.record']),
        line(t`Pause or resume`, ['recorder.pause']),
        line(t`Add marker`, ['recorder.mark']),
        line(t`Add note`, ['recorder.note']),
      ],
    },
    { title: t`Everywhere`, lines: [line(t`Show keyboard shortcuts`, ['everywhere.help'])] },
    {
      title: t`Player`,
      lines: [
        line(t`Play or pause`, ['player.play'], t`Space`),
        fixedLine(t`5 seconds back or forward`, '←', '→'),
        line(t`15 seconds back or forward`, ['player.back', 'player.forward']),
        fixedLine(t`1 second back or forward`, '⇧ ←', '⇧ →'),
        line(t`Jump to 0–90% of the recording`, ['player.tenth']),
        fixedLine(t`Jump to the start or end`, 'Home', 'End'),
        line(t`Slower or faster`, ['player.slower', 'player.faster']),
        line(t`Mute or unmute`, ['player.mute']),
        fixedLine(t`Volume up or down (on the waveform)`, '↑', '↓'),
        line(t`Add marker`, ['player.mark']),
        line(t`Add to or remove from favourites`, ['player.favourite']),
        line(t`Add note`, ['player.note']),
        line(t({ message: 'Share', comment: 'A button: lets others listen to the recording by a link' }), [
          'player.share',
        ]),
        line(t`Set selection start or end`, ['player.start', 'player.end']),
        fixedLine(t`Select (on the waveform)`, '⇧ ←', '⇧ →'),
        fixedLine(t`Clear selection`, 'Esc'),
        line(t({ message: 'Loop', comment: 'A switch: play the same part again and again' }), [
          'player.loop',
        ]),
        line(t`Skip silence`, ['player.silence']),
        line(t`Go to live`, ['player.live']),
        line(t`Into the transcript and back`, ['player.transcript']),
        line(t`Find in the transcript`, ['player.find']),
        fixedLine(t`Line or word (in the transcript)`, '↑', '↓', '←', '→'),
        fixedLine(t`Correct the line (in the transcript)`, 'E'),
        line(t`Zoom in or out`, ['player.zoomIn', 'player.zoomOut']),
      ],
    },
  ];
}
