import { describe, expect, test } from 'vitest';
import type { UploadPrincipal } from '#server/http/principal.ts';
import { principalOfShare } from '#server/http/share-grant.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, sessionPrincipal, storeRecording, storeUser } from '#tests/support/factories.ts';
import { createRecordingAccess, type RecordingRight } from './recording-access.ts';

const rights: readonly RecordingRight[] = ['listen', 'change', 'own'];
const bearerOf = (recordingId: string): UploadPrincipal => ({
  kind: 'upload-capability',
  recordingId,
  deviceLabel: '',
});

eachDatabase((_name, open) => {
  const start = async () => {
    const database = await open();
    const { queries } = database;
    const [mira, otto] = [await storeUser(queries), await storeUser(queries)];
    return {
      database,
      queries,
      access: createRecordingAccess(database),
      mira: sessionPrincipal(mira.id),
      otto: sessionPrincipal(otto.id),
      recording: await storeRecording(queries, { owner_id: mira.id }),
    };
  };

  describe('one recording', () => {
    test.each(rights)('its owner may open it to %s, also from the trash', async (right) => {
      const { access, mira, queries, recording } = await start();
      const trashed = await storeRecording(queries, { owner_id: mira.userId, deleted_at: 1 });
      for (const { id } of [recording, trashed])
        expect(await access.recording(mira, id, right)).toMatchObject({ id, owner_id: mira.userId });
    });

    test.each(rights)("another user's recording and an unknown one answer alike (%s)", async (right) => {
      const { access, otto, recording } = await start();
      for (const id of [recording.id, newId()])
        await expect(access.recording(otto, id, right)).rejects.toMatchObject({ code: 'not-found' });
    });

    test('a capability changes its own recording and does nothing else', async () => {
      const { access, recording, mira, queries } = await start();
      const bearer = bearerOf(recording.id);
      const another = await storeRecording(queries, { owner_id: mira.userId });
      expect(await access.recording(bearer, recording.id, 'change')).toMatchObject({ id: recording.id });
      for (const [id, right] of [
        [recording.id, 'listen'],
        [recording.id, 'own'],
        [another.id, 'change'],
      ] as const)
        await expect(access.recording(bearer, id, right)).rejects.toMatchObject({ code: 'forbidden' });
      expect(() => access.rejectOtherRecording(bearer, recording.id)).not.toThrow();
      expect(() => access.rejectOtherRecording(bearer, another.id)).toThrow('forbidden');
    });

    test('a share listens to its own recording and does nothing else, and not in the trash', async () => {
      const { access, recording, mira, queries } = await start();
      const shareOf = (recordingId: string) =>
        principalOfShare(
          {
            kind: 'open',
            share: { shareId: newId(), recordingId, visit: null, revision: 1, sessionId: null },
          },
          'share',
        );
      const another = await storeRecording(queries, { owner_id: mira.userId });
      const trashed = await storeRecording(queries, { owner_id: mira.userId, deleted_at: 1 });
      expect(await access.recording(shareOf(recording.id), recording.id, 'listen')).toMatchObject({
        id: recording.id,
      });
      for (const [id, right] of [
        [recording.id, 'change'],
        [recording.id, 'own'],
        [another.id, 'listen'],
      ] as const)
        await expect(access.recording(shareOf(recording.id), id, right)).rejects.toMatchObject({
          code: 'forbidden',
        });
      await expect(access.recording(shareOf(trashed.id), trashed.id, 'listen')).rejects.toMatchObject({
        code: 'not-found',
      });
    });

    test('a share that is still locked opens nothing', async () => {
      const { access, recording } = await start();
      const locked = { kind: 'share-locked', shareId: newId(), lacks: 'password' } as const;
      for (const right of rights)
        await expect(access.recording(locked, recording.id, right)).rejects.toMatchObject({
          code: 'forbidden',
        });
    });

    test('a capability of a purged recording opens nothing', async () => {
      const { access } = await start();
      const id = newId();
      await expect(access.recording(bearerOf(id), id, 'change')).rejects.toMatchObject({ code: 'not-found' });
    });

    test('a request without credentials opens no recording', async () => {
      const { access, recording } = await start();
      await expect(access.recording(null, recording.id, 'listen')).rejects.toMatchObject({
        code: 'session-required',
      });
    });

    test("reads in the caller's transaction", async () => {
      const { access, database, mira } = await start();
      const id = await database.transaction(async (transaction) => {
        const added = await storeRecording(transaction, { owner_id: mira.userId });
        await access.inTransaction(transaction).recording(mira, added.id, 'own');
        return added.id;
      });
      expect(await access.recording(mira, id, 'own')).toMatchObject({ id });
    });
  });

  test("of many recordings only the user's own are opened", async () => {
    const { access, mira, otto, recording, queries } = await start();
    const foreign = await storeRecording(queries, { owner_id: otto.userId });
    const opened = await access.recordings(mira, [foreign.id, recording.id, newId()], 'change');
    expect(opened.map(({ id }) => id)).toEqual([recording.id]);
  });

  test('an id is free, own, taken, purged by the user, or purged by another user', async () => {
    const { access, mira, otto, recording, queries } = await start();
    const foreign = await storeRecording(queries, { owner_id: otto.userId });
    const [free, purged, purgedByOtto] = [newId(), newId(), newId()];
    await queries
      .insertInto('purged_recordings')
      .values([
        { id: purged, owner_id: mira.userId, purged_at: 1 },
        { id: purgedByOtto, owner_id: otto.userId, purged_at: 1 },
      ])
      .execute();
    const ids = [free, recording.id, foreign.id, purged, purgedByOtto];
    expect([...(await access.idStates(mira, ids))]).toEqual([
      [free, 'free'],
      [recording.id, 'own'],
      [foreign.id, 'taken'],
      [purged, 'purged'],
      [purgedByOtto, 'purged-by-another'],
    ]);
  });
});
