import { z } from 'zod';

/** URL-safe base64 without padding; the limit is far above any passkey response. */
const bytesSchema = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*$/, { error: 'base64url' });

const descriptorSchema = z.object({
  id: bytesSchema,
  type: z.literal('public-key'),
  transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).optional(),
});

/** Options for `navigator.credentials.create`: WebAuthn Level 3 PublicKeyCredentialCreationOptionsJSON. */
export const passkeyCreationSchema = z.object({
  rp: z.object({ name: z.string(), id: z.string().optional() }),
  user: z.object({ id: bytesSchema, name: z.string(), displayName: z.string() }),
  challenge: bytesSchema,
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.enum(['required', 'preferred']),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.output<typeof passkeyCreationSchema>;

/** Options for `navigator.credentials.get`: WebAuthn Level 3 PublicKeyCredentialRequestOptionsJSON. */
export const passkeyRequestSchema = z.object({
  challenge: bytesSchema,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.array(descriptorSchema),
});
export type PasskeyRequest = z.output<typeof passkeyRequestSchema>;

const envelope = {
  id: bytesSchema.min(1).max(2048),
  rawId: bytesSchema.max(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string().max(64), z.unknown()),
};

/** A new passkey as returned by the browser: RegistrationResponseJSON. */
export const passkeyAttestationSchema = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: bytesSchema,
    attestationObject: bytesSchema,
    authenticatorData: bytesSchema.optional(),
    transports: z.array(z.string().max(32)).max(16).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: bytesSchema.nullish(),
  }),
});
export type PasskeyAttestation = z.output<typeof passkeyAttestationSchema>;

/** A proof by passkey as returned by the browser: AuthenticationResponseJSON. */
export const passkeyAssertionSchema = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON: bytesSchema,
    authenticatorData: bytesSchema,
    signature: bytesSchema,
    userHandle: bytesSchema.nullish(),
  }),
});
export type PasskeyAssertion = z.output<typeof passkeyAssertionSchema>;
