import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { minute } from '#base/duration.ts';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '#contract/passkeys.ts';
import { deferred } from '#base/deferred.ts';
import type { PasskeyRow } from '#server/storage/database/schema.ts';

/** COSE algorithm numbers that authenticators support, in order of preference: Ed25519, ECDSA with P-256, RSA. */
const algorithms = [-8, -7, -257];
/** How long a challenge is valid. */
export const ceremonyMs = 5 * minute;

const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Descriptors = PasskeyRequest['allowCredentials'];

/** A new passkey that does not yet belong to a user. */
export type NewPasskey = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'aaguid' | 'backed_up'
>;
export interface CheckedAssertion {
  counter: number;
  isBackedUp: boolean;
  isUserVerified: boolean;
}

/** Its certificates take about 100 ms to load, which would slow down the start of the server. */
const webAuthn = deferred(() => import('@simplewebauthn/server'));

const newChallenge = (): string => randomBytes(32).toString('base64url');
const descriptorsOf = (passkeys: PasskeyRow[]): Descriptors =>
  passkeys.map((row) => {
    const listed = row.transports.split(',');
    return {
      id: row.credential_id,
      type: 'public-key' as const,
      transports: transportNames.filter((name) => listed.includes(name)),
    };
  });

/** Creates WebAuthn challenges and verifies the responses, for the origin of this installation. */
export class PasskeyCeremony {
  readonly #origin: string;
  readonly #rpId: string;

  constructor(publicUrl: string) {
    this.#origin = new URL(publicUrl).origin;
    this.#rpId = new URL(publicUrl).hostname;
  }

  /** Creates options for a new passkey that is discoverable (needs no user name) and verifies the user. */
  creation(user: {
    userId: string;
    name: string;
    displayName: string;
    known: PasskeyRow[];
  }): PasskeyCreation {
    return {
      rp: { name: 'Earshot', id: this.#rpId },
      user: {
        id: Buffer.from(user.userId).toString('base64url'),
        name: user.name,
        displayName: user.displayName,
      },
      challenge: newChallenge(),
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
      timeout: ceremonyMs,
      excludeCredentials: descriptorsOf(user.known),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    };
  }

  /** Creates options for an assertion by any passkey (`known` is empty), or by one of `known`. */
  request(wanted: { known: PasskeyRow[]; userVerification: 'required' | 'preferred' }): PasskeyRequest {
    return {
      challenge: newChallenge(),
      rpId: this.#rpId,
      timeout: ceremonyMs,
      userVerification: wanted.userVerification,
      allowCredentials: descriptorsOf(wanted.known),
    };
  }

  /** Verifies a new passkey against its challenge. Returns null if any check fails. */
  async checkAttestation(credential: PasskeyAttestation, challenge: string): Promise<NewPasskey | null> {
    const {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, transports = [] },
    } = credential;
    const response: RegistrationResponseJSON = {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject, transports },
    };
    const { verifyRegistrationResponse } = await webAuthn();
    const checked = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: this.#origin,
      expectedRPID: this.#rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }).catch(() => null);
    if (!checked?.verified) return null;
    const { credential: made, aaguid, credentialBackedUp } = checked.registrationInfo;
    return {
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      transports: (made.transports ?? []).join(','),
      aaguid,
      backed_up: credentialBackedUp ? 1 : 0,
    };
  }

  /** Verifies an assertion against its challenge and passkey. Returns null if any check fails. */
  async checkAssertion(
    credential: PasskeyAssertion,
    expected: { challenge: string; passkey: PasskeyRow; requireUserVerification: boolean },
  ): Promise<CheckedAssertion | null> {
    const { passkey } = expected;
    const {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
    } = credential;
    const response: AuthenticationResponseJSON = {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    };
    const { verifyAuthenticationResponse } = await webAuthn();
    const checked = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: this.#origin,
      expectedRPID: this.#rpId,
      requireUserVerification: expected.requireUserVerification,
      // The library rejects a counter that decreased. That can indicate a cloned authenticator, but more often a
      // restored phone, so we record it instead of rejecting the sign-in.
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: 0,
      },
    }).catch(() => null);
    if (!checked?.verified) return null;
    const { newCounter, credentialBackedUp, userVerified } = checked.authenticationInfo;
    return { counter: newCounter, isBackedUp: credentialBackedUp, isUserVerified: userVerified };
  }
}
