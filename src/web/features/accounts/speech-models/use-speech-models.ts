import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { second } from '#base/duration.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listSpeechModels } from '#contract/speech-models-api.ts';
import { call } from '#web/api/call.ts';
import { userScope } from '#web/api/user-scope.ts';
import { DownloadRates } from './download-rates.ts';

const refreshMs = second;
/** While nothing is downloaded, events report changes. */
const idleRefreshMs = 30 * second;

/** Live events make this query out of date. */
export const speechModelsKey = ['speech-models'] as const;

type Reply = ReplyOf<typeof listSpeechModels>;
export type ShownModel = Reply['models'][number] & {
  /** Bytes per second of its download; null if that isn't known. */
  rate: number | null;
};
export type ShownModels = Omit<Reply, 'models'> & { models: ShownModel[] };

const rates = new DownloadRates();
userScope.onSessionEnd(() => rates.clear());

function withRate(model: Reply['models'][number]): ShownModel {
  if (model.state === 'downloading')
    return { ...model, rate: rates.note(model.name, model.storedBytes, performance.now()) };
  rates.forget(model.name);
  return { ...model, rate: null };
}

async function readModels(signal: AbortSignal): Promise<ShownModels> {
  const reply = await call('listSpeechModels', { signal });
  return { ...reply, models: reply.models.map(withRate) };
}

const isBusy = ({ state }: ShownModel): boolean => state === 'downloading' || state === 'checking';

/** The speech models, read each second while one is downloaded or tested. */
export const useSpeechModels = () =>
  useQuery({
    queryKey: speechModelsKey,
    queryFn: ({ signal }) => readModels(signal),
    refetchInterval: ({ state: { data } }) =>
      data?.models.some(isBusy) === true ? refreshMs : idleRefreshMs,
    meta: { what: msg`Transcripts` },
  });
