import { openOpusDecoder } from '#server/processes/open-opus-decoder.ts';
import { ChannelMixer } from '#audio/channel-mixer.ts';
import { readSegmentFacts, wholeRun, type OggSegmentFacts, type ReadBytes } from '#audio/ogg/joined-facts.ts';
import { maxOggPageBytes, packetsOf, readOggPage, type OggPage } from '#audio/ogg/ogg-page.ts';
import { opusGranuleRateHz, opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { pageEndByte, pagesAround } from '#audio/ogg/page-search.ts';
import { speechRateHz } from '#audio/speech/point-levels.ts';

const readSizeBytes = 32 * 1024;
const granulesPerSample = opusGranuleRateHz / speechRateHz;
const captureByte = 0x4f;

/** Sound of a segment: samples and the position of the first one, from the start of the segment. */
export interface PlacedSamples {
  at: number;
  samples: Float32Array;
}

/** A page of sound, and the packet on it that started on the page before. */
interface SoundPage {
  page: OggPage;
  packets: Uint8Array[];
}

/** Takes the whole pages at the start of some bytes, and says how many bytes these were. Damaged bytes are left out. */
function takePages(
  bytes: Uint8Array,
  { isEnd, serialNumber }: { isEnd: boolean; serialNumber: number },
): { pages: OggPage[]; usedBytes: number } {
  const pages: OggPage[] = [];
  let at = bytes.indexOf(captureByte);
  while (at >= 0) {
    const page = readOggPage(bytes, at);
    if (page?.serialNumber === serialNumber) pages.push(page);
    // The rest of the page may follow.
    if (page === null && !isEnd && bytes.length - at < maxOggPageBytes) return { pages, usedBytes: at };
    at = bytes.indexOf(captureByte, at + (page?.sizeBytes ?? 1));
  }
  return { pages, usedBytes: bytes.length };
}

/** Reads the pages from a byte on. */
async function* pagesFrom(
  read: ReadBytes,
  fromByte: number,
  { sizeBytes, serialNumber }: OggSegmentFacts,
): AsyncGenerator<OggPage> {
  let rest: Uint8Array = new Uint8Array(0);
  for (let at = fromByte; at < sizeBytes;) {
    const bytes = await read(at, Math.min(sizeBytes, at + readSizeBytes));
    if (bytes.length === 0) return;
    at += bytes.length;
    rest = Buffer.concat([rest, bytes]);
    const { pages, usedBytes } = takePages(rest, { isEnd: at >= sizeBytes, serialNumber });
    yield* pages;
    rest = rest.subarray(usedBytes);
  }
}

/** Joins packets that continue on the next page. The end of a packet whose start is unknown is dropped. */
async function* wholePackets(pages: AsyncIterable<OggPage>): AsyncGenerator<SoundPage> {
  let partial: Uint8Array | null = null;
  for await (const page of pages) {
    const packets = packetsOf(page);
    const isContinued = page.lacing.at(-1) === 255;
    if (page.continuesPacket) {
      const end = packets.shift();
      if (partial !== null && end !== undefined) packets.unshift(Buffer.concat([partial, end]));
    }
    partial = isContinued ? (packets.pop() ?? null) : null;
    yield { page, packets };
  }
}

/** The byte to start at for a position, and the position there. */
async function startBefore(
  read: ReadBytes,
  facts: OggSegmentFacts,
  granule: number,
): Promise<{ fromByte: number; granule: number }> {
  if (granule <= facts.preSkip) return { fromByte: facts.headersBytes, granule: 0 };
  const run = { ...wholeRun(facts), serialNumber: facts.serialNumber };
  const { before } = await pagesAround(read, run, granule);
  return before === null
    ? { fromByte: facts.headersBytes, granule: 0 }
    : { fromByte: pageEndByte(before), granule: before.page.granulePosition };
}

/** Packets and where each starts, in granules. Where pages are missing, the positions jump. */
async function* placedPackets(
  pages: AsyncIterable<SoundPage>,
  from: number,
  { lastGranulePosition, lastPacketEndsAt }: OggSegmentFacts,
): AsyncGenerator<{ packet: Uint8Array; startsAt: number }> {
  let position = from;
  for await (const { page, packets } of pages) {
    const samples = packets.reduce((sum, packet) => sum + opusPacketSamples(packet), 0);
    const startsAt = page.granulePosition - samples;
    if (startsAt > position && page.granulePosition <= lastGranulePosition) position = startsAt;
    for (const packet of packets) {
      const placed = { packet, startsAt: position };
      position += opusPacketSamples(packet);
      if (position <= lastPacketEndsAt) yield placed;
    }
  }
}

/** Decodes an Ogg Opus file to mono at 16 kHz, from about a position on. Reads only the bytes that this needs. */
export async function* decodeOgg(
  read: ReadBytes,
  sizeBytes: number,
  from: number,
): AsyncGenerator<PlacedSamples> {
  const facts = await readSegmentFacts(read, sizeBytes);
  if (facts === null) return;
  const start = await startBefore(read, facts, from * granulesPerSample + facts.preSkip);
  const decoder = await openOpusDecoder(facts.channels, speechRateHz);
  const mixer = new ChannelMixer(1);
  const pages = wholePackets(pagesFrom(read, start.fromByte, facts));
  try {
    for await (const { packet, startsAt } of placedPackets(pages, start.granule, facts)) {
      const { channelData, samplesDecoded } = decoder.decodeFrame(packet);
      const [samples] = mixer.mix(channelData.map((channel) => channel.subarray(0, samplesDecoded)));
      const at = Math.round((startsAt - facts.preSkip) / granulesPerSample);
      if (samples !== undefined) yield { at, samples };
    }
  } finally {
    decoder.free();
  }
}
