/** What a scan's risk was told by, as everybody may hear it: `shared/scans/public-signals.ts`. */
import { z } from 'zod';
import { instant } from '../list.ts';
import { clone, diversion, excessiveScanning, impossibleTravel } from '../scans/signal-schema.ts';

const country = z.string().nullable();
const end = z.object({ country, at: instant });
const place = z.object({ country, visitors: z.number(), firstAt: instant, lastAt: instant });

export const publicSignalSchema = z
  .discriminatedUnion('type', [
    impossibleTravel.extend({ from: end, to: end }).meta({ id: 'PublicImpossibleTravelSignal' }),
    clone
      .omit({ turnedOut: true })
      .extend({ places: z.array(place) })
      .meta({ id: 'PublicCloneSignal' }),
    excessiveScanning,
    diversion.omit({ lot: true }).meta({ id: 'PublicDiversionSignal' }),
  ])
  .meta({ id: 'PublicRiskSignal' });
