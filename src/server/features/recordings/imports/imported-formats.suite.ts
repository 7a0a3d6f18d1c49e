import { expect, test } from 'vitest';
import { goodImport, importSample, type ImportedSample } from '#tests/support/imported-sample.ts';

const labelled = <Sample extends ImportedSample>(samples: readonly Sample[]) =>
  samples.map((sample) => ({ label: [sample.name, ...(sample.options ?? [])].join(' '), sample }));

/** Tests one import of each file that browsers play as it is. */
export function testPlayedUnchanged(samples: readonly ImportedSample[]): void {
  test.for(labelled(samples))(
    '$label is played unchanged; the server determines its duration and makes its peaks',
    async ({ sample }) => {
      const imported = await importSample(sample);
      expect(imported).toMatchObject({
        ...goodImport,
        rendition: 'none',
        format: sample.format,
        audio: 'unchanged',
      });
      expect(imported.errorMs).toBeLessThanOrEqual(80);
      expect(imported.missingPoints).toBeLessThanOrEqual(8);
    },
  );
}

/** Tests one import of each file of which browsers get a copy or a rendition, `served`. */
export function testRenditions(samples: readonly (ImportedSample & { served: string })[]): void {
  test.for(labelled(samples))(
    '$label gets a copy or a rendition that browsers play; the file itself is kept',
    async ({ sample: { served, ...sample } }) => {
      const imported = await importSample(sample);
      expect(imported).toMatchObject({
        ...goodImport,
        rendition: 'ready',
        format: sample.format,
        audio: served,
      });
      expect(imported.errorMs).toBeLessThanOrEqual(100);
      expect(imported.missingPoints).toBeLessThanOrEqual(10);
    },
  );
}
