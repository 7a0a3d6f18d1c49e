import type { ImportRecord } from '#workers/import/import-record.ts';

/** For tests, in place of `import-storage.ts`: a device that has these records and saves nothing. */
export const storedImports = (stored: { records: ImportRecord[] }) => ({
  adoptStored: (adopt: (record: ImportRecord, file: null) => void) => {
    for (const record of stored.records) adopt(record, null);
    return Promise.resolve();
  },
  saveSharedFiles: () => Promise.resolve(),
  saveNewImports: () => Promise.resolve(),
  saveImport: () => Promise.resolve(),
  removeCopy: () => Promise.resolve(),
  removeImport: () => Promise.resolve(),
  lockContinued: () => Promise.resolve(true),
  isClaimed: () => false,
});
