import { ADTS, FLAC, type InputFormat, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } from 'mediabunny';

/** Every container that our own parser reads. Never HLS: it would fetch from elsewhere. */
export const importFormats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, OGG, WAVE, FLAC, MP3, ADTS, MPEG_TS];
