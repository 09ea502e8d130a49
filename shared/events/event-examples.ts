/** One valid `data` for each event type; shown in the documentation and the API, and checked against the schemas. */

/** The id and time of the examples' envelopes. */
export const EVENT_ID = 'evt_01kbb5m3zve2tv1c9x5n6q8r7s';
export const CREATED_AT = '2026-11-20T09:30:01.250Z';

const unit = {
  productUnitId: 'unit_01kb8x0qhre5ws8f3v7m2k4n6p',
  productId: 'prod_01kb8wzt5cfx3r6y9d1g4j7m0q',
  productName: 'Aurelia Extra Virgin Olive Oil 0.5 l',
  sku: 'AUR-EVO-500',
  gtin: '04012345123456',
  batchId: 'batch_01kb8x0a2mf8kt4v6x9z1b3d5g',
  serial: '0000417',
  lot: 'L2611',
};

const scan = {
  scanId: 'scan_01kbb5m2w9f4qa7s0v3y6b8d1h',
  ...unit,
  result: 'genuine',
  country: 'DE',
  place: { lat: 52.52, lon: 13.4, accuracyKm: 16, source: 'ip-fixed' },
  riskLevel: 'none',
  score: 0,
  signals: [],
  at: '2026-11-20T09:30:00.000Z',
};

export const scanRecorded = { ...scan, isInternal: false };

export const suspiciousScanDetected = {
  ...scan,
  result: 'suspicious',
  country: 'BR',
  place: { lat: -23.55, lon: -46.63, accuracyKm: 207, source: 'ip-mobile' },
  riskLevel: 'high',
  score: 62,
  signals: [
    {
      type: 'impossible_travel',
      weight: 62,
      from: { country: 'DE', lat: 52.5, lon: 13.4, accuracyKm: 16, at: '2026-11-20T09:29:00.000Z' },
      to: { country: 'BR', lat: -23.6, lon: -46.6, accuracyKm: 207, at: '2026-11-20T09:30:00.000Z' },
      distanceKm: 10260,
      adjustedKm: 10030,
      minutes: 1,
      speedKmh: 601800,
      thresholdKmh: 1000,
    },
  ],
  reasons: ['impossible_travel'],
  caseId: 'case_01kbb5m3b4e8r0t2w4y6a8c0e2',
  heldBack: 0,
};

export const productDiverted = {
  ...scan,
  result: 'diverted',
  country: 'PL',
  place: { lat: 52.23, lon: 21.01, accuracyKm: 16, source: 'ip-fixed' },
  riskLevel: 'medium',
  score: 40,
  signals: [
    {
      type: 'diversion',
      weight: 40,
      country: 'PL',
      markets: ['DE', 'AT'],
      counted: true,
      reason: 'outside-markets',
      visitorsInside: 0,
      visitorsOutside: 1,
      lot: null,
    },
  ],
  markets: ['DE', 'AT'],
};

export const counterfeitReportCreated = {
  reportId: 'rep_01kbb5m3a1f6s8v0x2z4b6d8g1',
  ...unit,
  scanId: scanRecorded.scanId,
  message: 'The seal was broken and the print is blurred.',
  purchasedFrom: 'Market stall, Lyon',
  price: '12 EUR',
  country: 'DE',
  photoCount: 2,
  hasContact: true,
  at: '2026-11-20T09:30:00.000Z',
};

const barcodeJob = {
  jobId: 'job_01kb8x1d4rf0m2p4s6v8x0z2b4',
  batchId: unit.batchId,
  productId: unit.productId,
  symbology: 'qr',
  formats: ['png'],
  total: 10_000,
  startedAt: '2026-11-20T09:29:50.000Z',
  finishedAt: '2026-11-20T09:30:00.000Z',
  durationMs: 10_000,
};

export const barcodeJobCompleted = {
  ...barcodeJob,
  done: 10_000,
  artifactCount: 3,
  artifactsUrl: 'https://touchstone.example/api/v1/barcode-jobs/job_01kb8x1d4rf0m2p4s6v8x0z2b4',
  artifacts: [
    {
      kind: 'manifest',
      name: 'manifest.json',
      bytes: 1_024,
      sha256: 'a3f5b1c09d8e47f2a6b4c8d0e2f41628394a5b6c7d8e9f00112233445566778f',
      url: 'https://touchstone.example/artifacts/manifest.json?expires=1795167900&signature=bWFuaWZl',
    },
    {
      kind: 'codes',
      name: 'codes.csv',
      bytes: 912_345,
      sha256: '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592',
      url: 'https://touchstone.example/artifacts/codes.csv?expires=1795167900&signature=Y29kZXMu',
    },
    {
      kind: 'images',
      name: 'images-0001.zip',
      bytes: 4_183_022,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      url: 'https://touchstone.example/artifacts/images-0001.zip?expires=1795167900&signature=c2lnbmVk',
    },
  ],
};

export const barcodeJobFailed = {
  ...barcodeJob,
  done: 4_000,
  error: {
    code: 'STORAGE_FULL',
    message:
      'The storage for artifacts is full. Retry the job when the operator has made room; units that were minted are kept.',
  },
};

const consignment = {
  consignmentId: 'cons_01kb8x2f6tf2p4s6v8x0z2b4d6',
  reference: 'PO-20417',
  sscc: '106141412345678908',
  distributor: 'Nordhandel GmbH',
  unitCount: 500,
};

export const consignmentReceived = {
  ...consignment,
  status: 'partially_received',
  receivedCount: 488,
  missingCount: 12,
  damagedCount: 3,
  counted: 488,
  receivedAt: '2026-11-20T09:30:00.000Z',
};

export const consignmentRecalled = {
  ...consignment,
  reason: 'Cold chain interrupted',
  recalledAt: '2026-11-20T09:30:00.000Z',
};

export const webhookTest = {
  endpointId: 'whep_01kb8x3g8vf4r6t8w0y2a4c6e8',
  message: 'This is a test. Nothing happened.',
  at: CREATED_AT,
};
