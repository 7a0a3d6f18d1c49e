import { describe, expect, test } from 'vitest';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { limits } from '#contract/limits.ts';
import { readSegmentFacts, soundMsOf } from '#audio/ogg/joined-facts.ts';
import { joinTake, joinTakeSections, type TakePiece } from './joined-take.ts';

/** A complete Ogg file of `packets` packets of 20 ms. */
function oggOf(packets: number): Blob {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: packets,
    vendor: 'test',
  });
  const pages = writer.headers();
  for (let count = 0; count < packets; count += 1) {
    const page = writer.push(Uint8Array.of(0xf8, count % 256, 0xfe));
    if (page) pages.push(page);
  }
  return new Blob(
    [...pages, ...writer.finish(packets * 960 - 312)].map(({ bytes }) => Uint8Array.from(bytes)),
  );
}

const piece = (startMs: number, file: Blob, container: TakePiece['container'] = 'ogg'): TakePiece => ({
  startMs,
  file,
  container,
});

async function soundMs(audio: Blob): Promise<number> {
  const bytes = new Uint8Array(await audio.arrayBuffer());
  const facts = await readSegmentFacts((from, to) => Promise.resolve(bytes.slice(from, to)), bytes.length);
  if (!facts) throw new Error('no sound');
  return soundMsOf(facts);
}

describe('joining a take on this device', () => {
  test('returns a single piece byte for byte', async () => {
    const file = oggOf(100);
    const { audio, isPartlySilent } = await joinTake([piece(0, file)], 2000);
    expect(new Uint8Array(await audio.arrayBuffer())).toEqual(new Uint8Array(await file.arrayBuffer()));
    expect(isPartlySilent).toBe(false);
  });

  test('reads a repeated header of MP4 as a box without a meaning', async () => {
    const header = '\0\0\0\u0009moof!';
    const { audio } = await joinTake([piece(0, new Blob([header, header, 'sound']), 'mp4')], 2000);
    expect(await audio.text()).toBe(`\0\0\0\u0009free!${header}sound`);
  });

  test('joins several pieces to the length of the timeline, including gaps and trailing silence', async () => {
    const { audio, isPartlySilent } = await joinTake(
      [piece(0, oggOf(100)), piece(5000, oggOf(50)), piece(70_000, oggOf(150))],
      75_000,
    );
    expect(audio.type).toContain('audio/ogg');
    expect(Math.abs((await soundMs(audio)) - 75_000)).toBeLessThanOrEqual(50);
    expect(isPartlySilent).toBe(false);
  });

  test('inserts silence for pieces of MediaRecorder and reports it', async () => {
    const { audio, isPartlySilent } = await joinTake(
      [piece(0, oggOf(100)), piece(2500, new Blob(['webm']), 'webm'), piece(9000, oggOf(50))],
      10_000,
    );
    expect(isPartlySilent).toBe(true);
    expect(Math.abs((await soundMs(audio)) - 10_000)).toBeLessThanOrEqual(50);
  });

  test('returns a single MediaRecorder piece unchanged', async () => {
    const { audio, isPartlySilent } = await joinTake([piece(0, new Blob(['mp4']), 'mp4')], 1000);
    expect([await audio.text(), audio.type, isPartlySilent]).toEqual(['mp4', 'audio/mp4', false]);
  });

  test("M2: splits a take of more than twelve hours into sections, each of its part's length", async () => {
    const halfDayMs = limits.audioSectionMs;
    const pieces = [
      piece(0, oggOf(100)),
      piece(halfDayMs - 700, oggOf(150)),
      piece(halfDayMs + 60_000, oggOf(50)),
    ];
    const sections = (await joinTakeSections(pieces, halfDayMs + 61_000)) ?? [];
    const lengths = await Promise.all(sections.map(soundMs));
    expect(lengths[0]).toBe(halfDayMs);
    expect(Math.abs((lengths[1] ?? 0) - 61_000)).toBeLessThanOrEqual(25);
    expect(await joinTakeSections(pieces.slice(0, 1), halfDayMs + 500)).toBeNull();
    expect(await joinTakeSections([piece(0, new Blob(['mp4']), 'mp4')], 2 * halfDayMs)).toBeNull();
  });

  test('returns an empty file for a take without pieces', async () => {
    expect((await joinTake([], 0)).audio.size).toBe(0);
  });
});
