import { Cpu, HardDrive, Lock, Mic, MicOff, Unplug, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import type { RefusalReason } from '../take/take.ts';
import { PermissionSteps } from './permission-steps.tsx';
import styles from './refused.module.css';

export interface RefusedPanelProps {
  reason: RefusalReason;
  onRetry: () => void;
  onLeave: () => void;
}

interface Help { icon: LucideIcon; title: ReactNode; body: ReactNode; steps?: ReactNode }

function helpFor(reason: RefusalReason): Help {
  switch (reason) {
    case 'microphone-refused': return {
      icon: MicOff, title: <Trans>The microphone is blocked</Trans>,
      body: <Trans>This browser does not let Earshot use the microphone. You can change that at any time; it is needed only while you record.</Trans>,
      steps: <PermissionSteps />,
    };
    case 'microphone-missing': return {
      icon: Unplug, title: <Trans>No microphone was found</Trans>,
      body: <Trans>Plug in a microphone or a headset, or switch on the one that is built in, then try again. Some computers have none of their own.</Trans>,
    };
    case 'microphone-busy': return {
      icon: Mic, title: <Trans>Another program is using the microphone</Trans>,
      body: <Trans>Close the call or the program that uses it, or choose another microphone below, then try again. If nothing else uses it, unplug it and plug it in again.</Trans>,
    };
    case 'insecure-page': return {
      icon: Lock, title: <Trans>This page is not secure</Trans>,
      body: <Trans>Browsers give the microphone only to pages that came over a secure connection. Open this page with an address that begins with https, or ask the person who runs this server.</Trans>,
    };
    case 'storage-refused': return {
      icon: HardDrive, title: <Trans>This browser does not let Earshot store recordings</Trans>,
      body: <Trans>Earshot stores every second on this device before it does anything else. Allow this site to store data in the browser’s settings, or leave the private window, then try again. If you sign in, recordings can go straight to the server instead.</Trans>,
    };
    case 'storage-full': return {
      icon: HardDrive, title: <Trans>This device is full</Trans>,
      body: <Trans>There is no room left to keep a recording. Free some space on this device, or delete recordings in the trash, then try again.</Trans>,
    };
    case 'encoder-missing': return {
      icon: Cpu, title: <Trans>This browser cannot record yet</Trans>,
      body: <Trans>It lacks the sound encoder that Earshot needs. A current Chrome, Edge, Firefox or Safari on a computer has it.</Trans>,
    };
    case 'internal': return {
      icon: Cpu, title: <Trans>The recorder could not start</Trans>,
      body: <Trans>No sound came from this device. Close other programs that use sound, or reload this page, then try again. Nothing was lost: no recording had begun.</Trans>,
    };
  }
}

const focusOnArrival = (heading: HTMLHeadingElement | null) => { heading?.focus(); };

/** Why nothing could be recorded, and what to do. Its heading takes the focus, because the button that was pressed is gone. */
export function RefusedPanel({ reason, onRetry, onLeave }: RefusedPanelProps) {
  const { icon: Icon, title, body, steps } = helpFor(reason);
  return (
    <section className={styles.panel} aria-labelledby="refused-title">
      <span aria-hidden className={styles.icon}><Icon /></span>
      <h2 id="refused-title" ref={focusOnArrival} tabIndex={-1} className={styles.title}>{title}</h2>
      <p className={styles.body}>{body}</p>
      {steps}
      <div className={styles.actions}>
        <Button variant="primary" size="l" onPress={onRetry}><Trans>Try again</Trans></Button>
        <Button variant="plain" size="l" onPress={onLeave}><Trans>Not now</Trans></Button>
      </div>
    </section>
  );
}
