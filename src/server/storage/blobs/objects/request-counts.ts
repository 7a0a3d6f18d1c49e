import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectRequests } from '#server/storage/blobs/blob-store.ts';

type Outcome = ObjectRequests['outcome'];

function outcomeOf(error: unknown): Outcome {
  const { $metadata: { httpStatusCode: status = 0 } = {} } = Object(error) as {
    $metadata?: { httpStatusCode?: number };
  };
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : 'lost';
}

/** Counts the requests of a client, each try alone. */
export class RequestCounts {
  readonly #counts = new Map<string, ObjectRequests>();

  /** Counts all requests of this client from now on. */
  watch(client: S3Client): void {
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (request) => {
          const operation = commandName.replace(/Command$/, '');
          try {
            const answer = await next(request);
            this.#add(operation, 'ok');
            return answer;
          } catch (error) {
            this.#add(operation, outcomeOf(error));
            throw error;
          }
        },
      { step: 'deserialize', priority: 'high', name: 'countRequests' },
    );
  }

  /** The counts so far. */
  all(): ObjectRequests[] {
    return [...this.#counts.values()];
  }

  #add(operation: string, outcome: Outcome): void {
    const key = `${operation} ${outcome}`;
    const { count } = this.#counts.get(key) ?? { count: 0 };
    this.#counts.set(key, { operation, outcome, count: count + 1 });
  }
}
