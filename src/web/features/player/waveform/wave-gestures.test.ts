import { expect, test } from 'vitest';
import { listenToOverview } from './wave-gestures.ts';
import type { Waveform } from './waveform.ts';

/** An overview of 100 seconds that is 100 pixels wide, and what a pointer does to its waveform. */
function setUp({ isWhole }: { isWhole: boolean }) {
  const element = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, width: 100 }),
    setPointerCapture: () => undefined,
  }) as unknown as HTMLElement;
  const done: string[] = [];
  const waveform = {
    isWhole,
    getSnapshot: () => ({ durationMs: 100_000 }),
    seek: (ms: number) => done.push(`seek to ${ms}`),
    scrubTo: (ms: number) => done.push(`scrub to ${ms}`),
    centreOn: (ms: number) => done.push(`centre on ${ms}`),
    commitScrub: () => done.push('commit'),
  } as unknown as Waveform;
  listenToOverview(element, waveform);
  const point = (type: string, clientX: number): void => {
    element.dispatchEvent(Object.assign(new Event(type), { button: 0, pointerId: 1, clientX }));
  };
  return { point, done };
}

test('a press on the overview seeks, also if the hand moves a little', () => {
  for (const isWhole of [true, false]) {
    const { point, done } = setUp({ isWhole });
    point('pointerdown', 50);
    point('pointermove', 51);
    point('pointermove', 49);
    point('pointerup', 49);
    expect(done).toEqual(['seek to 49000']);
  }
});

test('a drag on the overview centres the view of a part, and scrubs in the whole', () => {
  const part = setUp({ isWhole: false });
  const whole = setUp({ isWhole: true });
  for (const { point } of [part, whole]) {
    point('pointerdown', 50);
    point('pointermove', 60);
    point('pointermove', 61);
    point('pointerup', 61);
  }
  expect(part.done).toEqual(['centre on 60000', 'centre on 61000', 'commit']);
  expect(whole.done).toEqual(['scrub to 60000', 'scrub to 61000', 'commit']);
});
