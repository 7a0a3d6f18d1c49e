import { expect, test } from 'vitest';
import { hour, second } from '#base/duration.ts';
import { ProblemError } from '#server/http/problem.ts';
import { createWindowConverter } from './convert-window.ts';

const converter = createWindowConverter(async () => null);
const window = { channels: 1, title: 'Anna', date: null, chapters: [] };

test('states the length of a WAV file', () => {
  expect(converter.headersOf({ ...window, format: 'wav', durationMs: 2 * second })).toMatchObject({
    'Content-Type': 'audio/wav',
    'Content-Length': String(44 + 2 * 48_000 * 2),
  });
});

test('rejects a WAV file whose length its header cannot state, as downloads of the owner do', () => {
  const tooLong = () => converter.headersOf({ ...window, format: 'wav', durationMs: 13 * hour });
  expect(tooLong).toThrow(ProblemError);
  expect(tooLong).toThrow(expect.objectContaining({ code: 'validation', status: 422 }));
  expect(converter.headersOf({ ...window, format: 'flac', durationMs: 13 * hour })).not.toHaveProperty(
    'Content-Length',
  );
});
