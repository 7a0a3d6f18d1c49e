import { expect, test } from 'vitest';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { numberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { oggEndingAt } from '#tests/support/strange-sound.ts';
import { countPacketSamples } from './count-packets.ts';
import { readSegmentFacts, soundMsOf } from './joined-facts.ts';
import { layOut } from './joined-layout.ts';
import { silentBytes } from './joined-silence.ts';
import { oggCrc32 } from './ogg-crc.ts';
import { wholePages } from './ogg-prefix.ts';
import { readOpusHead, readOpusTags, writeOpusHead, writeOpusTags } from './opus-headers.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

const whole = oggEndingAt(10_000n);
const pagesAt = [...whole.keys()].filter((at) => whole.toString('latin1', at, at + 4) === 'OggS');

/** Updates the checksum of every page, so that readers accept its changed numbers. */
function withChecksums(bytes: Buffer): Buffer {
  for (const [index, at] of pagesAt.entries()) {
    const page = bytes.subarray(at, pagesAt[index + 1]);
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(oggCrc32(page), 22);
  }
  return bytes;
}

test('limits sound to what the bytes can hold, for any damaged number with right checksums', async () => {
  const maxMs = maxSoundMsOf(whole.length);
  for (const damage of numberDamages(0, whole.length)) {
    const bytes = withChecksums(withNumber(whole, damage));
    const read = async (from: number, to: number): Promise<Uint8Array> => bytes.subarray(from, to);
    expect(wholePages(bytes).validBytes).toBeLessThanOrEqual(bytes.length);
    const facts = await readSegmentFacts(read, bytes.length);
    if (facts === null) continue;
    expect(soundMsOf(facts)).toBeLessThanOrEqual(maxMs);
    const layout = layOut([{ startMs: 0, facts }], { isEnded: true, endMs: soundMsOf(facts) });
    // A pre-skip of 16 bits is at most 1.4 seconds, which are filled with silence.
    expect(layout.sizeBytes).toBeLessThanOrEqual(bytes.length + silentBytes(2 * opusGranuleRateHz));
    const samples = await countPacketSamples(read, {
      startByte: facts.headersBytes,
      sizeBytes: bytes.length,
    });
    // Each byte of the segment tables starts at most one packet, of at most 120 ms.
    expect(samples / opusGranuleRateHz).toBeLessThanOrEqual(bytes.length * 0.12 + maxMs / 1000);
  }
});

test('reads headers with any damaged number within their bytes, or not at all', () => {
  const [head, tags] = [
    writeOpusHead({ channels: 2, preSkip: 312, inputSampleRateHz: 48_000 }),
    writeOpusTags({ vendor: 'Earshot', comments: ['TITLE=Wool', 'ARTIST=Ann'] }),
  ];
  for (const damage of numberDamages(0, head.length))
    expect(readOpusHead(withNumber(head, damage))?.preSkip ?? 0).toBeLessThanOrEqual(0xffff);
  for (const damage of numberDamages(0, tags.length))
    expect(readOpusTags(withNumber(tags, damage))?.comments.length ?? 0).toBeLessThanOrEqual(tags.length / 4);
});
