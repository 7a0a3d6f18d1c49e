import { useEffect, useRef, useState } from 'react';
import { Mic, Square } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { openLevelProbe, type LevelProbe } from '../devices/level-probe.ts';
import { LevelMeter } from '../live/level-meter.tsx';
import styles from './settings.module.css';

type Test = { status: 'off' } | { status: 'asking' } | { status: 'on'; probe: LevelProbe } | { status: 'refused' };



/** Shows that the chosen microphone hears something; nothing of it is kept. */
export function MicrophoneTest() {
  const [test, setTest] = useState<Test>({ status: 'off' });
  const probe = useRef<LevelProbe>(null);
  const isGone = useRef(false);

  // The microphone is let go when this leaves the screen, also while the question is still open.
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      probe.current?.close();
    };
  }, []);

  const handleStart = async () => {
    setTest({ status: 'asking' });
    try {
      const opened = await openLevelProbe();
      if (isGone.current) { opened.close(); return; }
      probe.current = opened;
      setTest({ status: 'on', probe: opened });
    } catch {
      setTest({ status: 'refused' });
    }
  };
  const handleStop = () => {
    probe.current?.close();
    probe.current = null;
    setTest({ status: 'off' });
  };

  return (
    <div className={styles.test}>
      {test.status === 'on'
        ? <Button icon={<Square />} onPress={handleStop}><Trans>End the test</Trans></Button>
        : <Button icon={<Mic />} isPending={test.status === 'asking'} onPress={() => { void handleStart(); }}><Trans>Test the microphone</Trans></Button>}
      <div className={styles.testBody}>
        {test.status === 'on' && <>
          <p className={styles.note}><Trans>Say something: the line should move.</Trans>{test.probe.label !== null && <> <UserText>{test.probe.label}</UserText></>}</p>
          <LevelMeter level={test.probe.level} isOn />
        </>}
        {test.status !== 'on' && test.status !== 'refused' && <p className={styles.note}><Trans>Nothing of the test is recorded.</Trans></p>}
        {test.status === 'refused' && <Notice tone="warn" role="alert"><Trans>The microphone could not be opened. Press Record on the recorder page to see what is in the way.</Trans></Notice>}
      </div>
    </div>
  );
}
