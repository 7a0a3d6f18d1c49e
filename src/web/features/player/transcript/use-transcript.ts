import { msg } from '@lingui/core/macro';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TranscriptLine, Transcript } from '#contract/transcripts-api.ts';
import { call, type CallInput } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

/** A whole transcript as this page knows it. */
export type KnownTranscript = Omit<Transcript, 'next'>;

/** Where reading continues: what precedes the cursor of a running transcription has not changed. */
function unchangedMs(known: KnownTranscript | undefined, state: Transcript['state']): number {
  return known?.state === 'running' && state === 'running' ? known.heardToMs : 0;
}

/** Reads a transcript page by page. Shows the first page at once. */
async function readTranscript(
  client: QueryClient,
  { recordingId, signal }: { recordingId: string; signal: AbortSignal },
): Promise<KnownTranscript> {
  const queryKey = recordingKeys.transcript(recordingId);
  const read = (fromMs: number) =>
    call('getTranscript', { params: { recordingId }, query: { fromMs }, signal });
  const known = client.getQueryData<KnownTranscript>(queryKey);
  let page = await read(known?.state === 'running' ? known.heardToMs : 0);
  const startMs = unchangedMs(known, page.state);
  if (startMs === 0 && known?.state === 'running') page = await read(0);
  const lines: TranscriptLine[] = (known?.lines ?? []).filter(({ fromMs }) => fromMs < startMs);
  lines.push(...page.lines);
  if (known === undefined && page.next !== null)
    client.setQueryData(queryKey, { ...page, lines: [...lines] });
  while (page.next !== null) {
    page = await read(page.next);
    lines.push(...page.lines);
  }
  return { ...page, lines };
}

/** The transcript of a recording on the server; undefined until it is read. */
export function useTranscript(recordingId: string): KnownTranscript | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: recordingKeys.transcript(recordingId),
    queryFn: ({ signal }) => readTranscript(client, { recordingId, signal }),
    meta: { what: msg`Transcript` },
  });
  return data;
}

/** Whether the server can transcribe; undefined until it is read. */
export function useTranscriber() {
  const { data } = useQuery({
    queryKey: recordingKeys.transcriber,
    queryFn: ({ signal }) => call('getTranscriber', { signal }),
    meta: { what: msg`Transcript` },
  });
  return data;
}

export type StartBody = NonNullable<CallInput<'startTranscript'>['body']>;

export interface TranscriptActions {
  start: (body: StartBody) => Promise<void>;
  stop: () => Promise<void>;
  remove: () => Promise<void>;
  /** Returns whether the server has the correction; a message reports an error. */
  correct: (correction: CallInput<'putCorrection'>['body'] & { id: string }) => Promise<boolean>;
  removeCorrection: (id: string) => Promise<boolean>;
}

/** What the owner can do with a transcript. A message reports an error. */
export function useTranscriptActions(recordingId: string): TranscriptActions {
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  const params = { recordingId };
  const run = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (error) {
      showFailure(() => messageOf(error));
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: recordingKeys.transcript(recordingId) });
    }
  };
  return {
    async start(body) {
      await run(() => call('startTranscript', { params, body }));
    },
    async stop() {
      await run(() => call('stopTranscript', { params }));
    },
    async remove() {
      await run(() => call('removeTranscript', { params }));
    },
    correct: ({ id, ...body }) =>
      run(() => call('putCorrection', { params: { ...params, correctionId: id }, body })),
    removeCorrection: (id) =>
      run(() => call('removeCorrection', { params: { ...params, correctionId: id } })),
  };
}
