import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { Label } from '#base/labels/label.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { newId } from '#device/new-id.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { inPieces } from './label-pieces.ts';

interface Piece {
  markers: { id: string; atMs: number; label: string; colour?: NonNullable<Label['colour']> }[];
  notes: { id: string; fromMs: number; toMs: number | null; text: string }[];
}

function pieceOf(labels: readonly Label[]): Piece {
  const piece: Piece = { markers: [], notes: [] };
  for (const { kind, atMs, endMs, text, colour } of labels) {
    const id = newId();
    if (kind === 'note') piece.notes.push({ id, fromMs: atMs, toMs: endMs, text });
    else piece.markers.push({ id, atMs, label: text, ...(colour === null ? {} : { colour }) });
  }
  return piece;
}

const removePiece = (recordingId: string, { markers, notes }: Piece): Promise<unknown> =>
  call('removeLabels', {
    params: { recordingId },
    body: { markerIds: markers.map(({ id }) => id), noteIds: notes.map(({ id }) => id) },
  });

/**
 * Adds labels to a recording on the server, in batches. Offers to undo whatever was added, even if a later batch
 * failed. Never rejects.
 */
export function useAddLabels(recordingId: string): (labels: readonly Label[]) => Promise<void> {
  const { t } = useLingui();
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: recordingKeys.markers(recordingId) });
    void client.invalidateQueries({ queryKey: recordingKeys.notes(recordingId) });
  };
  const report = async (act: Promise<void>) => {
    await act.catch((error: unknown) => showFailure(() => messageOf(error)));
    refresh();
  };
  return async (labels) => {
    const pieces: Piece[] = [];
    await report(
      (async () => {
        for (const piece of inPieces(labels).map(pieceOf)) {
          await call('addLabels', { params: { recordingId }, body: piece });
          pieces.push(piece);
        }
      })(),
    );
    if (pieces.length === 0) return;
    const added = pieces.reduce((sum, { markers, notes }) => sum + markers.length + notes.length, 0);
    const undo = () =>
      void report(
        (async () => {
          for (const piece of pieces) await removePiece(recordingId, piece);
        })(),
      );
    showToast({
      message: () => t`${plural(added, { one: '# entry added', other: '# entries added' })}`,
      action: { label: () => t`Undo`, onAction: undo },
    });
  };
}
