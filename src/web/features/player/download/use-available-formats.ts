import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { maxChannelsOf } from '#contract/channels.ts';
import { call } from '#web/api/call.ts';
import { convertedFormats, type ConversionTarget } from './download-links.ts';

/** The available formats, and whether this device converts. */
interface Possible {
  formats: readonly ConversionTarget[];
  isHere: boolean;
  isPending: boolean;
}

export const formatsKey = ['export-formats'];

/**
 * Formats of the server. For takes that the server does not have whole, and for servers that can't convert, the formats
 * of this browser. Only those that hold all channels.
 */
export function useAvailableFormats({
  isFromServer,
  channels,
}: {
  isFromServer: boolean;
  channels: number;
}): Possible {
  const there = useQuery({
    queryKey: formatsKey,
    queryFn: ({ signal }) => call('listExportFormats', { signal }),
    enabled: isFromServer,
    staleTime: Infinity,
    meta: { what: msg({ message: 'Format', context: 'of a file' }), isPublic: true },
  });
  const byServer = convertedFormats.filter((format) => there.data?.formats.includes(format));
  const isHere = !isFromServer || (!there.isPending && byServer.length === 0);
  const here = useQuery({
    queryKey: ['formats-here'],
    meta: { isPublic: true },
    queryFn: async () => (await import('./convert-on-device.ts')).deviceFormats(),
    enabled: isHere,
    staleTime: Infinity,
    networkMode: 'always',
  });
  return {
    formats: (isHere ? (here.data ?? []) : byServer).filter((format) => channels <= maxChannelsOf(format)),
    isHere,
    isPending: isHere ? here.isPending : there.isPending,
  };
}
