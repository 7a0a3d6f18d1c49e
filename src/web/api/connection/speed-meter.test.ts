import { expect, test } from 'vitest';
import { SpeedMeter } from './speed-meter.ts';

test('derives speed and time left from the last seconds, and reports none before 1.5 seconds of data', () => {
  const meter = new SpeedMeter();
  meter.mark(0, 0);
  meter.mark(1_000_000, 1000);
  expect(meter.bytesPerSecond).toBeNull();
  meter.mark(4_000_000, 2000);
  expect(meter.bytesPerSecond).toBe(2_000_000);
  expect(meter.leftMs(6_000_000)).toBe(3000);
  for (let second = 3; second <= 20; second++) meter.mark(4_000_000 + (second - 2) * 500_000, second * 1000);
  expect(meter.bytesPerSecond).toBe(500_000);
});

test('reports no speed for an upload that restarts or stalls', () => {
  const meter = new SpeedMeter();
  meter.mark(5_000_000, 0);
  meter.mark(9_000_000, 4000);
  meter.mark(0, 5000);
  expect(meter.bytesPerSecond).toBeNull();
  meter.mark(0, 9000);
  expect(meter.bytesPerSecond).toBeNull();
});
