import { ADTS, FLAC, type InputFormat, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } from 'mediabunny';

/** Every container that our own parser reads. HLS is excluded because it would fetch from other servers. */
export const importFormats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, OGG, WAVE, FLAC, MP3, ADTS, MPEG_TS];
