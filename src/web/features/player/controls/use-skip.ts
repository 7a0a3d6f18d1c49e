import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { second } from '#base/duration.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

/**
 * The label and the action of a button that skips this many seconds: forward, or back where they are
 * negative.
 */
export function useSkip(bySeconds: number): { label: string; skip: () => void } {
  const { t } = useLingui();
  const seconds = Math.abs(bySeconds);
  return {
    label:
      bySeconds < 0
        ? t`${plural(seconds, { one: 'Back # second', other: 'Back # seconds' })}`
        : t`${plural(seconds, { one: 'Forward # second', other: 'Forward # seconds' })}`,
    skip: () => player.skip(bySeconds * second),
  };
}
