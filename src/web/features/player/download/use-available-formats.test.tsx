import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatsKey, useAvailableFormats } from './use-available-formats.ts';

function Formats({ channels }: { channels: number }) {
  return useAvailableFormats({ isFromServer: true, channels }).formats.join(' ');
}

const offered = (channels: number): string => {
  const client = new QueryClient();
  client.setQueryData(formatsKey, { formats: ['original', 'wav', 'flac', 'mp3', 'm4a', 'opus'] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Formats channels={channels} />
    </QueryClientProvider>,
  );
};

test.for([1, 2, 8])('offers every format of the server for %i channels', (channels) => {
  expect(offered(channels)).toBe('mp3 m4a opus flac wav');
});

test.for([9, 24, 255])('offers no FLAC for %i channels, because it holds eight', (channels) => {
  expect(offered(channels)).toBe('mp3 m4a opus wav');
});
