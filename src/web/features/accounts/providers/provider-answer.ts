import { providerAnswerKey, type ProviderAnswer } from '#contract/provider-answer.ts';
import type { ProviderIntent } from '#contract/providers-api.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';

const pendingFlowKey = 'earshot.provider-options';
const intents: readonly ProviderIntent[] = ['sign-in', 'link', 'reauthenticate'];

/** Anyone on this origin can send such a message; what it says is for the server to judge. */
export function isProviderAnswer(value: unknown): value is ProviderAnswer {
  return (
    isRecord(value) &&
    value.type === 'provider-answer' &&
    typeof value.provider === 'string' &&
    isRecord(value.body) &&
    Object.values(value.body).every((part) => part === undefined || typeof part === 'string')
  );
}

/** Remembers, over the way to the provider and back, what the flow is for. */
export function saveIntent(flow: string, intent: ProviderIntent): void {
  writeText('sessionStorage', pendingFlowKey, JSON.stringify({ flow, intent }));
}

function intentOf(flow: string | undefined): ProviderIntent {
  const stored = readJson('sessionStorage', pendingFlowKey);
  const isOurs = isRecord(stored) && stored.flow === flow;
  return (isOurs && intents.find((intent) => intent === stored.intent)) || 'sign-in';
}

/** The answer a redirect has brought to this page; null where none did. */
export function readAnswer(): { answer: ProviderAnswer; intent: ProviderIntent } | null {
  const answer = readJson('sessionStorage', providerAnswerKey);
  return isProviderAnswer(answer) ? { answer, intent: intentOf(answer.body.state) } : null;
}

/** To be called before the answer is used: a reload must not use it again. */
export function deleteAnswer(): void {
  for (const key of [providerAnswerKey, pendingFlowKey]) writeText('sessionStorage', key, null);
}
