import { useState, type FormEvent } from 'react';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import type { changeTranscriptSettings, getTranscriptSettings } from '#contract/speech-models-api.ts';
import { call } from '#web/api/call.ts';
import { QueryState } from '#web/request-states/query-state.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Section } from '#web/features/accounts/parts/section.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

const maxHours = 1000;

/** Reads a whole number of hours; null if it is not one within the limits. */
function readHours(text: string): number | null {
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return hours >= 1 && hours <= maxHours ? hours : null;
}

function LimitsForm({ settings }: { settings: ReplyOf<typeof getTranscriptSettings> }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [typed, setTyped] = useState(String(settings.hoursPerDay));
  const [isRejected, setRejected] = useState(false);
  const save = useAction(async (body: BodyOf<typeof changeTranscriptSettings>) => {
    client.setQueryData(accountKeys.transcripts, await call('changeTranscriptSettings', { body }));
    if (body.hoursPerDay !== undefined) showToast({ message: () => t`Saved`, tone: 'success' });
  });
  const hours = readHours(typed);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    setRejected(hours === null);
    if (hours !== null) save.run({ hoursPerDay: hours });
  };
  return (
    <form noValidate className={styles.form} onSubmit={handleSubmit}>
      <Switch isSelected={settings.isOn} onChange={(isOn) => save.run({ isOn })}>
        <Trans>People may transcribe their recordings</Trans>
      </Switch>
      {settings.isOn && (
        <>
          <TextField
            label={t`Hours of audio per person and day`}
            name="hoursPerDay"
            inputMode="numeric"
            value={typed}
            onChange={setTyped}
            errorMessage={isRejected && hours === null ? t`Enter a number from 1 to 1000.` : null}
          />
          <div className={styles.buttons}>
            <Button type="submit" isPending={save.isPending}>
              <Trans>Save</Trans>
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** Whether recordings are transcribed, and how many. */
export function TranscriptLimits() {
  const { t } = useLingui();
  const answer = useQuery({
    queryKey: accountKeys.transcripts,
    queryFn: ({ signal }) => call('getTranscriptSettings', { signal }),
    meta: { what: msg`Transcripts` },
  });
  return (
    <Section title={<Trans>Limits</Trans>}>
      <QueryState of={accountKeys.transcripts} answer={answer} label={t`Opening…`} />
      {answer.data && <LimitsForm settings={answer.data} />}
    </Section>
  );
}
