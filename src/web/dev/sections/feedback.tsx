import { useLingui } from '@lingui/react/macro';
import { AudioLines } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { StatusPill } from '#web/ui/feedback/status-pill.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { longTitle } from '#web/dev/sample-data.ts';
import { Part, State, States } from '#web/dev/states.tsx';

const pills = ['safe', 'device', 'warn', 'neutral'] as const;
const tones = ['info', 'warn', 'danger', 'safe'] as const;

export function Feedback() {
  const { t } = useLingui();
  return (
    <>
      <Part name="feedback/status-pill">
        <States>
          {pills.map((tone) => (
            <State key={tone} name={tone}>
              <StatusPill tone={tone}>{t`Saved on this device`}</StatusPill>
            </State>
          ))}
        </States>
      </Part>
      <Part name="feedback/notice">
        {tones.map((tone) => (
          <State wide key={tone} name={tone}>
            <Notice
              tone={tone}
              title={t`Recording`}
              action={<Button>{t`Close`}</Button>}
            >{t`That did not work. Please try again.`}</Notice>
          </State>
        ))}
        <State wide name="long, without title or action">
          <Notice tone="info">{longTitle.repeat(4)}</Notice>
        </State>
      </Part>
      <Part name="feedback/empty-state, spinner">
        <State wide name="empty">
          <EmptyState
            icon={<AudioLines />}
            title={t`No recordings yet`}
            action={<Button variant="primary">{t`Record`}</Button>}
          >{t`What you record appears here.`}</EmptyState>
        </State>
        <State wide name="spinner">
          <Spinner label={t`Loading`} />
        </State>
      </Part>
      <Part name="text/page-header, timecode">
        <State wide name="header">
          <PageHeader
            title={longTitle}
            meta={<Timecode ms={4_512_345} tenths />}
            actions={<Button>{t`Rename`}</Button>}
          />
        </State>
      </Part>
    </>
  );
}
