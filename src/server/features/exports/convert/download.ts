import { attachment } from '#server/http/attachment.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { endUnread } from '#server/http/edge/end-unread.ts';
import type { RouteContext } from '#server/http/route.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { sendStream } from '#server/http/edge/send-stream.ts';
import { sessionOf } from '#server/http/callers.ts';
import type { downloadRecording, DownloadFormat } from '#contract/exports-api.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import { timeOfRow, nameInFiles } from '#server/storage/rows/stored-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type {
  RecordingSource,
  RecordingSources,
} from '#server/features/recordings/media/recording-sources.ts';
import { markersOf } from '#server/storage/rows/labels.ts';
import type { Cut } from './chapters.ts';
import { conversionHeaders } from './conversion-headers.ts';
import { convertAudio, type Conversion } from './convert-audio.ts';
import { chooseSound, convertedSound } from './chosen-sound.ts';
import { type ConvertedFormat, taggedDate } from './encoders.ts';
import { toleranceMs } from './sound-filter.ts';
import type { Conversions } from './conversions.ts';

export interface DownloadDeps {
  database: Database;
  sources: RecordingSources;
  findFfmpeg: () => Promise<string | null>;
  conversions: Conversions;
}

type DownloadContext = RouteContext<typeof downloadRecording>;

/**
 * The requested part of a recording.
 * @throws validation (422) if it begins after the end
 */
function cutOf(
  durationMs: number,
  { fromMs = 0, toMs }: { fromMs?: number | undefined; toMs?: number | undefined },
): Cut {
  if (fromMs >= durationMs)
    throw rejectField('/query/fromMs', 'too-large', { largest: Math.max(0, durationMs - 1) });
  return { fromMs, toMs: Math.min(toMs ?? durationMs, durationMs) };
}

async function conversionOf(
  deps: DownloadDeps,
  { recording, waveform }: RecordingSource,
  { format, cut, track }: { format: ConvertedFormat; cut: Cut; track: SoundTrack },
): Promise<Conversion> {
  const markers = await markersOf(deps.database.queries, recording.id);
  return {
    format,
    cut,
    title: nameInFiles(recording),
    date: taggedDate(format, timeOfRow(recording)),
    chapters: markers.map(({ at_ms: atMs, label }) => ({ atMs, label })),
    sound: convertedSound(format, track, recording.quieter_db),
    toleranceMs: toleranceMs(track),
    waveform: await waveform(),
  };
}

async function sendConverted(
  deps: DownloadDeps,
  context: DownloadContext,
  { source, format }: { source: RecordingSource; format: ConvertedFormat },
): Promise<'sent'> {
  const { reply, signal } = context;
  const program = await deps.findFfmpeg();
  if (program === null) throw new ProblemError('conversion-unavailable');
  const cut = cutOf(source.recording.duration_ms, context.query);
  if (context.request.method === 'HEAD') {
    const { sound, track } = await chooseSound(program, source, signal);
    await sound.release();
    void reply.headers(conversionHeaders(await conversionOf(deps, source, { format, cut, track }))).send();
    return 'sent';
  }
  const { userId } = sessionOf(context);
  const of = { owner: userId, client: userId };
  let headers: Record<string, string> = {};
  const stream = await deps.conversions.open(of, signal, async () => {
    const { sound, track } = await chooseSound(program, source, signal);
    const conversion = await conversionOf(deps, source, { format, cut, track });
    headers = conversionHeaders(conversion);
    return convertAudio(program, { sound, conversion, signal });
  });
  endUnread(reply.raw, { isAwaited: () => deps.conversions.isAwaited(of) });
  return sendStream(reply, { stream, headers });
}

/** Sends a recording as a file: as it is stored, or converted while it is sent. */
export function createDownload(deps: DownloadDeps): (context: DownloadContext) => Promise<'sent'> {
  return async (context) => {
    const { format }: { format: DownloadFormat } = context.query;
    const source = await deps.sources(context.principal, context.params.recordingId);
    if (format !== 'original') return sendConverted(deps, context, { source, format });
    endUnread(context.reply.raw);
    context.reply.header(
      'Content-Disposition',
      attachment(`${nameInFiles(source.recording)}.${source.extension}`),
    );
    return sendBytes(context, source.original);
  };
}
