import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { unknownTime } from '#base/recorded-time/recorded-time.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { RecordingDetailsPanel } from './recording-details.tsx';

const recording: PlayableRecording = {
  id: '019ac000-0000-7000-8000-000000000001',
  title: 'Interview',
  recordedTime: unknownTime,
  isFavourite: false,
  language: null,
  durationMs: 60_000,
  state: 'ready',
  shownState: 'server',
  format: { codec: 'opus', sampleRateHz: 48_000, channels: 1 },
  sizeBytes: 1000,
  sha256: null,
  segments: [],
  storedMs: 60_000,
  microphoneSilenceMs: null,
  isDamaged: false,
  audioTracks: [],
  channels: null,
  quieterByDb: null,
  copyHereUntilMs: null,
  isPartlySilent: false,
  isIncompleteImport: false,
  hasNoSound: false,
  failureReason: null,
  deviceLabel: null,
  history: [],
  gaps: [],
  breaks: [],
  passages: [],
  markers: [],
  audioUrl: '',
  audioSections: null,
  audioFile: null,
  peaks: { read: async () => null } as unknown as PlayableRecording['peaks'],
};

const words = (microphoneSilenceMs: number | null): string => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <RecordingDetailsPanel recording={{ ...recording, microphoneSilenceMs }} />
    </I18nProvider>,
  )
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll('\u202f', ' ');
};

test('shows how long the microphone was silent, beside a recording that is complete', () => {
  expect(words(12_400)).toMatch(/Silence from the microphone +12 s in all\./u);
  expect(words(12_400)).toContain('This isn’t a gap');
  expect(words(12_400)).toContain('no gaps');
});

test('shows no silence if there was none, or if nothing measured it', () => {
  expect(words(0)).not.toContain('Silence');
  expect(words(null)).not.toContain('Silence');
});
