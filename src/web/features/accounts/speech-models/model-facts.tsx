import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { minute, second } from '#base/duration.ts';
import { ApiError } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import type { ShownModel } from './use-speech-models.ts';
import styles from '#web/features/accounts/parts/settings.module.css';
import ownStyles from './speech-models.module.css';

const secondsPerHour = 3600;

const Line = ({ children }: { children: ReactNode }) => <span className={styles.fact}>{children}</span>;

/** What a model is good for. */
export function Purpose({ name }: Pick<ShownModel, 'name'>) {
  switch (name) {
    case 'whisper-small':
      return <Trans>Good enough to read.</Trans>;
    case 'parakeet-v3':
      return <Trans>Best for the languages it knows.</Trans>;
    case 'whisper-base':
      return <Trans>Good enough to search, not to quote.</Trans>;
    default:
      return null;
  }
}

/** What the test of a model showed. */
export function TestResult({ test }: Pick<ShownModel, 'test'>) {
  const { duration, number, relativeTime } = useFormat();
  if (test === null) return null;
  const hourMs = test.secondsPerSecond * secondsPerHour * second;
  const length = duration(Math.max(minute, Math.round(hourMs / minute) * minute));
  const [at, wrong, all] = [relativeTime(test.at), number(test.wrongWords), number(test.words)];
  return (
    <>
      <Line>
        <Trans>
          Tested {at}. Wrong words: {wrong} of {all}.
        </Trans>
      </Line>
      <Line>
        <Trans>Time for an hour of audio on this server: {length}.</Trans>
      </Line>
      {test.gives === 'text' && (
        <Line>
          <Trans>Times of words are estimated.</Trans>
        </Line>
      )}
    </>
  );
}

/** What the host or the engine said in English. */
function Detail({ detail }: Pick<ShownModel, 'detail'>) {
  if (detail === null) return null;
  return (
    <Line>
      <bdi dir="ltr" lang="en" translate="no">
        {detail}
      </bdi>
    </Line>
  );
}

/** How much is downloaded, and how fast. */
export function Downloaded({ storedBytes, sizeBytes, rate, detail }: ShownModel) {
  const { fileSize } = useFormat();
  const [stored, all, perSecond] = [fileSize(storedBytes), fileSize(sizeBytes), fileSize(rate ?? 0)];
  return (
    <>
      <Line>
        {rate === null || rate === 0 ? (
          <Trans>
            {stored} of {all}
          </Trans>
        ) : (
          <Trans>
            {stored} of {all}, {perSecond} per second
          </Trans>
        )}
      </Line>
      <Detail detail={detail} />
    </>
  );
}

/** Why there is too little space for a model. */
export function ModelSpaceNotice({ missingSpace }: Pick<ShownModel, 'missingSpace'>) {
  const { fileSize } = useFormat();
  if (missingSpace === null) return null;
  const [needed, free] = [fileSize(missingSpace.neededBytes), fileSize(missingSpace.freeBytes)];
  return (
    <span className={ownStyles.problem}>
      <Trans>
        Not enough space. Needed: {needed}, free: {free}.
      </Trans>
    </span>
  );
}

const fullServer = new ApiError({ code: 'storage-full', status: 507, problem: null });

function Cause({ model, host }: { model: ShownModel; host: string }) {
  const messageOf = useErrorMessage();
  switch (model.cause) {
    case 'unreachable':
      return <Trans>Couldn’t reach {host}. Try again, or use files from this computer.</Trans>;
    case 'wrong-file':
      return <Trans>The file isn’t the expected one.</Trans>;
    case 'storage-full':
      return messageOf(fullServer);
    case 'model-broken':
      return <Trans>The model doesn’t work on this server.</Trans>;
    case null:
      return null;
  }
}

/** Why a model failed, with what the host or the engine said in English. */
export function Failure({ model, host }: { model: ShownModel; host: string }) {
  return (
    <>
      <span className={ownStyles.problem}>
        <Cause model={model} host={host} />
      </span>
      <Detail detail={model.detail} />
    </>
  );
}
