import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { readWords } from './read-words.ts';
import { transcriptBatches } from './transcript-batches.ts';

const file = { format: 'earshot-transcript', version: 1, transcript: null, lines: [], corrections: [] };
const line = (fromMs: number, text = 'wool') => ({
  fromMs,
  toMs: fromMs + 1,
  text,
  times: [[fromMs, fromMs + 1, text.length]],
  chunkFromMs: fromMs,
  chunkToMs: fromMs + 1,
  timing: 'word',
  doubt: null,
  cause: null,
  language: null,
});
const read = (content: object) => readWords(JSON.stringify({ ...file, ...content }));

test('reads what later versions add, without the additions', () => {
  const words = read({ added: 1, lines: [{ ...line(0), speaker: 'Anna' }] });
  expect(words).toEqual({ transcript: null, lines: [line(0)], corrections: [], unreadable: 0 });
});

test('leaves out lines and corrections that cannot be read, and counts them', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const wrong = [
    null,
    1,
    [],
    {},
    { ...line(1), toMs: -1 },
    { ...line(1), times: 'x' },
    line(0.5),
    line(1, '\0'),
  ];
  const words = read({ lines: [...wrong, line(1)], corrections: [{ id: 'x' }] });
  expect([words.lines, words.corrections, words.unreadable]).toEqual([[line(1)], [], wrong.length + 1]);
  expect(readWords(JSON.stringify(file).replace('"lines":[]', `"lines":[${deep}]`)).unreadable).toBe(1);
});

test('rejects a file that is none', () => {
  for (const content of [{ version: 2 }, { format: 'x' }, { lines: {} }, { transcript: { state: 'ready' } }])
    expect(() => read(content)).toThrow('');
  expect(() => readWords('{')).toThrow(SyntaxError);
});

test('reads no more lines than a server takes', () => {
  const max = serverLimits.transcript.linesPerRecording;
  const json = JSON.stringify(line(0));
  const text = JSON.stringify(file).replace('"lines":[]', `"lines":[${`${json},`.repeat(max + 4)}${json}]`);
  const words = readWords(text);
  expect([words.lines.length, words.unreadable]).toEqual([max, 5]);
});

test('sends a transcript in requests that the server accepts, in order and without loss', () => {
  const lines = Array.from({ length: 2001 }, (_line, index) => line(index, '字'.repeat(2000)));
  const words = read({ lines });
  const batches = transcriptBatches(words, 5000);
  expect(batches.flatMap((batch) => batch.lines)).toEqual(lines);
  for (const batch of batches) {
    expect(batch.lines.length).toBeLessThanOrEqual(limits.restore.linesPerCall);
    expect(new TextEncoder().encode(JSON.stringify(batch)).length).toBeLessThan(limits.restore.bodySizeBytes);
  }
});
