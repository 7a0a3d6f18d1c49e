import { describe, expect, test } from 'vitest';
import { channelNamesOf, namesInIxml } from './channel-names.ts';

const track = (channel: number, name: string, place?: number): string =>
  `<TRACK><CHANNEL_INDEX>${channel}</CHANNEL_INDEX>${
    place === undefined ? '' : `<INTERLEAVE_INDEX>${place}</INTERLEAVE_INDEX>`
  }<NAME>${name}</NAME></TRACK>`;
const document = (...tracks: string[]): string =>
  `<?xml version="1.0"?><BWFXML><PROJECT>Film</PROJECT><TRACK_LIST>${tracks.join('\n')}</TRACK_LIST></BWFXML>`;

describe('names of channels in iXML', () => {
  test.each([
    ['by place in the file', document(track(3, 'Boom', 1), track(4, 'Ana', 2)), ['Boom', 'Ana']],
    ['by channel without a place', document(track(1, 'MixL'), track(2, 'MixR')), ['MixL', 'MixR']],
    ['with a channel left out', document(track(1, 'Boom'), track(4, 'Lav')), ['Boom', '', '', 'Lav']],
    ['with entities', document(track(1, 'Tom &amp; Ana &lt;2&gt;')), ['Tom & Ana <2>']],
    ['with an empty name', document(track(1, ''), track(2, 'Lav')), ['', 'Lav']],
    ['with control characters', document(track(1, 'A\u0000b\u202e')), ['A b']],
  ])('are read %s', (_, xml, names) => {
    expect(namesInIxml(xml)).toEqual(names);
  });

  test.each([
    ['another document', '<BWFXML><NAME>Film</NAME></BWFXML>'],
    ['a place beyond any file', document(track(1, 'Boom', 100_000))],
    ['a place that is no number', document(track(1, 'Boom').replace('>1<', '>one<'))],
    ['an element without an end', '<TRACK_LIST><TRACK><CHANNEL_INDEX>1<NAME>Boom'],
    ['nothing', ''],
  ])('are none in %s', (_, xml) => {
    expect(namesInIxml(xml)).toEqual([]);
  });

  test('are limited in number and length', () => {
    const tracks = Array.from({ length: 1000 }, (_, index) => track(index + 1, 'x'.repeat(1000)));
    const names = namesInIxml(document(...tracks));
    expect(names).toHaveLength(255);
    expect(new Set(names.map((name) => name.length))).toEqual(new Set([100]));
  });

  test('are found behind the sound of a WAVE file', async () => {
    const xml = Buffer.from(document(track(1, 'Boom'), track(2, 'Ana')));
    const chunk = (name: string, content: Buffer): Buffer => {
      const head = Buffer.alloc(8);
      head.write(name, 0, 'latin1');
      head.writeUInt32LE(content.length, 4);
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
    };
    const file = Buffer.concat([
      Buffer.from('RIFF____WAVE'),
      chunk('data', Buffer.alloc(7)),
      chunk('iXML', xml),
    ]);
    const names = await channelNamesOf({
      sizeBytes: file.length,
      read: async (from, to) => file.subarray(from, to),
    });
    expect(names).toEqual(['Boom', 'Ana']);
  });
});
