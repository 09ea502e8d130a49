import { z } from 'zod';
import { NFC_TAP_OUTCOMES } from '../../shared/nfc/outcome.ts';
import { RISK_LEVELS } from '../../shared/risk/types.ts';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import { isInternalField, shownAs } from '../fields.ts';
import { instant } from '../list.ts';
import { publicSignalSchema } from './signal-schema.ts';

export const domainOfIssuer = z.string().nullable().meta({
  description:
    'A domain that it has shown to hold, as the DNS has it (`xn--…`); null where it has not: its name is its own word then',
});

export const verificationSchema = z
  .object({
    scanId: z.string().nullable(),
    result: z.enum([...SCAN_RESULTS, 'unknown']),
    message: z.string(),
    organization: z
      .object({
        name: z.string().nullable().meta({ description: 'As it calls itself' }),
        domain: domainOfIssuer,
      })
      .meta({ description: 'Whose code it is' }),
    product: z.object({
      name: z.string().nullable(),
      brand: z.string().nullable(),
      imageUrl: z.string().nullable(),
      gtin: z.string().nullable(),
    }),
    unit: z.object({
      serial: z.string().nullable(),
      lot: z.string().nullable(),
      expiresOn: z.string().nullable(),
    }),
    scan: z.object({
      count: z.number().int(),
      visitors: z.number().int().meta({
        description:
          'Different visitors behind them, a whole network counting as one: what reloads and scripts do not move',
      }),
      firstScannedAt: instant.nullable(),
      at: instant,
      country: z.string().nullable(),
      isInternal: isInternalField,
    }),
    risk: z.object({
      level: z.enum(RISK_LEVELS),
      signals: z
        .array(publicSignalSchema)
        .meta({ description: 'Each with its own evidence, without positions' }),
    }),
    recall: z
      .object({ messages: z.record(z.string(), z.string()), contact: z.string().nullable() })
      .nullable()
      .meta({ description: 'What consumers are told of a recall, by language' }),
    hasHiddenCode: z.boolean().meta({
      description:
        'The package has a second code below a layer to scratch or peel off: ask for it, and send it to `/v/{token}/hidden-code`, or below a GS1 Digital Link without its variant',
    }),
    hasNfcTag: z.boolean().meta({
      description: 'The package has an NFC tag that signs each tap: ask for a tap',
    }),
    nfcTap: z
      .object({
        outcome: z.enum(NFC_TAP_OUTCOMES),
        counter: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'Which of the tag’s taps it was; null where it is invalid' }),
        staleSince: instant.nullable().meta({
          description:
            'Since when somebody else had come with this tap or a later one; null unless it is replayed',
        }),
      })
      .nullable()
      .meta({
        description: 'What the tag’s signature says that came with this look; null where none came',
      }),
    assessment: z.enum(['preliminary', 'final']),
  })
  .meta({
    id: 'Verification',
    description: 'A valid code is evidence, not proof. For `unknown` every fact is null.',
  });

/** What an NFC tag adds to its address; whatever stands there is answered. */
const tapParameter = (description: string, example: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...shownAs({ type: 'string' }), example });

/** Links carry parameters of all kinds (`utm_source`, GS1 attributes): none of them is an error. */
export const verificationQuery = z.looseObject({
  lang: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({
      description: 'Language of the page, instead of `Accept-Language`',
      ...shownAs({ type: 'string' }),
    }),
  cmac: tapParameter(
    'Of a tap of the package’s NFC tag: its signature, 16 hexadecimal digits',
    '94EED9EE65337086',
  ),
  picc_data: tapParameter(
    'Of a tap: number of the tag and counter, encrypted, 32 hexadecimal digits',
    'EF963FF7828658A599F3041510671E88',
  ),
  uid: tapParameter('Of a tap in plain: number of the tag, 14 hexadecimal digits', '04DE5F1EACC040'),
  ctr: tapParameter('Of a tap in plain: counter, 6 hexadecimal digits', '00003D'),
});

export const positionBody = z.strictObject({
  nonce: z.string().max(64).meta({ description: 'From the page' }),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  accuracyM: z.number().min(0).max(200_000).meta({ description: 'Radius in metres, as browsers give it' }),
});
