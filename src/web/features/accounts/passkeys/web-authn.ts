import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/passkeys.ts';
import { ApiError } from '#web/api/api-error.ts';

const load = () => import('@simplewebauthn/browser');

/** Whether this browser and this page can use passkeys at all. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether the browser can offer passkeys inside an ordinary field (WebAuthn conditional mediation). */
export async function canOfferInField(): Promise<boolean> {
  return hasPasskeys() && (await load()).browserSupportsWebAuthnAutofill();
}

/** Takes away what the browser shows or offers for a passkey. */
export async function cancelPasskeyRequest(): Promise<void> {
  (await load()).WebAuthnAbortService.cancelCeremony();
}

/** What the browser shows for a passkey outside of a field, while it does. */
let shown: Promise<unknown> = Promise.resolve();
export const whenPromptClosed = (): Promise<unknown> => shown;

/**
 * Has the person prove themselves by a passkey; `inField` offers it in the e-mail field and waits as long as
 * that is on the screen.
 * @throws ApiError `passkey-cancelled`, `passkey-unsupported`
 */
export async function requestPasskey(options: PasskeyRequest, inField = false): Promise<PasskeyAssertion> {
  const { startAuthentication } = await load();
  const question = { ...options, allowCredentials: options.allowCredentials.map(plainDescriptor) };
  const answering = whatItMeans(() =>
    startAuthentication({ optionsJSON: question, useBrowserAutofill: inField }),
  );
  if (!inField) shown = answering.catch(() => undefined);
  const answer = await answering;
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/**
 * Has the browser make a passkey.
 * @throws ApiError `passkey-cancelled`, `passkey-unsupported`, `passkey-here-already`
 */
export async function createPasskey(options: PasskeyCreation): Promise<PasskeyAttestation> {
  const { startRegistration } = await load();
  const {
    rp: { id, name },
  } = options;
  const question = {
    ...options,
    rp: { name, ...(id === undefined ? {} : { id }) },
    excludeCredentials: options.excludeCredentials.map(plainDescriptor),
  };
  const answer = await whatItMeans(() => startRegistration({ optionsJSON: question }));
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/** The library wants what is not known to be absent, not undefined. */
const plainDescriptor = ({ transports, ...descriptor }: PasskeyRequest['allowCredentials'][number]) => ({
  ...descriptor,
  ...(transports ? { transports } : {}),
});

/**
 * Browsers tell little on purpose; by the name of the failure one can tell a refusal from an inability
 * (WebAuthn Level 3 §5.1).
 */
async function whatItMeans<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    throw new ApiError({ code: codeOf(error), status: 0, problem: null }, { cause: error });
  }
}

function codeOf(error: unknown): 'passkey-cancelled' | 'passkey-unsupported' | 'passkey-here-already' {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'passkey-here-already';
  return name === 'NotSupportedError' || name === 'SecurityError' || !hasPasskeys()
    ? 'passkey-unsupported'
    : 'passkey-cancelled';
}
