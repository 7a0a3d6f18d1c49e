import { EarOff } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { hasPassagesLeft, isOff, offRecordOf, toggleOffRecord } from './off-record.ts';

/** Takes the running take off the record for the listeners of its links, or puts it back on. */
export function OffRecordButton({ take }: { take: Take }) {
  const { t } = useLingui();
  const key = useKeyLabel('recorder.offRecord');
  const isPressed = isOff(offRecordOf(take.passages));
  const handleToggle = () => toggleOffRecord(take);
  useShortcuts({ 'recorder.offRecord': handleToggle });
  const name = isPressed ? t`Back on the record` : t`Off the record`;
  return (
    <Button
      variant="plain"
      icon={<EarOff aria-hidden />}
      data-tooltip={key ? `${name} (${key})` : undefined}
      isDisabled={!isPressed && !hasPassagesLeft(take.passages)}
      onPress={handleToggle}
    >
      {isPressed ? <Trans>Back on the record</Trans> : <Trans>Off the record</Trans>}
    </Button>
  );
}

/** The same as an icon, pressed only once the server has confirmed it. */
export function OffRecordToggle({ take, className }: { take: Take; className: string | undefined }) {
  const { t } = useLingui();
  const state = offRecordOf(take.passages);
  return (
    <IconButton
      label={state.status === 'starting' ? t`Off the record: not confirmed yet` : t`Off the record`}
      icon={<EarOff />}
      pressed={state.status === 'off-record'}
      isDisabled={!isOff(state) && !hasPassagesLeft(take.passages)}
      onPress={() => toggleOffRecord(take)}
      className={className}
    />
  );
}
