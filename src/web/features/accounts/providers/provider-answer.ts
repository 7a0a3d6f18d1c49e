import { providerAnswerKey, type ProviderAnswer } from '#contract/provider-answer.ts';
import type { ProviderIntent } from '#contract/providers-api.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';

const pendingFlowKey = 'earshot.provider-options';
const intents: readonly ProviderIntent[] = ['sign-in', 'link', 'reauthenticate'];

/** Any page of this origin can send such a message. The server validates its contents. */
export function isProviderAnswer(value: unknown): value is ProviderAnswer {
  return (
    isRecord(value) &&
    value.type === 'provider-answer' &&
    typeof value.provider === 'string' &&
    isRecord(value.body) &&
    Object.values(value.body).every((part) => part === undefined || typeof part === 'string')
  );
}

/** Stores the intent of a flow during the redirect to the provider. */
export function saveIntent(flow: string, intent: ProviderIntent): void {
  writeText('sessionStorage', pendingFlowKey, JSON.stringify({ flow, intent }));
}

function intentOf(flow: string | undefined): ProviderIntent {
  const stored = readJson('sessionStorage', pendingFlowKey);
  const isOurs = isRecord(stored) && stored.flow === flow;
  return (isOurs && intents.find((intent) => intent === stored.intent)) || 'sign-in';
}

/** The provider's response that a redirect brought to this page; null if there is none. */
export function readAnswer(): { answer: ProviderAnswer; intent: ProviderIntent } | null {
  const answer = readJson('sessionStorage', providerAnswerKey);
  return isProviderAnswer(answer) ? { answer, intent: intentOf(answer.body.state) } : null;
}

/** Call it before the response is used, so that a reload does not use it again. */
export function deleteAnswer(): void {
  for (const key of [providerAnswerKey, pendingFlowKey]) writeText('sessionStorage', key, null);
}
