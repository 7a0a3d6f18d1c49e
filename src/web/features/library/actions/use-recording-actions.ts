import { useLingui } from '@lingui/react/macro';
import { isSameTime, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { call } from '#web/api/call.ts';
import { iso } from '#web/i18n/iso.ts';
import { titleText, type Titled } from '#web/recordings/time/title-text.ts';
import { reportLinksLeftOff } from '#web/recordings/links-left-off.ts';
import { dismissToastsAbout, showToast } from '#web/ui/overlays/toast.tsx';
import { withChanged, withoutRecordings } from '#web/api/queries/cached-pages.ts';
import { whenTakesLoaded, type TakesLoading } from './when-takes-loaded.ts';
import { showUndo } from './undo-toast.ts';
import { useCachedChange } from './use-cached-change.ts';

type Named = { id: string } & Titled;
interface Timed {
  id: string;
  recordedTime: RecordedTime;
}

/** The same actions for takes on this device. Each also makes the changes needed on the server. */
export interface LocalTakeActions extends TakesLoading {
  has: (takeId: string) => boolean;
  rename: (takeId: string, title: string) => Promise<void>;
  moveToTrash: (takeId: string) => Promise<void>;
  /** Restores it from the trash; its links stay off. */
  restore: (takeId: string) => Promise<void>;
  /** Undoes `moveToTrash`; its links are as before. */
  undoTrash: (takeId: string) => Promise<void>;
  deletePermanently: (takeId: string) => Promise<void>;
}

export interface RecordingActions {
  rename: (recording: Named, title: string) => void;
  /** Only for recordings on the server: the start time of a take on this device is fixed. */
  changeTime: (recording: Timed, time: RecordedTime) => void;
  moveToTrash: (recording: Named) => void;
  restore: (recording: Named) => void;
  deletePermanently: (recording: Named) => void;
}

/**
 * Actions on one recording, on the server or on this device. The list changes immediately, a toast offers Undo,
 * and a failure reverts the change.
 */
export function useRecordingActions(local: LocalTakeActions): RecordingActions {
  const { t } = useLingui();
  const change = useCachedChange();

  const either = (id: string, here: () => Promise<unknown>, there: () => Promise<unknown>) =>
    whenTakesLoaded(local, () => (local.has(id) ? here() : there()));

  const setTitle = (id: string, title: string) =>
    change({
      pages: (pages) => withChanged(pages, new Set([id]), (item) => ({ ...item, title })),
      one: { id, change: (known) => ({ ...known, title }) },
      act: () =>
        either(
          id,
          () => local.rename(id, title),
          () => call('changeRecording', { params: { recordingId: id }, body: { title } }),
        ),
    });
  const setTime = (id: string, recordedTime: RecordedTime) =>
    change({
      pages: (pages) => withChanged(pages, new Set([id]), (item) => ({ ...item, recordedTime })),
      one: { id, change: (known) => ({ ...known, recordedTime }) },
      act: () => call('changeRecording', { params: { recordingId: id }, body: { recordedTime } }),
    });
  const removeFromList = (id: string, act: () => Promise<unknown>) =>
    change({ pages: (pages) => withoutRecordings(pages, new Set([id])), one: { id }, act });
  const putBack = (id: string, isUndo: boolean) =>
    removeFromList(id, () =>
      either(
        id,
        () => (isUndo ? local.undoTrash(id) : local.restore(id)),
        () =>
          call('restoreRecording', {
            params: { recordingId: id },
            query: { isUndo: isUndo ? 'true' : 'false' },
          }),
      ),
    );

  const rename = async (recording: Named, title: string) => {
    const { id, title: before } = recording;
    if (!(await setTitle(id, title))) return;
    const name = iso(titleText({ ...recording, title }));
    showUndo({
      message: () => t`Renamed to “${name}”`,
      label: () => t`Undo`,
      onUndo: () => void setTitle(id, before),
    });
  };
  const changeTime = async ({ id, recordedTime: before }: Timed, time: RecordedTime) => {
    if (isSameTime(before, time) || !(await setTime(id, time))) return;
    showUndo({
      message: () => t`Details saved`,
      label: () => t`Undo`,
      onUndo: () => void setTime(id, before),
    });
  };
  const moveToTrash = async (recording: Named) => {
    const { id } = recording;
    if (
      !(await removeFromList(id, () =>
        either(
          id,
          () => local.moveToTrash(id),
          () => call('trashRecording', { params: { recordingId: id } }),
        ),
      ))
    )
      return;
    dismissToastsAbout([id]);
    const name = iso(titleText(recording));
    showUndo({
      message: () => t`Moved “${name}” to the trash`,
      label: () => t`Undo`,
      onUndo: () => void putBack(id, true),
    });
  };
  const restore = async (recording: Named) => {
    const { id } = recording;
    if (!(await putBack(id, false))) return;
    const name = iso(titleText(recording));
    showToast({ message: () => t`Restored “${name}” to the library`, tone: 'success' });
    await reportLinksLeftOff([id]);
  };
  const deletePermanently = async (recording: Named) => {
    const { id } = recording;
    if (
      !(await removeFromList(id, () =>
        either(
          id,
          () => local.deletePermanently(id),
          () => call('purgeRecording', { params: { recordingId: id } }),
        ),
      ))
    )
      return;
    const name = iso(titleText(recording));
    showToast({ message: () => t`Permanently deleted “${name}”` });
  };

  return {
    rename: (recording, title) => void rename(recording, title),
    changeTime: (recording, time) => void changeTime(recording, time),
    moveToTrash: (recording) => void moveToTrash(recording),
    restore: (recording) => void restore(recording),
    deletePermanently: (recording) => void deletePermanently(recording),
  };
}
