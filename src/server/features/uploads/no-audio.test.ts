import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeOggPage } from '#audio/ogg/ogg-page.ts';
import { isNoAudio, judgedBytes } from './no-audio.ts';

const webm = readFileSync(new URL('../../../../tests/fixtures/speech-1961.webm', import.meta.url));
const zeros = Buffer.alloc(judgedBytes);
const page = writeOggPage({
  granulePosition: 960,
  serialNumber: 1,
  sequenceNumber: 7,
  startsStream: false,
  endsStream: false,
  packets: [Uint8Array.of(0xf8, 0xff, 0xfe)],
});
const mp4 = Buffer.concat([Buffer.of(0, 0, 0, 24), Buffer.from('ftypiso5'), zeros.subarray(0, 100)]);

test.for([
  ['an Ogg page', page],
  ['WebM', webm.subarray(0, judgedBytes)],
  ['MP4', mp4],
  ['an Ogg page behind damaged bytes', Buffer.concat([zeros.subarray(0, 40_000), page])],
  ['a WebM file without its header', webm.subarray(64, judgedBytes)],
] as const)('%s may be audio', ([, bytes]) => {
  expect(isNoAudio(bytes)).toBe(false);
});

test.for([
  ['zeros', zeros],
  ['text', Buffer.from('sound '.repeat(10_000))],
  ['a PNG', Buffer.from('\u0089PNG\r\n\u001A\n'.padEnd(5000, '\u0007'), 'latin1')],
] as const)('%s: no audio', ([, bytes]) => {
  expect(isNoAudio(bytes)).toBe(true);
});
