import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Mic, Play } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { LevelBar } from '#web/features/recorder/live/level-meter.tsx';
import { openMicrophoneCheck, type CheckResult, type MicrophoneCheck } from './microphone-check.ts';
import { useMicrophoneSign } from './use-microphone-sign.ts';
import styles from './settings.module.css';

type Test =
  | { status: 'off' }
  | { status: 'asking' }
  | { status: 'rejected' }
  | { status: 'listening'; check: MicrophoneCheck }
  | { status: 'heard'; check: MicrophoneCheck; result: CheckResult }
  | { status: 'playing'; check: MicrophoneCheck; result: CheckResult };

const verdicts: Readonly<Record<CheckResult, ReactNode>> = {
  unmeasured: <Trans>Level isn’t available</Trans>,
  nothing: (
    <Trans>
      No sound detected. Is the microphone muted or unplugged, or is it the wrong one? Choose another and test
      again.
    </Trans>
  ),
  quiet: <Trans>Very quiet. Move closer to the microphone, or turn it up in this device’s settings.</Trans>,
  loud: <Trans>Too loud: the sound is distorted. Move away a little, or turn the microphone down.</Trans>,
  well: <Trans>Your voice comes through well.</Trans>,
};

function useMicrophoneTest() {
  const [test, setTest] = useState<Test>({ status: 'off' });
  const opened = useRef<MicrophoneCheck>(null);
  const isGone = useRef(false);

  // Releases the microphone on unmount, even if the browser's permission prompt is still open.
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      opened.current?.close();
    };
  }, []);

  const play = async (check: MicrophoneCheck, result: CheckResult) => {
    setTest({ status: 'playing', check, result });
    await check.play().catch(() => undefined);
    if (!isGone.current) setTest({ status: 'heard', check, result });
  };
  const run = async () => {
    opened.current?.close();
    opened.current = null;
    setTest({ status: 'asking' });
    const check = await openMicrophoneCheck().catch(() => null);
    if (check && isGone.current) {
      check.close();
      check.result.catch(() => undefined);
      return;
    }
    if (!check) {
      setTest({ status: 'rejected' });
      return;
    }
    opened.current = check;
    setTest({ status: 'listening', check });
    const result = await check.result.catch(() => null);
    if (result === null || isGone.current) return;
    if (result === 'nothing' || result === 'unmeasured') setTest({ status: 'heard', check, result });
    else await play(check, result);
  };

  return { test, run, play };
}

function TestStatus({ test }: { test: Test }) {
  switch (test.status) {
    case 'off':
    case 'asking':
      return (
        <p className={styles.note}>
          <Trans>Speak for five seconds, then listen to yourself. The test isn’t saved.</Trans>
        </p>
      );
    case 'listening':
      return (
        <>
          <output className={styles.note}>
            <Trans>Speak now. The line should move.</Trans>
            {test.check.label !== null && (
              <>
                {' '}
                <UserText>{test.check.label}</UserText>
              </>
            )}
          </output>
          <LevelBar level={test.check.level} isOn />
        </>
      );
    case 'playing':
      return (
        <output className={styles.note}>
          <Trans>Here’s how you sound.</Trans>
        </output>
      );
    case 'heard':
      return (
        <Notice tone={test.result === 'well' ? 'safe' : 'warn'}>
          <output>{verdicts[test.result]}</output>
        </Notice>
      );
    case 'rejected':
      return (
        <Notice tone="warn" role="alert">
          <Trans>Couldn’t open the microphone. Press Record on the recorder page to see why.</Trans>
        </Notice>
      );
  }
}

/** Records five seconds and plays them back. Nothing is stored. */
export function MicrophoneTest() {
  const { test, run, play } = useMicrophoneTest();
  useMicrophoneSign(test.status === 'listening');
  const isBusy = test.status === 'listening' || test.status === 'playing';
  return (
    <div className={styles.test}>
      {!isBusy && (
        <Button
          icon={<Mic />}
          isPending={test.status === 'asking'}
          onPress={() => {
            void run();
          }}
        >
          {test.status === 'heard' ? <Trans>Test again</Trans> : <Trans>Test microphone</Trans>}
        </Button>
      )}
      {test.status === 'heard' && test.result !== 'nothing' && test.result !== 'unmeasured' && (
        <Button
          variant="plain"
          icon={<Play />}
          onPress={() => {
            void play(test.check, test.result);
          }}
        >
          <Trans>Play again</Trans>
        </Button>
      )}
      <div className={styles.testBody}>
        <TestStatus test={test} />
      </div>
    </div>
  );
}
