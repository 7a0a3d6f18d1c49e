import { expect, it } from 'vitest';
import { makeWav } from '#tests/support/made-wav.ts';
import type { RejectedFile } from '#workers/import/messages.ts';
import { FileRejection, probeFile } from './probe-file.ts';

const bytesOf = (latin1: string, length = 4000): Uint8Array<ArrayBuffer> =>
  // The filler is no text, and repeats no sync word of a stream.
  Uint8Array.from({ length }, (_, at) => latin1.charCodeAt(at) || ((at * 73 + 0x91) & 0x7f) | 0x80);
const textOf = (text: string) => new TextEncoder().encode(text);

async function verdictOn(name: string, bytes: Uint8Array<ArrayBuffer>, type = ''): Promise<unknown> {
  try {
    return (await probeFile(new File([bytes], name, { type }))).isSound ? 'taken' : 'asked';
  } catch (error) {
    if (error instanceof FileRejection) return error.rejected;
    throw error;
  }
}

const of = (program: string): RejectedFile => ({ reason: 'other-program', program });
const audacity = of('Audacity');
const dictation = of('DSS Player / ODMS / SpeechExec');
const sony = of('Sony Digital Voice Editor');
const archive: RejectedFile = { reason: 'archive' };
const encrypted: RejectedFile = { reason: 'encrypted' };

/** An Audacity project: an SQLite database with that program's id. */
const aup3 = bytesOf(`SQLite format 3\0${'\0'.repeat(52)}AUDY`);
const zip = bytesOf('PK\x03\x04\x14\0\0\0');

it.each<[name: string, bytes: Uint8Array<ArrayBuffer>, verdict: unknown]>([
  ['DS550001.DS2', bytesOf('\x03ds2'), dictation],
  ['renamed.wav', bytesOf('\x07ds2'), dictation],
  ['locked.ds2', bytesOf('\x03enc'), dictation],
  ['DM020003.dss', bytesOf('\x09???'), dictation],
  ['readable.dss', bytesOf('\x02dss'), 'taken'],
  ['Interview.aup3', aup3, audacity],
  ['Interview', aup3, audacity],
  ['no signature.aup3', bytesOf('SQLite format 3\0'), audacity],
  ['Interview.aup', textOf('<?xml version="1.0"?><project projname="Interview_data">'), audacity],
  ['e0001.auf', bytesOf('AudacityBlockFile112'), audacity],
  ['memo.msv', bytesOf('MS_VOICE'), sony],
  ['memo.MSV', textOf('MS_VOICE is what it begins with'), sony],
  ['memo.dvf', bytesOf('MS_VOICE'), sony],
  ['memo.vm1', bytesOf('??'), of('Panasonic Voice Editing')],
  ['Song.band', zip, of('GarageBand')],
  ['Song.band.zip', zip, of('GarageBand')],
  ['Song.logicx.zip', zip, of('Logic Pro')],
  ['Set.als', bytesOf('\x1f\x8b\x08'), of('Ableton Live')],
  ['Session.RPP', textOf('<REAPER_PROJECT 0.1 "7.0"\r\n'), of('REAPER')],
  ['Session.ptx', bytesOf('\x030010111100101011'), of('Pro Tools')],
  ['Cut.prproj', bytesOf('\x1f\x8b\x08'), of('Adobe Premiere Pro')],
  ['Episode.sesx', textOf('<?xml version="1.0"?><sesx>'), of('Adobe Audition')],
  ['double_click_to_convert_01.zoom', bytesOf('??'), of('Zoom')],
  ['meeting.arf', bytesOf('??'), of('Webex Player')],
  ['WhatsApp Chat with Anna.zip', zip, archive],
  ['WhatsApp Chat with Anna', zip, archive],
  ['memos.tar.gz', bytesOf('\x1f\x8b\x08'), archive],
  ['memos.rar', bytesOf('Rar!\x1a\x07\x01\0'), archive],
  ['memos.7z', bytesOf("7z\xbc\xaf'\x1c"), archive],
  ['minutes.docx', zip, { reason: 'not-audio' }],
  ['song.m4p', bytesOf('??'), encrypted],
  ['book.aax', bytesOf('??'), encrypted],
  ['book.aa', bytesOf('\0\0\0\x01\x57\x90\x75\x36'), encrypted],
  ['song.ncm', bytesOf('CTENFDAM'), encrypted],
  ['song.kgm', bytesOf('??'), encrypted],
])('says of %s before the upload what to do', async (name, bytes, verdict) => {
  expect(await verdictOn(name, bytes)).toEqual(verdict);
});

it('takes sound under the name of a project, an archive or a store', async () => {
  const wav = new Uint8Array(makeWav({ seconds: 1, sampleRateHz: 8000 }));
  for (const name of ['a.aup3', 'a.zip', 'a.m4p', 'a.ds2']) expect(await verdictOn(name, wav)).toBe('taken');
  expect(await verdictOn('a.ds2', bytesOf('caff\0\x01'))).toBe('taken');
});

it('leaves a blank file to the question whether to upload it, whatever its name', async () => {
  expect(await verdictOn('a.m4p', new Uint8Array(4000))).toBe('asked');
});
