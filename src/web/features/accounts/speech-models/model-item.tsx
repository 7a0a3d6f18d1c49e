import { useId, useState, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { SettingsItem } from '#web/features/accounts/parts/section.tsx';
import { Downloaded, Failure, ModelSpaceNotice, Purpose, TestResult } from './model-facts.tsx';
import { type ShownModel, type ShownModels, speechModelsKey } from './use-speech-models.ts';
import styles from '#web/features/accounts/parts/settings.module.css';
import ownStyles from './speech-models.module.css';

type ModelCall = 'downloadSpeechModel' | 'pauseSpeechModel' | 'testSpeechModel' | 'removeSpeechModel';

function useModelCalls({ name }: ShownModel) {
  const client = useQueryClient();
  return useAction(async (which: ModelCall) => {
    await call(which, { params: { name } });
    await client.invalidateQueries({ queryKey: speechModelsKey });
  });
}

/** `titleId` is the id of the model's title, which tells the buttons of several models apart. */
interface ButtonProps {
  model: ShownModel;
  titleId: string;
  calls: ReturnType<typeof useModelCalls>;
}

function DeleteButton({ titleId, calls: { run } }: ButtonProps) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="plain" aria-describedby={titleId} onPress={() => setConfirming(true)}>
        <Trans>Delete</Trans>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Delete permanently?</Trans>}
          action={<Trans>Delete permanently</Trans>}
          onConfirm={() => run('removeSpeechModel')}
          onClose={() => setConfirming(false)}
        >
          <p>
            <Trans>
              Recordings can’t be transcribed with this model until it’s downloaded again. Transcripts stay.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The button that comes next for a model. */
function MainButton({ model: { state, missingSpace }, titleId, calls: { run, isPending } }: ButtonProps) {
  const button = (which: ModelCall, children: ReactNode) => (
    <Button
      aria-describedby={titleId}
      isPending={isPending}
      isDisabled={which === 'downloadSpeechModel' && missingSpace !== null}
      onPress={() => run(which)}
    >
      {children}
    </Button>
  );
  switch (state) {
    case 'absent':
      return button('downloadSpeechModel', <Trans>Download</Trans>);
    case 'downloading':
      return button('pauseSpeechModel', <Trans>Pause</Trans>);
    case 'paused':
      return button('downloadSpeechModel', <Trans>Continue</Trans>);
    case 'failed':
      return button('downloadSpeechModel', <Trans>Try again</Trans>);
    case 'ready':
      return button('testSpeechModel', <Trans>Test again</Trans>);
    case 'untested':
      return button('testSpeechModel', <Trans>Test</Trans>);
    case 'checking':
      return null;
  }
}

function Badge({ state }: Pick<ShownModel, 'state'>) {
  switch (state) {
    case 'ready':
      return <Trans>Ready</Trans>;
    case 'untested':
      return <Trans>Ready, not tested</Trans>;
    case 'checking':
      return <Trans>Being checked and tested</Trans>;
    case 'paused':
      return <Trans>Paused</Trans>;
    case 'downloading':
    case 'failed':
    case 'absent':
      return null;
  }
}

const hasBadge: ReadonlySet<ShownModel['state']> = new Set(['ready', 'untested', 'checking', 'paused']);

/** A speech model: what it is, its state, and what can be done with it. */
export function ModelItem({ model, host }: { model: ShownModel } & Pick<ShownModels, 'host'>) {
  const { fileSize, number } = useFormat();
  const titleId = useId();
  const buttons = { model, titleId, calls: useModelCalls(model) };
  const { title, state, storedBytes, sizeBytes, licence } = model;
  const [size, languages] = [fileSize(sizeBytes), number(model.languages.length)];
  const isPartial = state === 'downloading' || state === 'paused';
  return (
    <SettingsItem
      title={
        <>
          <bdi id={titleId} translate="no">
            {title}
          </bdi>
          {hasBadge.has(state) && (
            <span className={styles.badge}>
              <Badge state={state} />
            </span>
          )}
        </>
      }
      actions={
        <>
          <MainButton {...buttons} />
          {state !== 'absent' && <DeleteButton {...buttons} />}
        </>
      }
      below={
        isPartial && (
          <ProgressBar
            isSlim
            className={ownStyles.progress}
            label={title}
            done={storedBytes}
            all={sizeBytes}
          />
        )
      }
    >
      <span className={styles.fact}>
        <Trans>
          {size} · Languages: {languages} · Licence: {licence}
        </Trans>
      </span>
      <span className={styles.fact}>
        <Purpose name={model.name} />
      </span>
      {isPartial && <Downloaded {...model} />}
      <TestResult test={model.test} />
      {state === 'failed' && <Failure model={model} host={host} />}
      {(state === 'absent' || state === 'failed' || state === 'paused') && <ModelSpaceNotice {...model} />}
    </SettingsItem>
  );
}
