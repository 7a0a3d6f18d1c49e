import { Trans, useLingui } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { StatusPill } from '#web/ui/feedback/status-pill.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { Section, SettingsList } from '#web/features/accounts/parts/section.tsx';
import { ModelItem } from './model-item.tsx';
import { TranscriptLimits } from './transcript-limits.tsx';
import { ModelFilesChooser } from './upload-list.tsx';
import { type ShownModels, speechModelsKey, useSpeechModels } from './use-speech-models.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

/** Whether recordings can be transcribed, and what is missing. */
function State({ engine, address, models }: ShownModels) {
  if (engine === 'off')
    return (
      <Notice tone="info">
        <Trans>Transcripts are turned off on this server by TRANSCRIBE=off.</Trans>
      </Notice>
    );
  if (engine === 'missing')
    return (
      <Notice tone="warn">
        <Trans>The speech engine isn’t installed. Install Earshot with its optional packages.</Trans>
      </Notice>
    );
  if (engine === 'elsewhere' && address !== null)
    return (
      <Notice tone="info">
        <Trans>Another server transcribes: {address}. Audio of recordings is sent to it.</Trans>
      </Notice>
    );
  const isReady =
    engine === 'elsewhere' || models.some(({ state }) => state === 'ready' || state === 'untested');
  return (
    <StatusPill tone={isReady ? 'safe' : 'neutral'}>
      {isReady ? (
        <Trans>Ready to transcribe</Trans>
      ) : (
        <Trans>Not set up. Choose a speech model to start.</Trans>
      )}
    </StatusPill>
  );
}

function Models({ data }: { data: ShownModels }) {
  const { models, host } = data;
  return (
    <>
      <State {...data} />
      <SettingsList>
        {models.map((model) => (
          <ModelItem key={model.name} model={model} host={host} />
        ))}
      </SettingsList>
      <p className={styles.hint}>
        <Trans>Models are downloaded from {host}. Nothing is sent there except this server’s address.</Trans>
      </p>
      <p className={styles.hint}>
        <Trans>
          If this server has no internet, download the files on another computer and choose them here.
        </Trans>
      </p>
      <ModelFilesChooser models={models} />
    </>
  );
}

/** For administrators: speech models, and limits of transcripts. */
export function TranscriptSettings() {
  const { t } = useLingui();
  const answer = useSpeechModels();
  const { data } = answer;
  return (
    <div className={styles.page}>
      <Section
        title={<Trans>Transcripts</Trans>}
        hint={
          (data?.engine !== 'elsewhere' || data.address === null) && (
            <Trans>Earshot turns speech into text on this server. No audio leaves it.</Trans>
          )
        }
      >
        <QueryState of={speechModelsKey} answer={answer} label={t`Opening…`} />
        {data && <Models data={data} />}
      </Section>
      <TranscriptLimits />
    </div>
  );
}
