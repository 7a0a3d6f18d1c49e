import { describe, expect, test } from 'vitest';
import { mixedChannels, speakerMask } from './mixed-channels.ts';

/** The channels that a filter mixes into its outputs. */
const mixedBy = (filter: string | null): number[] =>
  [...new Set([...(filter ?? '').matchAll(/\*c(\d+)/g)].map(([, channel]) => Number(channel)))].toSorted(
    (a, b) => a - b,
  );
const countTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

describe('mixing channels', () => {
  test.for([1, 2])('plays %i as they are', (channels) => {
    expect(mixedChannels({ channels, layout: null })).toEqual({ channels, filter: null });
  });

  test.for([3, 6, 8, 10, 24, 60])(
    'hears each of %i without loudspeakers as loud as the others',
    (channels) => {
      const { channels: played, filter } = mixedChannels({ channels, layout: null });
      expect(played).toBe(1);
      expect(mixedBy(filter)).toEqual(countTo(channels));
      expect(filter).not.toMatch(/0\.\d+\*/);
    },
  );

  test.for([
    ['2.1', 3],
    ['quad', 4],
    ['5.1', 6],
    ['5.1(side)', 6],
    ['7.1', 8],
    ['7.1(wide)', 8],
  ] as const)('leaves out no loudspeaker of %s', ([layout, channels]) => {
    const { channels: played, filter } = mixedChannels({ channels, layout });
    expect(played).toBe(2);
    expect(mixedBy(filter)).toEqual(countTo(channels));
  });

  test('keeps the left and the right of stated loudspeakers apart', () => {
    expect(mixedChannels({ channels: 6, layout: '5.1' }).filter).toContain(
      'pan=stereo|c0=1*c0+0.7071*c2+0.7071*c3+0.7071*c4|c1=1*c1+0.7071*c2+0.7071*c3+0.7071*c5',
    );
  });

  test.for([
    ['5.1', 8],
    ['22.2', 24],
  ] as const)('takes channels for microphones if %s does not name all of %i', ([layout, channels]) => {
    expect(mixedChannels({ channels, layout }).channels).toBe(1);
  });
});

test.for([
  [{ channels: 1, layout: null }, 0x4],
  [{ channels: 2, layout: null }, 0x3],
  [{ channels: 6, layout: null }, 0],
  [{ channels: 10, layout: null }, 0],
  [{ channels: 6, layout: '5.1' }, 0x3f],
  [{ channels: 6, layout: '5.1(side)' }, 0x60f],
  [{ channels: 4, layout: 'quad' }, 0x33],
] as const)('a WAV header states no loudspeaker that the source does not state: %o', ([sound, mask]) => {
  expect(speakerMask(sound)).toBe(mask);
});
