import { describe, expect, test } from 'vitest';
import { type FilledLoss, ZeroFill } from './zero-fill.ts';

const rateHz = 48_000;
const blockFrames = 960;

/** A voice with silence put over it; `fadeMs` is how long the sound takes to become silent, and to come back. */
function found({
  level = 0.2,
  fromMs = 1000,
  forMs = 60,
  fadeMs = 0,
  latenessMs = 0,
}: {
  level?: number;
  fromMs?: number;
  forMs?: number;
  fadeMs?: number;
  latenessMs?: number;
}): (FilledLoss & { endedAtMs: number })[] {
  const fill = new ZeroFill(rateHz);
  const losses: (FilledLoss & { endedAtMs: number })[] = [];
  for (let block = 0; block < 150; block += 1) {
    const samples = Float32Array.from({ length: blockFrames }, (_, index) => {
      const atMs = ((block * blockFrames + index) * 1000) / rateHz;
      const outsideMs = Math.max(fromMs - atMs, atMs - (fromMs + forMs));
      if (outsideMs < 0) return 0;
      return level * Math.min(1, fadeMs === 0 ? 1 : outsideMs / fadeMs) * (Math.sin(atMs) + 1.1);
    });
    const untilMs = ((block + 1) * blockFrames * 1000) / rateHz;
    for (const loss of fill.push([samples], latenessMs))
      losses.push({ ...loss, endedAtMs: untilMs - loss.agoMs });
  }
  return losses;
}

describe('zeros between sound', () => {
  test('are lost sound if it breaks off and comes back at once', () => {
    const [loss, ...others] = found({});
    expect(others).toEqual([]);
    expect(Math.abs((loss?.durationMs ?? 0) - 60)).toBeLessThan(0.1);
    expect(Math.abs((loss?.endedAtMs ?? 0) - 1060)).toBeLessThan(0.1);
  });

  test('are silence of the microphone if a noise gate closes and opens', () => {
    expect(found({ fadeMs: 200, forMs: 300 })).toEqual([]);
    expect(found({ level: 0.002, forMs: 300 })).toEqual([]);
    expect(found({ fadeMs: 200, forMs: 300, latenessMs: 90 })).toEqual([]);
  });

  test('are silence of the microphone if it is muted', () => {
    expect(found({ forMs: 600 })).toEqual([]);
    expect(found({ fromMs: -1, forMs: 400 })).toEqual([]);
    expect(found({ fromMs: 2800, forMs: 400 })).toEqual([]);
  });

  test('are sound if there are few', () => {
    expect(found({ forMs: 15 })).toEqual([]);
  });

  test('are lost sound beside quiet sound only while the browser is busy', () => {
    const fill = (latenessMs: number) => {
      const zeroFill = new ZeroFill(rateHz);
      const block = (value: number) => [new Float32Array(blockFrames).fill(value)];
      return [0.2, 0, 0, 0.001, 0.001].flatMap((value) => zeroFill.push(block(value), latenessMs));
    };
    expect(fill(0)).toEqual([]);
    expect(fill(50)).toMatchObject([{ durationMs: 40 }]);
  });
});
