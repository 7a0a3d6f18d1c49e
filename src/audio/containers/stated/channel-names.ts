import { fromUtf8 } from '#base/utf8.ts';
import { replaceControlCharacters } from '#base/text.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { chunksOf } from '#audio/containers/riff-chunks.ts';

/** Limit for files made to waste time. */
const maxChunks = 100;
/** Recorders write a few kilobytes. */
const maxXmlBytes = 256 * 1024;
const maxNamedChannels = 255;
const maxChannelNameLength = 100;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const textOf = (xml: string): string =>
  replaceControlCharacters(
    xml.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ''),
    () => ' ',
  ).trim();

/** The text of the first element with this name; empty if there is none. */
function elementText(xml: string, name: string): string {
  const from = xml.indexOf(`<${name}>`);
  const to = xml.indexOf(`</${name}>`, from);
  return from < 0 || to < 0 ? '' : textOf(xml.slice(from + name.length + 2, to));
}

/**
 * The names of channels in an iXML document (version 2.0, `TRACK_LIST`), each at its place in the file; empty where a
 * channel has none.
 */
export function namesInIxml(xml: string): string[] {
  const names: string[] = [];
  const [list = ''] = xml.split('</TRACK_LIST>', 1);
  for (const track of list.split('<TRACK>').slice(1, maxNamedChannels + 1)) {
    const place = Number(elementText(track, 'INTERLEAVE_INDEX') || elementText(track, 'CHANNEL_INDEX'));
    const name = elementText(track, 'NAME').slice(0, maxChannelNameLength);
    if (name === '' || !Number.isInteger(place) || place < 1 || place > maxNamedChannels) continue;
    while (names.length < place) names.push('');
    names[place - 1] = name;
  }
  return names;
}

/** Old recorders write Latin-1. */
function textOfBytes(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

/** The names that a WAVE file states for its channels (iXML); empty if it states none. */
export async function channelNamesOf({ sizeBytes, read }: PieceFile): Promise<string[]> {
  const isLittleEndian = String.fromCharCode(...(await read(0, Math.min(4, sizeBytes)))) !== 'RIFX';
  for await (const chunk of chunksOf({ sizeBytes, read }, { isLittleEndian, max: maxChunks })) {
    if (chunk.name !== 'iXML') continue;
    const endByte = Math.min(sizeBytes, chunk.contentByte + Math.min(maxXmlBytes, chunk.sizeBytes));
    return namesInIxml(textOfBytes(await read(chunk.contentByte, endByte)));
  }
  return [];
}
