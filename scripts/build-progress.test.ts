import { expect, test } from 'vitest';
import { BuildProgress } from './build-progress.ts';

/** A stream that keeps its text, and a clock that the test moves. */
function progressTo(stream: { isTTY?: boolean; columns?: number }) {
  const state = { text: '', nowMs: 0 };
  const progress = new BuildProgress({ ...stream, write: (text) => (state.text += text) }, () => state.nowMs);
  return { state, progress };
}

/** What a terminal shows after this text. */
const screenAfter = (text: string): string[] =>
  text.split('\n').map((line) => line.split('\r\u001B[K').at(-1) ?? '');

test('a log gets one line for each step that has ended, and nothing else', () => {
  const { state, progress } = progressTo({});
  progress.start('Compile');
  state.nowMs = 4600;
  progress.redraw();
  progress.start('Compress');
  progress.end('Compile');
  state.nowMs = 6600;
  progress.end('Compress');
  progress.close();
  expect(state.text).toBe('  Compile: 5 s\n  Compress: 2 s\n');
});

test('a terminal shows the steps that have ended, and below them those that run, with the time so far', () => {
  const { state, progress } = progressTo({ isTTY: true, columns: 80 });
  progress.start('Compile');
  state.nowMs = 4000;
  progress.end('Compile');
  progress.start('Compress');
  progress.start('Prerender');
  state.nowMs = 7000;
  progress.redraw();
  expect(screenAfter(state.text)).toEqual(['  Compile: 4 s', '  Compress, Prerender… 3 s']);
  progress.print('a warning of the compiler\n');
  expect(screenAfter(state.text)).toEqual([
    '  Compile: 4 s',
    'a warning of the compiler',
    '  Compress, Prerender… 3 s',
  ]);
  progress.close();
  expect(screenAfter(state.text)).toEqual(['  Compile: 4 s', 'a warning of the compiler', '']);
});

test.each([
  [12, '  Compile t'],
  [0, '  Compile the app… 0 s'],
])('the line with the running steps never wraps in a terminal of %i columns', (columns, line) => {
  const { state, progress } = progressTo({ isTTY: true, columns });
  progress.start('Compile the app');
  expect(screenAfter(state.text)).toEqual([line]);
});
