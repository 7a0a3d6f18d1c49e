import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/passkeys.ts';
import { ApiError } from '#web/api/api-error.ts';

let isRequested = false;

const load = () => {
  isRequested = true;
  return import('@simplewebauthn/browser');
};

/** Whether this browser supports passkeys on this page. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether the browser can offer passkeys in a text field (WebAuthn conditional mediation). */
export async function canOfferInField(): Promise<boolean> {
  return hasPasskeys() && (await load()).browserSupportsWebAuthnAutofill();
}

/** Cancels the browser's current passkey prompt or offer, if there is one. */
export async function cancelPasskeyRequest(): Promise<void> {
  // Without the library nothing was offered. It may be missing because the server does not respond.
  if (isRequested) (await load().catch(() => null))?.WebAuthnAbortService.cancelCeremony();
}

/** The open passkey prompt that does not belong to a field, if any. */
let shown: Promise<unknown> = Promise.resolve();
export const whenPromptClosed = (): Promise<unknown> => shown;

/**
 * Requests a passkey assertion. With `inField`, passkeys are offered in the e-mail field for as long as it is
 * displayed.
 * @throws ApiError `passkey-cancelled`, `passkey-unsupported`
 */
export async function requestPasskey(options: PasskeyRequest, inField = false): Promise<PasskeyAssertion> {
  const { startAuthentication } = await load();
  const question = { ...options, allowCredentials: options.allowCredentials.map(plainDescriptor) };
  const answering = withErrorCode(() =>
    startAuthentication({ optionsJSON: question, useBrowserAutofill: inField }),
  );
  if (!inField) shown = answering.catch(() => undefined);
  const answer = await answering;
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/**
 * Creates a passkey.
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
  const answer = await withErrorCode(() => startRegistration({ optionsJSON: question }));
  return { ...answer, clientExtensionResults: { ...answer.clientExtensionResults } };
}

/** The library requires unknown fields to be absent instead of undefined. */
const plainDescriptor = ({ transports, ...descriptor }: PasskeyRequest['allowCredentials'][number]) => ({
  ...descriptor,
  ...(transports ? { transports } : {}),
});

/**
 * Converts a browser error to an `ApiError`. Browsers reveal little on purpose; only the error's name
 * distinguishes a cancellation from missing support (WebAuthn Level 3 §5.1).
 */
async function withErrorCode<Answer>(request: () => Promise<Answer>): Promise<Answer> {
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
