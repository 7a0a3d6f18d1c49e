import { type ChangeEvent, useRef } from 'react';
import { FileAudio, FolderOpen, TriangleAlert, Upload } from 'lucide-react';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import { chosenFrom } from '#web/features/imports/importer/chosen-files.ts';
import { startImports } from '#web/features/imports/importer/start-imports.ts';
import styles from './import-button.module.css';

/** Lets the user choose files, or a whole folder, to import. */
export function ImportButton() {
  const { t } = useLingui();
  const format = useFormat();
  const putAside = useStore(importer).rows.filter(
    // The server checks it. If it finds nothing to play, the badge says so.
    ({ isPutAside, state }) => isPutAside && state.step !== 'checking',
  ).length;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const handleChange =
    (isFolder: boolean) =>
    ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      startImports(chosenFrom(Array.from(currentTarget.files ?? []), isFolder));
      // Lets the user choose the same file again.
      currentTarget.value = '';
    };
  return (
    <>
      <MenuButton
        label={
          putAside === 0
            ? t`Import files`
            : t`${plural(putAside, { one: 'Import files, # import needs attention', other: 'Import files, # imports need attention' })}`
        }
        variant="quiet"
        className={styles.button}
        items={[
          ...(putAside === 0
            ? []
            : [
                {
                  id: 'put-aside',
                  label: t`Show imports that need attention`,
                  icon: <TriangleAlert aria-hidden />,
                  onAction: importer.reopen,
                },
              ]),
          {
            id: 'files',
            label: t`Choose files…`,
            icon: <FileAudio aria-hidden />,
            onAction: () => files.current?.click(),
          },
          {
            id: 'folder',
            label: t`Choose a folder…`,
            icon: <FolderOpen aria-hidden />,
            onAction: () => folder.current?.click(),
          },
        ]}
      >
        <Upload aria-hidden />
        <span className={styles.label}>{t`Import files`}</span>
        {putAside > 0 && (
          <span aria-hidden className={styles.badge}>
            {format.number(putAside)}
          </span>
        )}
      </MenuButton>
      <input ref={files} hidden type="file" multiple data-import="files" onChange={handleChange(false)} />
      <input
        ref={folder}
        hidden
        type="file"
        multiple
        data-import="folder"
        {...{ webkitdirectory: '' }}
        onChange={handleChange(true)}
      />
    </>
  );
}
