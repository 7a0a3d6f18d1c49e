import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { UntypedAnswer } from '#server/http/route.ts';

/** A request with an idempotency key (draft-ietf-httpapi-idempotency-key-header). */
export interface KeyedRequest {
  principal: string;
  keyHash: string;
  requestHash: string;
}

/**
 * A key that a request has claimed. It can be claimed again once this one has ended, so that the end of a claim
 * identifies it.
 */
interface KeyClaim {
  /** By the clock of the database. */
  untilMs: number;
}

interface StoredAnswer {
  status: number;
  body: unknown;
  /** The recording that the body describes; null if it describes none. */
  recordingId: string | null;
}

/** Stores the responses to requests with an idempotency key, for a day. */
export interface KeyedAnswers {
  /**
   * Claims a key. Returns the claim if the request must be processed, `running` while the first one is, `other` if the
   * key belongs to another request, else the stored response.
   */
  claim(request: KeyedRequest): Promise<KeyClaim | 'running' | 'other' | { status: number; body: unknown }>;
  /**
   * Stores the response, unless another request has claimed the key since, or the recording that it describes was
   * purged.
   */
  keep(request: KeyedRequest, claim: KeyClaim, answer: StoredAnswer): Promise<void>;
  /** Releases the key of a failed request, so that it can be retried, unless another has claimed it since. */
  release(request: KeyedRequest, claim: KeyClaim): Promise<void>;
}

/** The owner of a user's idempotency keys. Without the kind, ids of users and recordings would share one space. */
export const keyOwnerOfUser = (userId: string): string => `user:${userId}`;

/** Null for a caller who can't be distinguished from other callers: their keys have no effect. */
function keyOwnerOf(principal: Principal): string | null {
  switch (principal.kind) {
    case 'session':
      return keyOwnerOfUser(principal.userId);
    case 'upload-capability':
      return `upload:${principal.recordingId}`;
    case 'share':
      return principal.visit === null ? null : `share:${principal.shareId}:${principal.visit}`;
    case 'share-locked':
    case 'share-outsider':
      return null;
  }
}

const recordingIdSchema = z.object({ recordingId: z.string() });

const keyPattern = /^[\x21-\x7e]{1,128}$/;
const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts
    .reduce<ReturnType<typeof createHash>>(
      (hash, part) => hash.update(part).update('\0'),
      createHash('sha256'),
    )
    .digest('hex');

function keyedRequest(request: FastifyRequest, principal: Principal): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw rejectField('/headers/idempotency-key', 'idempotency-key');
  const body = Buffer.isBuffer(request.body) ? request.body : '';
  const owner = keyOwnerOf(principal);
  if (owner === null) return null;
  return {
    principal: owner,
    keyHash: sha256(key),
    requestHash: sha256(request.method, request.url, body),
  };
}

/**
 * Processes a request with an idempotency key only once, at endpoints that support it.
 * @throws idempotency-conflict (409) while the first request is being processed; idempotency-mismatch (422) if the
 * key was used for a different request
 */
export async function onceByKey(
  request: FastifyRequest,
  endpoint: Endpoint,
  options: { answers: KeyedAnswers | null; work: () => Promise<UntypedAnswer> },
): Promise<UntypedAnswer> {
  const { answers, work } = options;
  if (!endpoint.isKeyed || !answers || !request.principal) return work();
  const keyed = keyedRequest(request, request.principal);
  return keyed
    ? onceFor(keyed, {
        answers,
        work,
        defaultStatus: endpoint.statuses[0] ?? 200,
        recordingOf: (body) => recordingIdIn(request.params) ?? recordingIdIn(body),
      })
    : work();
}

/** The `recordingId` of path parameters or a body. */
function recordingIdIn(fields: unknown): string | null {
  const { success, data } = recordingIdSchema.safeParse(fields);
  return success ? data.recordingId : null;
}

async function onceFor(
  keyed: KeyedRequest,
  {
    answers,
    work,
    defaultStatus,
    recordingOf,
  }: {
    answers: KeyedAnswers;
    work: () => Promise<UntypedAnswer>;
    defaultStatus: number;
    recordingOf: (body: unknown) => string | null;
  },
): Promise<UntypedAnswer> {
  const claimed = await answers.claim(keyed);
  if (claimed === 'running') throw new ProblemError('idempotency-conflict');
  if (claimed === 'other') throw new ProblemError('idempotency-mismatch');
  if ('status' in claimed) return claimed;
  try {
    const answer = await work();
    if (answer !== 'sent')
      await answers.keep(keyed, claimed, {
        status: answer.status ?? defaultStatus,
        body: answer.body,
        recordingId: recordingOf(answer.body),
      });
    return answer;
  } catch (error) {
    await answers.release(keyed, claimed);
    throw error;
  }
}
