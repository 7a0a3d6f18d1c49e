import { type ChangeEvent, useRef } from 'react';
import { FileAudio, FolderOpen, Upload } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { MenuButton } from '#web/ui/controls/menu-button.tsx';
import { chosenFrom } from './intake/chosen-files.ts';
import { takeIn } from './intake/take-in.ts';

/** Lets somebody choose files, or a whole folder, to import. */
export function ImportButton() {
  const { t } = useLingui();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const handleChange = (isFolder: boolean) => ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    takeIn(chosenFrom(Array.from(currentTarget.files ?? []), isFolder));
    // The same file may be chosen again.
    currentTarget.value = '';
  };
  return (
    <>
      <MenuButton
        label={t`Import files`}
        variant="quiet"
        items={[
          { id: 'files', label: t`Choose files…`, icon: <FileAudio aria-hidden />, onAction: () => files.current?.click() },
          { id: 'folder', label: t`Choose a folder…`, icon: <FolderOpen aria-hidden />, onAction: () => folder.current?.click() },
        ]}
      >
        <Upload aria-hidden /><span>{t`Import files`}</span>
      </MenuButton>
      <input ref={files} hidden type="file" multiple data-import="files" onChange={handleChange(false)} />
      <input ref={folder} hidden type="file" multiple data-import="folder" {...{ webkitdirectory: '' }} onChange={handleChange(true)} />
    </>
  );
}
