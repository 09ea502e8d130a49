/* Written by `npm run dashboard:types` from the OpenAPI document. */

export interface Schemas {
  SheetPreset:
    | 'a4-avery-l7159'
    | 'a4-avery-l7160'
    | 'a4-avery-l7163'
    | 'a4-avery-l7651'
    | 'a4-single'
    | 'letter-avery-5160'
    | 'letter-avery-5163'
    | 'letter-avery-5167';
  SheetLayout: {
    pageWidth: number;
    pageHeight: number;
    columns: number;
    rows: number;
    labelWidth: number;
    labelHeight: number;
    gapX?: number;
    gapY?: number;
    marginLeft?: number;
    marginTop?: number;
  };
  RandomSerials: { source: 'random' };
  SequentialSerials: { source: 'sequential'; prefix?: string; first?: number; digits?: number };
  UploadedSerials: { source: 'uploaded' };
  StartUnitExport: {
    format?: 'csv' | 'ndjson';
    byteOrderMark?: boolean;
    batchId?: string;
    productId?: string;
    consignmentId?: string;
    status?: 'minted' | 'active' | 'suspended' | 'voided';
    risk?: 'clear' | 'suspect' | 'confirmed';
    q?: string;
  };
  StartScanExport: {
    format?: 'csv' | 'ndjson';
    byteOrderMark?: boolean;
    from?: string;
    to?: string;
    unitId?: string;
    productId?: string;
    batchId?: string;
    result?: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
    country?: string;
    riskLevel?: 'none' | 'low' | 'medium' | 'high';
    isInternal?: 'true' | 'false';
    hiddenCode?: 'correct' | 'wrong';
    nfcTap?: 'fresh' | 'replayed' | 'invalid';
    consignmentId?: string;
  };
  FieldErrorCode:
    | 'REQUIRED'
    | 'EMPTY'
    | 'UNKNOWN_FIELD'
    | 'BODY_NOT_EMPTY'
    | 'NOTHING_TO_CHANGE'
    | 'EXACTLY_ONE_OF'
    | 'AT_MOST_ONE_OF'
    | 'INVALID'
    | 'WRONG_TYPE'
    | 'NOT_A_NUMBER'
    | 'NOT_A_WHOLE_NUMBER'
    | 'TOO_SMALL'
    | 'TOO_LARGE'
    | 'NOT_ABOVE'
    | 'NOT_BELOW'
    | 'OUT_OF_RANGE'
    | 'TOO_SHORT'
    | 'TOO_LONG'
    | 'WRONG_LENGTH'
    | 'TOO_FEW'
    | 'TOO_MANY'
    | 'REPEATED'
    | 'UNKNOWN_CHOICE'
    | 'WRONG_FORMAT'
    | 'TOO_DEEP'
    | 'FORBIDDEN_KEY'
    | 'NUL_CHARACTER'
    | 'LONE_SURROGATE'
    | 'NOT_UTF_8'
    | 'NOT_AN_EMAIL_ADDRESS'
    | 'NOT_A_WEB_ADDRESS'
    | 'NOT_AN_EMAIL_OR_WEB_ADDRESS'
    | 'NOT_A_DAY'
    | 'NOT_A_TIME'
    | 'NOT_AN_ID'
    | 'NOT_A_UNIT_ID'
    | 'NOT_A_CURSOR'
    | 'NOT_A_COUNTRY'
    | 'NOT_A_LANGUAGE'
    | 'NOT_A_DOMAIN'
    | 'NOT_A_LINK_TYPE'
    | 'NOT_A_TIME_ZONE'
    | 'NOT_A_COLOR'
    | 'NOT_A_GTIN'
    | 'NOT_AN_SSCC'
    | 'NOT_A_SERIAL'
    | 'NOT_A_CODE'
    | 'NOT_A_NETWORK'
    | 'NETWORK_TOO_WIDE'
    | 'NOT_A_SCOPE'
    | 'NOT_GS1_TEXT'
    | 'NOT_A_GS1_CHARACTER'
    | 'LOT_NOT_GS1'
    | 'EXPIRY_NOT_GS1'
    | 'DOT_SEGMENT'
    | 'TAKEN'
    | 'GTIN_PRINTED'
    | 'ALREADY_MEMBER'
    | 'LAST_OWNER'
    | 'CHANGED_MEANWHILE'
    | 'NO_SUCH_PRODUCT'
    | 'NO_SUCH_BATCH'
    | 'NO_SUCH_UNIT'
    | 'NOT_ITS_PRODUCT'
    | 'UNIT_OF_ITS_CODE'
    | 'NO_SUCH_REPORT'
    | 'NO_SUCH_USER'
    | 'ENDS_BEFORE_START'
    | 'SPAN_TOO_LONG'
    | 'EXPIRES_BEFORE_MANUFACTURE'
    | 'NOT_IN_FUTURE'
    | 'NOT_IN_PAST'
    | 'PASSWORD_GUESSABLE'
    | 'PASSWORD_LIKE_YOU'
    | 'LINK_NOT_VALID'
    | 'WRONG_SECOND_FACTOR'
    | 'URL_CHARACTERS'
    | 'URL_NOT_HTTPS'
    | 'URL_FRAGMENT'
    | 'URL_CREDENTIALS'
    | 'URL_MALFORMED'
    | 'URL_TRAILING_DOT'
    | 'URL_PORT'
    | 'URL_PRIVATE_ADDRESS'
    | 'URL_PRIVATE_HOST'
    | 'ALL_EVENTS_ALONE'
    | 'DELAYS_TOO_LONG'
    | 'HEADER_NAME'
    | 'HEADER_RESERVED'
    | 'HEADER_OF_CONNECTION'
    | 'HEADER_VALUE'
    | 'ONLY_FOR_RECALL'
    | 'ONLY_WHEN_CLOSED'
    | 'THRESHOLDS_CROSS'
    | 'THRESHOLDS_CROSS_PRODUCTS'
    | 'CONSENT_NEEDED'
    | 'NOT_A_PHOTO'
    | 'HEIC_PHOTO'
    | 'NO_ERROR_CORRECTION'
    | 'LOW_CONTRAST'
    | 'PALE_IN_RED'
    | 'GTIN_NEEDED'
    | 'GTIN_LENGTH'
    | 'SYMBOL_CHARACTERS'
    | 'ODD_DIGITS'
    | 'SYMBOL_TOO_LONG'
    | 'SYMBOL_IMPOSSIBLE'
    | 'LAYOUT_IMPOSSIBLE'
    | 'MODULE_TOO_NARROW'
    | 'LINES_DO_NOT_FIT'
    | 'SHEET_WITHOUT_PDF'
    | 'LABELS_TOO_WIDE'
    | 'LABELS_TOO_TALL'
    | 'SERIALS_NOT_UPLOADED'
    | 'SERIALS_NEED_BATCH'
    | 'SERIAL_COUNT'
    | 'DIGITS_TOO_FEW'
    | 'SERIAL_TOO_LONG'
    | 'SERIAL_TAKEN'
    | 'NUMBERS_TAKEN'
    | 'SERIAL_REPEATED'
    | 'UNIT_STATE'
    | 'UNIT_VOIDED'
    | 'UNIT_CONSIGNED'
    | 'NOT_IN_CONSIGNMENT'
    | 'AMBIGUOUS_SERIAL'
    | 'MISSING_AND_DAMAGED'
    | 'MORE_DAMAGED_THAN_ARRIVED';
  Verification: {
    scanId: string | null;
    result:
      | 'genuine'
      | 'suspicious'
      | 'diverted'
      | 'suspended'
      | 'recalled'
      | 'expired'
      | 'inactive'
      | 'unknown';
    message: string;
    organization: { name: string | null; domain: string | null };
    product: { name: string | null; brand: string | null; imageUrl: string | null; gtin: string | null };
    unit: { serial: string | null; lot: string | null; expiresOn: string | null };
    scan: {
      count: number;
      visitors: number;
      firstScannedAt: string | null;
      at: string;
      country: string | null;
      isInternal: boolean;
    };
    risk: { level: 'none' | 'low' | 'medium' | 'high'; signals: Array<Schemas['PublicRiskSignal']> };
    recall: { messages: Record<string, string>; contact: string | null } | null;
    hasHiddenCode: boolean;
    hasNfcTag: boolean;
    nfcTap: {
      outcome: 'fresh' | 'replayed' | 'invalid';
      counter: number | null;
      staleSince: string | null;
    } | null;
    assessment: 'preliminary' | 'final';
  };
  PublicRiskSignal:
    | Schemas['PublicImpossibleTravelSignal']
    | Schemas['PublicCloneSignal']
    | Schemas['ExcessiveScanningSignal']
    | Schemas['PublicDiversionSignal'];
  PublicImpossibleTravelSignal: {
    type: 'impossible_travel';
    weight: number;
    from: { country: string | null; at: string };
    to: { country: string | null; at: string };
    distanceKm: number;
    adjustedKm: number;
    minutes: number;
    speedKmh: number;
    thresholdKmh: number;
  };
  PublicCloneSignal: {
    type: 'clone';
    weight: number;
    reason: 'places' | 'not-shipped' | 'consumed' | 'hidden-code' | 'nfc-tap' | 'confirmed';
    visitors: number;
    places: Array<{ country: string | null; visitors: number; firstAt: string; lastAt: string }>;
    moves: number;
    evidence: number;
    threshold: number;
  };
  ExcessiveScanningSignal: {
    type: 'excessive_scanning';
    weight: number;
    visitors: number;
    windowHours: number;
    threshold: number;
  };
  PublicDiversionSignal: {
    type: 'diversion';
    weight: number;
    country: string;
    markets: Array<string>;
    counted: boolean;
    reason: 'outside-markets' | 'near-border' | 'seen-inside' | 'lot-inside' | 'unit-doubtful';
    visitorsInside: number;
    visitorsOutside: number;
  };
  HiddenCodeAnswer: {
    scanId: string;
    outcome: 'first' | 'repeated' | 'wrong';
    message: string;
    firstEnteredAt: string | null;
    visitors: number;
  };
  FiledReport: { reportId: string; status: 'open' };
  ProductInformation: {
    message: string;
    organization: { name: string; domain: string | null };
    product: { name: string; brand: string | null; imageUrl: string | null; gtin: string };
    lot: string | null;
    recall: { messages: Record<string, string>; contact: string | null } | null;
  };
  ProductList: { data: Array<Schemas['Product']>; nextCursor: string | null };
  Product: {
    id: string;
    name: string;
    sku: string;
    gtin: string | null;
    brand: string | null;
    description: string | null;
    imageUrl: string | null;
    markets: Array<string>;
    attributes: Record<string, unknown>;
    links: Array<{ linkType: string; url: string; title: string; language: string | null }>;
    archivedAt: string | null;
    createdAt: string;
    updatedAt: string;
  };
  ProductImport: {
    dryRun: boolean;
    created: number;
    updated: number;
    unchanged: number;
    changes: Array<{
      row: number;
      id: string | null;
      sku: string;
      name: string;
      change: 'created' | 'updated';
      fields: Array<string>;
    }>;
  };
  BatchList: { data: Array<Schemas['Batch']>; nextCursor: string | null };
  Batch: {
    id: string;
    productId: string;
    productName: string;
    quantity: number;
    mintedCount: number;
    lot: string | null;
    manufacturedOn: string | null;
    expiresOn: string | null;
    markets: Array<string> | null;
    hiddenCodes: boolean;
    nfcTags: boolean;
    formerLots: Array<string>;
    recall: { recalledAt: string; reason: string | null } | null;
    createdAt: string;
  };
  UnitCounts: { minted: number; active: number; suspended: number; voided: number };
  BarcodeJob: {
    id: string;
    batchId: string;
    productId: string;
    productName: string;
    lot: string | null;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    symbology:
      | 'qr'
      | 'gs1-digital-link'
      | 'gs1-datamatrix'
      | 'datamatrix-url'
      | 'gs1-128'
      | 'qrcode'
      | 'datamatrix'
      | 'azteccode'
      | 'pdf417'
      | 'code128'
      | 'code93'
      | 'code39'
      | 'interleaved2of5'
      | 'ean13'
      | 'ean8'
      | 'upca'
      | 'itf14';
    formats: Array<'png' | 'svg' | 'eps' | 'zpl' | 'pdf'>;
    errorCorrection: 'L' | 'M' | 'Q' | 'H' | null;
    scale: number;
    dpi: number | null;
    quietZone: number | null;
    text: boolean;
    foreground: string;
    background: string;
    sheet: {
      layout: Schemas['SheetPreset'] | Schemas['SheetMeasures'];
      fields: Array<string>;
      labels: number;
    } | null;
    serials: {
      source: 'random' | 'sequential' | 'uploaded';
      prefix?: string;
      first?: number;
      digits?: number;
    };
    activate: boolean;
    progress: { done: number; total: number };
    artifacts: Array<Schemas['Artifact']>;
    artifactsExpireAt: string | null;
    artifactsExpiredAt: string | null;
    error: { code: string; message: string } | null;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
  };
  Artifact: {
    kind: 'images' | 'labels' | 'codes' | 'manifest';
    name: string;
    bytes: number;
    sha256: string;
    url: string;
  };
  BarcodeJobList: { data: Array<Schemas['BarcodeJob']>; nextCursor: string | null };
  ProductUnitList: { data: Array<Schemas['ProductUnit']>; nextCursor: string | null };
  ProductUnit: {
    id: string;
    batchId: string;
    productId: string;
    productName: string;
    serial: string;
    token: string;
    verifyUrl: string;
    status: 'minted' | 'active' | 'suspended' | 'voided';
    activatedAt: string | null;
    consumedAt: string | null;
    recall: {
      of: 'unit' | 'batch' | 'consignment' | 'product';
      recalledAt: string;
      reason: string | null;
    } | null;
    lot: string | null;
    expiresOn: string | null;
    risk: 'clear' | 'suspect' | 'confirmed' | null;
    openCaseId: string | null;
  };
  UnitExport: {
    id: string;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    format: 'csv' | 'ndjson';
    byteOrderMark: boolean;
    filters: Record<string, string>;
    progress: { done: number; total: number | null };
    artifacts: Array<{ kind: 'units'; name: string; bytes: number; sha256: string; url: string }>;
    artifactsExpireAt: string | null;
    artifactsExpiredAt: string | null;
    error: { code: string; message: string } | null;
    withScans: boolean;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
  };
  UnitExportList: { data: Array<Schemas['UnitExport']>; nextCursor: string | null };
  TimelineEntryList: { data: Array<Schemas['TimelineEntry']>; nextCursor: string | null };
  TimelineEntry:
    | Schemas['MintedEntry']
    | Schemas['ActivatedEntry']
    | Schemas['SuspendedEntry']
    | Schemas['ReactivatedEntry']
    | Schemas['VoidedEntry']
    | Schemas['ConsumedEntry']
    | Schemas['ShippedEntry']
    | Schemas['ReceivedEntry']
    | Schemas['ShipmentCancelledEntry']
    | Schemas['RecalledEntry']
    | Schemas['RecallLiftedEntry']
    | Schemas['ScannedEntry']
    | Schemas['HiddenCodeEnteredEntry']
    | Schemas['FlaggedEntry']
    | Schemas['DecidedEntry']
    | Schemas['ReportedEntry'];
  MintedEntry: { type: 'minted'; at: string; batchId: string; serial: string };
  ActivatedEntry: { type: 'activated'; at: string };
  SuspendedEntry: { type: 'suspended'; at: string };
  ReactivatedEntry: { type: 'reactivated'; at: string };
  VoidedEntry: { type: 'voided'; at: string };
  ConsumedEntry: { type: 'consumed'; at: string };
  ShippedEntry: {
    type: 'shipped';
    at: string;
    consignmentId: string;
    reference: string | null;
    destination: string | null;
  };
  ReceivedEntry: {
    type: 'received';
    at: string;
    consignmentId: string;
    reference: string | null;
    destination: string | null;
    condition: 'missing' | 'damaged' | null;
  };
  ShipmentCancelledEntry: {
    type: 'shipment_cancelled';
    at: string;
    consignmentId: string;
    reference: string | null;
    destination: string | null;
  };
  RecalledEntry: {
    type: 'recalled';
    at: string;
    recallId: string;
    scope: 'unit' | 'batch' | 'consignment' | 'product';
    reason: string | null;
  };
  RecallLiftedEntry: {
    type: 'recall_lifted';
    at: string;
    recallId: string;
    scope: 'unit' | 'batch' | 'consignment' | 'product';
  };
  ScannedEntry: {
    type: 'scanned';
    at: string;
    scanId: string;
    result: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
    country: string | null;
    lat: number | null;
    lon: number | null;
    accuracyKm: number | null;
    riskLevel: 'none' | 'low' | 'medium' | 'high';
    riskScore: number;
    signals: Array<string>;
    isInternal: boolean;
    nfcTap: 'fresh' | 'replayed' | 'invalid' | null;
  };
  HiddenCodeEnteredEntry: {
    type: 'hidden_code_entered';
    at: string;
    scanId: string | null;
    isCorrect: boolean;
    wrongAttempts: number;
  };
  FlaggedEntry: {
    type: 'flagged';
    at: string;
    caseId: string;
    signals: Array<string>;
    firstScanId: string | null;
    openedBy: string | null;
    reportId: string | null;
  };
  DecidedEntry: {
    type: 'decided';
    at: string;
    caseId: string;
    decision: 'confirmed' | 'dismissed';
    closingReason:
      | 'copied_code'
      | 'counterfeit_seen'
      | 'stolen_code'
      | 'other_abuse'
      | 'shop_display'
      | 'owner_scans'
      | 'resold'
      | 'wrong_position'
      | 'internal_scans'
      | 'mistaken_report'
      | 'other_harmless'
      | null;
  };
  ReportedEntry: {
    type: 'reported';
    at: string;
    reportId: string;
    channel:
      | 'consumer'
      | 'inspection'
      | 'test_purchase'
      | 'online_listing'
      | 'customer_service'
      | 'authority'
      | 'partner';
    excerpt: string;
    status: string;
  };
  BulkJob: {
    id: string;
    action: 'activate' | 'suspend' | 'recall' | 'lift-recall' | 'consign' | 'preview-recall';
    consignmentId: string | null;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    progress: { done: number; total: number | null };
    changed: number;
    unchanged: number;
    refused: number;
    problems: Array<{
      line: number | null;
      ref: string;
      code: Schemas['FieldErrorCode'];
      message: string;
      params?: Record<string, unknown>;
    }>;
    result: {
      units: number;
      scannedUnits: number;
      scans: number;
      lastScannedAt: string | null;
      countries: Record<string, number>;
    } | null;
    error: { code: string; message: string } | null;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
    cancelRequestedAt: string | null;
  };
  BulkJobList: { data: Array<Schemas['BulkJob']>; nextCursor: string | null };
  ConsignmentList: { data: Array<Schemas['Consignment']>; nextCursor: string | null };
  Consignment: {
    id: string;
    status: 'draft' | 'dispatched' | 'received' | 'partially_received' | 'recalled' | 'cancelled';
    reference: string | null;
    sscc: string | null;
    origin: { name: string; address: string | null; country: string | null } | null;
    destination: { name: string; address: string | null; country: string | null } | null;
    expectedMarkets: Array<string>;
    references: Array<{ type: string; value: string }>;
    unitCount: number;
    contents: Array<{ name: string; units: number }>;
    receipt: {
      receivedCount: number;
      missingCount: number;
      damagedCount: number;
      counted: number | null;
      hasDiscrepancy: boolean;
      name: string | null;
      note: string | null;
      through: 'link' | 'key';
      receivedAt: string;
    } | null;
    recall: { recalledAt: string; reason: string | null } | null;
    linkExpiresAt: string | null;
    createdAt: string;
    dispatchedAt: string | null;
    cancelledAt: string | null;
  };
  ConsignmentUnitList: { data: Array<Schemas['ConsignmentUnit']>; nextCursor: string | null };
  ConsignmentUnit: {
    id: string;
    serial: string;
    productId: string;
    batchId: string;
    lot: string | null;
    condition: 'missing' | 'damaged' | null;
  };
  ConsignmentWithLink: {
    id: string;
    status: 'draft' | 'dispatched' | 'received' | 'partially_received' | 'recalled' | 'cancelled';
    reference: string | null;
    sscc: string | null;
    origin: { name: string; address: string | null; country: string | null } | null;
    destination: { name: string; address: string | null; country: string | null } | null;
    expectedMarkets: Array<string>;
    references: Array<{ type: string; value: string }>;
    unitCount: number;
    contents: Array<{ name: string; units: number }>;
    receipt: {
      receivedCount: number;
      missingCount: number;
      damagedCount: number;
      counted: number | null;
      hasDiscrepancy: boolean;
      name: string | null;
      note: string | null;
      through: 'link' | 'key';
      receivedAt: string;
    } | null;
    recall: { recalledAt: string; reason: string | null } | null;
    linkExpiresAt: string | null;
    createdAt: string;
    dispatchedAt: string | null;
    cancelledAt: string | null;
    receiveUrl: string | null;
    activationJobId?: string | null;
  };
  DistributorConsignment: {
    status: 'draft' | 'dispatched' | 'received' | 'partially_received' | 'recalled' | 'cancelled';
    from: string;
    reference: string | null;
    sscc: string | null;
    unitCount: number;
    contents: Array<{ name: string; units: number }>;
    receipt: {
      receivedCount: number;
      missingCount: number;
      damagedCount: number;
      counted: number | null;
      receivedAt: string;
    } | null;
  };
  RecallList: { data: Array<Schemas['Recall']>; nextCursor: string | null };
  Recall: {
    id: string;
    scope: 'unit' | 'batch' | 'consignment' | 'product';
    targetId: string;
    reason: string | null;
    messages: Record<string, string>;
    contact: string | null;
    startsAt: string;
    createdAt: string;
    liftedAt: string | null;
  };
  CounterfeitReportList: { data: Array<Schemas['CounterfeitReport']>; nextCursor: string | null };
  CounterfeitReport: {
    id: string;
    channel:
      | 'consumer'
      | 'inspection'
      | 'test_purchase'
      | 'online_listing'
      | 'customer_service'
      | 'authority'
      | 'partner';
    filedBy: string | null;
    identifiedBy: string | null;
    status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    resolution:
      | 'counterfeit'
      | 'tampered'
      | 'grey_market'
      | 'stolen'
      | 'genuine'
      | 'duplicate'
      | 'spam'
      | 'insufficient_information'
      | null;
    assigneeId: string | null;
    productUnitId: string | null;
    productId: string | null;
    batchId: string | null;
    serial: string | null;
    lot: string | null;
    scanId: string | null;
    scansUrl: string | null;
    code: string | null;
    brand: string | null;
    description: string;
    purchasedFrom: string | null;
    price: string | null;
    language: string | null;
    country: string | null;
    foundOn: string | null;
    contact: { name: string | null; email: string | null } | null;
    contactErasedAt: string | null;
    photoCount: number;
    repetitions: number;
    createdAt: string;
    updatedAt: string;
    closedAt: string | null;
  };
  CounterfeitReportDetail: {
    id: string;
    channel:
      | 'consumer'
      | 'inspection'
      | 'test_purchase'
      | 'online_listing'
      | 'customer_service'
      | 'authority'
      | 'partner';
    filedBy: string | null;
    identifiedBy: string | null;
    status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    resolution:
      | 'counterfeit'
      | 'tampered'
      | 'grey_market'
      | 'stolen'
      | 'genuine'
      | 'duplicate'
      | 'spam'
      | 'insufficient_information'
      | null;
    assigneeId: string | null;
    productUnitId: string | null;
    productId: string | null;
    batchId: string | null;
    serial: string | null;
    lot: string | null;
    scanId: string | null;
    scansUrl: string | null;
    code: string | null;
    brand: string | null;
    description: string;
    purchasedFrom: string | null;
    price: string | null;
    language: string | null;
    country: string | null;
    foundOn: string | null;
    contact: { name: string | null; email: string | null } | null;
    contactErasedAt: string | null;
    photoCount: number;
    repetitions: number;
    createdAt: string;
    updatedAt: string;
    closedAt: string | null;
    photos: Array<{
      id: string;
      state: 'waiting' | 'ready' | 'refused';
      url: string | null;
      bytes: number | null;
      width: number | null;
      height: number | null;
      problem: string | null;
      addedBy: string | null;
    }>;
    notes: Array<{ id: string; author: string; text: string; createdAt: string }>;
    riskCases: Array<{
      id: string;
      status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
      openedAt: string;
    }>;
  };
  ScanList: { data: Array<Schemas['Scan']>; nextCursor: string | null };
  Scan: {
    id: string;
    productUnitId: string;
    productId: string;
    batchId: string;
    at: string;
    result: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
    assessment: 'preliminary' | 'final';
    isInternal: boolean;
    hiddenCode: 'correct' | 'wrong' | null;
    nfcTap: 'fresh' | 'replayed' | 'invalid' | null;
    country: string | null;
    place: { lat: number; lon: number; accuracyKm: number | null; source: string | null } | null;
    claimedPosition: { lat: number; lon: number; accuracyKm: number | null } | null;
    risk: { level: 'none' | 'low' | 'medium' | 'high'; signals: Array<Schemas['RiskSignal']>; score: number };
  };
  RiskSignal:
    | Schemas['ImpossibleTravelSignal']
    | Schemas['CloneSignal']
    | Schemas['ExcessiveScanningSignal']
    | Schemas['DiversionSignal'];
  ImpossibleTravelSignal: {
    type: 'impossible_travel';
    weight: number;
    from: { country: string | null; lat: number; lon: number; accuracyKm: number; at: string };
    to: { country: string | null; lat: number; lon: number; accuracyKm: number; at: string };
    distanceKm: number;
    adjustedKm: number;
    minutes: number;
    speedKmh: number;
    thresholdKmh: number;
  };
  CloneSignal: {
    type: 'clone';
    weight: number;
    reason: 'places' | 'not-shipped' | 'consumed' | 'hidden-code' | 'nfc-tap' | 'confirmed';
    visitors: number;
    places: Array<{
      country: string | null;
      lat: number;
      lon: number;
      visitors: number;
      firstAt: string;
      lastAt: string;
    }>;
    moves: number;
    evidence: number;
    threshold: number;
    turnedOut?: number;
  };
  DiversionSignal: {
    type: 'diversion';
    weight: number;
    country: string;
    markets: Array<string>;
    counted: boolean;
    reason: 'outside-markets' | 'near-border' | 'seen-inside' | 'lot-inside' | 'unit-doubtful';
    visitorsInside: number;
    visitorsOutside: number;
    lot?: { among?: 'lot' | 'markets'; units: number; sameCountry: number } | null;
  };
  ScanExport: {
    id: string;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    format: 'csv' | 'ndjson';
    byteOrderMark: boolean;
    filters: Record<string, string>;
    progress: { done: number; total: number | null };
    artifacts: Array<{ kind: 'scans'; name: string; bytes: number; sha256: string; url: string }>;
    artifactsExpireAt: string | null;
    artifactsExpiredAt: string | null;
    error: { code: string; message: string } | null;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
  };
  ScanExportList: { data: Array<Schemas['ScanExport']>; nextCursor: string | null };
  AnalyticsSummary: {
    from: string;
    to: string;
    scans: number;
    byResult: Record<string, number>;
    topCountries: Array<{ country: string | null; scans: number; byResult: Record<string, number> }>;
    topProducts: Array<{
      productId: string;
      name: string;
      scans: number;
      suspicious: number;
      diverted: number;
    }>;
    units: {
      minted: number;
      activated: number;
      firstScanned: number;
      activationRate: number | null;
      scanRate: number | null;
    };
  };
  Timeseries: {
    from: string;
    to: string;
    interval: string;
    timeZone: string;
    series: Array<{ key: string | null; points: Array<{ at: string; scans: number }> }>;
    others: Array<{ at: string; scans: number }>;
  };
  ScanMap: {
    from: string;
    to: string;
    data: Array<{
      country?: string | null;
      cell?: { south: number; west: number; north: number; east: number } | null;
      scans: number;
      byResult: Record<string, number>;
    }>;
  };
  Funnel: { from: string; to: string; minted: number; activated: number; firstScanned: number };
  Attention: {
    cases: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        productUnitId: string;
        serial: string;
        productName: string;
        status: 'open' | 'investigating';
        maxScore: number;
        suspiciousScans: number;
        signals: Array<string>;
        openedBy: string | null;
        reportId: string | null;
        updatedAt: string;
      }>;
    } | null;
    thresholds: {
      count: number;
      hasMore: boolean;
      top: Array<{ confirmedCases: number; dismissedCases: number }>;
    } | null;
    reports: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        excerpt: string;
        country: string | null;
        productName: string | null;
        photoCount: number;
        createdAt: string;
      }>;
    } | null;
    endpoints: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        url: string;
        description: string | null;
        state: 'closed' | 'open' | 'half-open' | 'disabled';
        failingSince: string | null;
      }>;
    } | null;
    barcodeJobs: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        kind: 'barcodes' | 'bulk';
        action: 'activate' | 'suspend' | 'recall' | 'lift-recall' | 'consign' | null;
        batchId: string | null;
        consignmentId: string | null;
        status: 'queued' | 'running' | 'failed';
        progress: { done: number; total: number | null };
        error: { code: string; message: string } | null;
        createdAt: string;
      }>;
    } | null;
    bulkJobs: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        kind: 'barcodes' | 'bulk';
        action: 'activate' | 'suspend' | 'recall' | 'lift-recall' | 'consign' | null;
        batchId: string | null;
        consignmentId: string | null;
        status: 'queued' | 'running' | 'failed';
        progress: { done: number; total: number | null };
        error: { code: string; message: string } | null;
        createdAt: string;
      }>;
    } | null;
    receipts: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        reference: string | null;
        destination: string | null;
        unitCount: number;
        missingCount: number;
        damagedCount: number;
        counted: number | null;
        receivedAt: string;
      }>;
    } | null;
    consignments: {
      count: number;
      hasMore: boolean;
      top: Array<{
        id: string;
        reference: string | null;
        destination: string | null;
        unitCount: number;
        dispatchedAt: string;
      }>;
    } | null;
  };
  SearchHit: {
    type:
      | 'product'
      | 'batch'
      | 'unit'
      | 'consignment'
      | 'barcodeJob'
      | 'scan'
      | 'riskCase'
      | 'report'
      | 'recall'
      | 'webhookEndpoint';
    id: string;
    title: string;
    subtitle: string | null;
  };
  EpcisDocument: {
    '@context': Array<unknown>;
    type: 'EPCISDocument';
    schemaVersion: '2.0';
    creationDate: string;
    epcisBody: { eventList: Array<Schemas['EpcisEvent']> };
  };
  EpcisEvent: {
    type: 'ObjectEvent';
    eventID: string;
    eventTime: string;
    recordTime: string;
    eventTimeZoneOffset: string;
    action: 'ADD' | 'OBSERVE' | 'DELETE';
    bizStep: string;
    disposition?: string;
    persistentDisposition?: { set?: Array<string>; unset?: Array<string> };
    epcList?: Array<string>;
    quantityList?: Array<{ epcClass: string; quantity?: number }>;
    readPoint?: { id: string };
    bizLocation?: { id: string };
    bizTransactionList?: Array<{ type?: string; bizTransaction: string }>;
    sourceList?: Array<{ type: string; source: string }>;
    destinationList?: Array<{ type: string; destination: string }>;
    ilmd?: Record<string, string>;
  };
  RiskCaseList: { data: Array<Schemas['RiskCase']>; nextCursor: string | null };
  RiskCase: {
    id: string;
    productUnitId: string;
    productId: string;
    batchId: string;
    status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    closingReason:
      | 'copied_code'
      | 'counterfeit_seen'
      | 'stolen_code'
      | 'other_abuse'
      | 'shop_display'
      | 'owner_scans'
      | 'resold'
      | 'wrong_position'
      | 'internal_scans'
      | 'mistaken_report'
      | 'other_harmless'
      | null;
    assigneeId: string | null;
    suspiciousScans: number;
    maxScore: number;
    signals: Array<string>;
    firstScanId: string | null;
    lastScanId: string | null;
    openedBy: string | null;
    reportId: string | null;
    openedAt: string;
    updatedAt: string;
    closedAt: string | null;
  };
  RiskCaseWithNotes: {
    id: string;
    productUnitId: string;
    productId: string;
    batchId: string;
    status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    closingReason:
      | 'copied_code'
      | 'counterfeit_seen'
      | 'stolen_code'
      | 'other_abuse'
      | 'shop_display'
      | 'owner_scans'
      | 'resold'
      | 'wrong_position'
      | 'internal_scans'
      | 'mistaken_report'
      | 'other_harmless'
      | null;
    assigneeId: string | null;
    suspiciousScans: number;
    maxScore: number;
    signals: Array<string>;
    firstScanId: string | null;
    lastScanId: string | null;
    openedBy: string | null;
    reportId: string | null;
    openedAt: string;
    updatedAt: string;
    closedAt: string | null;
    evidence: Array<Schemas['RiskSignal']>;
    notes: Array<{ author: string; text: string; at: string }>;
    decisions: Array<{
      decision: 'confirmed' | 'dismissed';
      closingReason:
        | 'copied_code'
        | 'counterfeit_seen'
        | 'stolen_code'
        | 'other_abuse'
        | 'shop_display'
        | 'owner_scans'
        | 'resold'
        | 'wrong_position'
        | 'internal_scans'
        | 'mistaken_report'
        | 'other_harmless';
      author: string | null;
      at: string;
    }>;
    reports: Array<{
      id: string;
      status: 'open' | 'investigating' | 'confirmed' | 'dismissed';
      createdAt: string;
    }>;
  };
  RiskPolicy: {
    productId: string | null;
    policy: {
      thresholds?: { medium?: number; suspicious?: number };
      clone?: {
        enabled?: boolean;
        weight?: number;
        wrongPositionRate?: number;
        moveRate?: number;
        learnVisitors?: boolean;
        hindsight?: boolean;
        notShipped?: boolean;
        consumed?: boolean;
        hiddenCodeVisitors?: number;
        nfcReplayVisitors?: number;
      };
      impossibleTravel?: { enabled?: boolean; weight?: number; maxSpeedKmh?: number; minDistanceKm?: number };
      excessiveScanning?: {
        enabled?: boolean;
        weight?: number;
        windows?: Array<{ hours: number; visitors: number }>;
      };
      diversion?: { enabled?: boolean; weight?: number; borderRadii?: number; lotUnits?: number };
    };
    alertCooldownMinutes: number | null;
    effective: {
      thresholds: { medium: number; suspicious: number };
      clone: {
        enabled: boolean;
        weight: number;
        wrongPositionRate: number;
        moveRate: number;
        learnVisitors: boolean;
        hindsight: boolean;
        notShipped: boolean;
        consumed: boolean;
        hiddenCodeVisitors: number;
        nfcReplayVisitors: number;
      };
      impossibleTravel: { enabled: boolean; weight: number; maxSpeedKmh: number; minDistanceKm: number };
      excessiveScanning: {
        enabled: boolean;
        weight: number;
        windows: Array<{ hours: number; visitors: number }>;
      };
      diversion: { enabled: boolean; weight: number; borderRadii: number; lotUnits: number };
    };
    inherited: {
      thresholds: { medium: number; suspicious: number };
      clone: {
        enabled: boolean;
        weight: number;
        wrongPositionRate: number;
        moveRate: number;
        learnVisitors: boolean;
        hindsight: boolean;
        notShipped: boolean;
        consumed: boolean;
        hiddenCodeVisitors: number;
        nfcReplayVisitors: number;
      };
      impossibleTravel: { enabled: boolean; weight: number; maxSpeedKmh: number; minDistanceKm: number };
      excessiveScanning: {
        enabled: boolean;
        weight: number;
        windows: Array<{ hours: number; visitors: number }>;
      };
      diversion: { enabled: boolean; weight: number; borderRadii: number; lotUnits: number };
    };
    effectiveAlertCooldownMinutes: number;
    updatedAt: string | null;
  };
  RiskSimulation: {
    id: string;
    productId: string | null;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    progress: { done: number; total: number };
    from: string;
    to: string;
    result: {
      scans: number;
      units: number;
      simulated: {
        suspiciousScans: number;
        suspiciousUnits: number;
        divertedScans: number;
        divertedUnits: number;
      };
      recorded: {
        suspiciousScans: number;
        suspiciousUnits: number;
        divertedScans: number;
        divertedUnits: number;
      };
      newly: {
        suspiciousScans: number;
        suspiciousUnits: number;
        divertedScans: number;
        divertedUnits: number;
      };
      noLonger: {
        suspiciousScans: number;
        suspiciousUnits: number;
        divertedScans: number;
        divertedUnits: number;
      };
      truncatedUnits: number;
      signals: Record<string, number>;
      newlySuspicious: Array<string>;
      noLongerSuspicious: Array<string>;
      changedScans: Array<{
        scanId: string;
        productUnitId: string;
        recorded: 'clear' | 'suspicious' | 'diverted';
        simulated: 'clear' | 'suspicious' | 'diverted';
        score: number;
      }>;
      fromDecisions: {
        confirmedUnits: number;
        dismissedUnits: number;
        suggested: number | null;
        byThreshold: Array<{
          suspicious: number;
          suspiciousUnits: number;
          confirmedUnits: number;
          dismissedUnits: number;
        }>;
      } | null;
    } | null;
    error: string | null;
    createdAt: string;
    finishedAt: string | null;
  };
  RiskSimulationList: { data: Array<Schemas['RiskSimulation']>; nextCursor: string | null };
  WebhookEndpointList: { data: Array<Schemas['WebhookEndpoint']>; nextCursor: string | null };
  WebhookEndpoint: {
    id: string;
    url: string;
    events: Array<string>;
    format: 'event' | 'slack' | 'teams';
    language: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    description: string | null;
    concurrency: number | null;
    ratePerSecond: number | null;
    fifo: boolean;
    retryDelaysSeconds: Array<number> | null;
    headerNames: Array<string>;
    productIds: Array<string> | null;
    circuit: {
      state: 'closed' | 'open' | 'half-open' | 'disabled';
      changedAt: string;
      openUntil: string | null;
      failingSince: string | null;
      disabledReason: 'gone' | 'failing' | 'manual' | 'unreadable' | null;
    };
    recent: { hours: number; delivered: number; failed: number; successRate: number | null };
    waitingCount: number;
    nextAttemptAt: string | null;
    createdAt: string;
    updatedAt: string;
  };
  CreatedWebhookEndpoint: {
    id: string;
    url: string;
    events: Array<string>;
    format: 'event' | 'slack' | 'teams';
    language: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    description: string | null;
    concurrency: number | null;
    ratePerSecond: number | null;
    fifo: boolean;
    retryDelaysSeconds: Array<number> | null;
    headerNames: Array<string>;
    productIds: Array<string> | null;
    circuit: {
      state: 'closed' | 'open' | 'half-open' | 'disabled';
      changedAt: string;
      openUntil: string | null;
      failingSince: string | null;
      disabledReason: 'gone' | 'failing' | 'manual' | 'unreadable' | null;
    };
    recent: { hours: number; delivered: number; failed: number; successRate: number | null };
    waitingCount: number;
    nextAttemptAt: string | null;
    createdAt: string;
    updatedAt: string;
    secret: string;
  };
  DeliveryList: { data: Array<Schemas['Delivery']>; nextCursor: string | null };
  Delivery: {
    id: string;
    eventId: string;
    eventType: string;
    attempt: number;
    isProbe: boolean;
    outcome: 'pending' | 'delivered' | 'failed';
    error: { class: string; message: string | null } | null;
    request: { headers: Record<string, string> } | null;
    response: { status: number; headers: Record<string, string>; body: string; truncated: boolean } | null;
    timings: Record<string, number | null> | null;
    startedAt: string;
    settledAt: string | null;
    nextAttemptAt: string | null;
  };
  RotatedWebhookEndpoint: {
    id: string;
    url: string;
    events: Array<string>;
    format: 'event' | 'slack' | 'teams';
    language: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    description: string | null;
    concurrency: number | null;
    ratePerSecond: number | null;
    fifo: boolean;
    retryDelaysSeconds: Array<number> | null;
    headerNames: Array<string>;
    productIds: Array<string> | null;
    circuit: {
      state: 'closed' | 'open' | 'half-open' | 'disabled';
      changedAt: string;
      openUntil: string | null;
      failingSince: string | null;
      disabledReason: 'gone' | 'failing' | 'manual' | 'unreadable' | null;
    };
    recent: { hours: number; delivered: number; failed: number; successRate: number | null };
    waitingCount: number;
    nextAttemptAt: string | null;
    createdAt: string;
    updatedAt: string;
    secret: string;
    previousValidUntil: string;
  };
  WebhookTest: { eventId: string; nextAttemptAt: string };
  WebhookRecovery: {
    id: string;
    endpointId: string;
    status: 'queued' | 'running' | 'completed' | 'cancelled';
    since: string;
    until: string;
    ratePerSecond: number;
    progress: { done: number; total: number | null; recovered: number };
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
  };
  WebhookRecoveryList: { data: Array<Schemas['WebhookRecovery']>; nextCursor: string | null };
  EventList: { data: Array<Schemas['Event']>; nextCursor: string | null };
  Event: { id: string; type: string; createdAt: string; data: Record<string, unknown> };
  EventWithDispatches: {
    id: string;
    type: string;
    createdAt: string;
    data: Record<string, unknown>;
    dispatches: Array<{
      endpointId: string;
      state: 'pending' | 'parked' | 'delivered' | 'exhausted' | 'discarded';
      attempts: number;
      nextAttemptAt: string | null;
      settledAt: string | null;
    }>;
  };
  EventReplay: { eventId: string; endpointIds: Array<string> };
  EventType: {
    type: string;
    version: number;
    description: string;
    isSubscribable: boolean;
    dataSchema: Record<string, unknown>;
    example: Schemas['Event'];
  };
  AccessToken: { accessToken: string; tokenType: 'Bearer'; expiresIn: number };
  Me: {
    id: string;
    email: string;
    name: string | null;
    language: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    alertMails: 'hourly' | 'daily' | 'never';
    summaryMails: 'weekly' | 'never';
    role: 'owner' | 'administrator' | 'analyst' | 'viewer';
    organization: { id: string; name: string; timeZone: string };
    scopes: Array<
      | 'products.read'
      | 'products.write'
      | 'batches.write'
      | 'barcodes.generate'
      | 'product_units.write'
      | 'scans.read'
      | 'scans.write'
      | 'epcis.read'
      | 'analytics.read'
      | 'webhooks.read'
      | 'webhooks.write'
      | 'consignments.read'
      | 'consignments.write'
      | 'reports.read'
      | 'reports.write'
    >;
    permissions: Array<
      | 'account.self'
      | 'organization.read'
      | 'organization.manage'
      | 'single_sign_on.manage'
      | 'users.read'
      | 'users.manage'
      | 'api_keys.manage'
      | 'audit_log.read'
    >;
    sessionId: string;
    secondFactor: { enabled: boolean; recoveryCodesLeft: number };
  };
  Session: {
    id: string;
    isCurrent: boolean;
    createdAt: string;
    lastUsedAt: string;
    expiresAt: string;
    ip: string | null;
    userAgent: string | null;
  };
  ApiKeyList: { data: Array<Schemas['ApiKey']>; nextCursor: string | null };
  ApiKey: {
    id: string;
    name: string;
    prefix: string;
    lastFour: string;
    scopes: Array<string>;
    allowedCidrs: Array<string>;
    createdBy: string | null;
    createdAt: string;
    expiresAt: string | null;
    revokedAt: string | null;
    lastUsedAt: string | null;
    rotatedAt: string;
    previousSecretExpiresAt: string | null;
  };
  ApiKeyWithSecret: {
    id: string;
    name: string;
    prefix: string;
    lastFour: string;
    scopes: Array<string>;
    allowedCidrs: Array<string>;
    createdBy: string | null;
    createdAt: string;
    expiresAt: string | null;
    revokedAt: string | null;
    lastUsedAt: string | null;
    rotatedAt: string;
    previousSecretExpiresAt: string | null;
    secret: string;
  };
  RequestErrorList: { data: Array<Schemas['RequestError']>; nextCursor: string | null };
  RequestError: {
    at: string;
    method: string;
    route: string;
    status: number;
    code: string | null;
    detail: string | null;
    paths: Array<string>;
    requestId: string;
    actor: { kind: 'key' | 'user'; id: string; name: string | null };
    network: string | null;
  };
  PersonList: { data: Array<Schemas['Person']>; nextCursor: string | null };
  Person: { id: string; name: string; active: boolean };
  UserList: { data: Array<Schemas['User']>; nextCursor: string | null };
  User: {
    id: string;
    email: string;
    name: string | null;
    role: 'owner' | 'administrator' | 'analyst' | 'viewer';
    disabled: boolean;
    secondFactorEnabled: boolean;
    lastSignedInAt: string | null;
    createdAt: string;
  };
  InvitationList: { data: Array<Schemas['Invitation']>; nextCursor: string | null };
  Invitation: {
    id: string;
    email: string;
    role: 'owner' | 'administrator' | 'analyst' | 'viewer';
    language: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    status: 'pending' | 'accepted' | 'revoked' | 'expired';
    invitedBy: string;
    createdAt: string;
    expiresAt: string;
    acceptedAt: string | null;
  };
  RoleGrants: {
    role: 'owner' | 'administrator' | 'analyst' | 'viewer';
    description: string;
    scopes: Array<
      | 'products.read'
      | 'products.write'
      | 'batches.write'
      | 'barcodes.generate'
      | 'product_units.write'
      | 'scans.read'
      | 'scans.write'
      | 'epcis.read'
      | 'analytics.read'
      | 'webhooks.read'
      | 'webhooks.write'
      | 'consignments.read'
      | 'consignments.write'
      | 'reports.read'
      | 'reports.write'
    >;
    permissions: Array<
      | 'account.self'
      | 'organization.read'
      | 'organization.manage'
      | 'single_sign_on.manage'
      | 'users.read'
      | 'users.manage'
      | 'api_keys.manage'
      | 'audit_log.read'
    >;
  };
  Organization: {
    id: string;
    name: string;
    timeZone: string;
    securityContact: string | null;
    brand: {
      logoUrl: string | null;
      color: string | null;
      support: string | null;
      message: string | null;
      messages: Record<string, string>;
    };
    retention: { scansDays: number; eventsDays: number };
    domain: {
      name: string;
      displayName: string;
      status: 'pending' | 'confirmed' | 'lapsed';
      record: { type: 'TXT'; name: string; value: string };
      confirmedAt: string | null;
      confirmedBy: 'dns' | 'operator' | null;
      lastSeenAt: string | null;
      lastCheckedAt: string | null;
      problem: 'NO_RECORD' | 'OTHER_RECORD' | 'DNS_FAILED' | null;
      lapsesAt: string | null;
      isChecking: boolean;
      createdAt: string;
    } | null;
    codesUrl: string;
    createdAt: string;
    updatedAt: string;
  };
  OrganizationDomain: {
    name: string;
    displayName: string;
    status: 'pending' | 'confirmed' | 'lapsed';
    record: { type: 'TXT'; name: string; value: string };
    confirmedAt: string | null;
    confirmedBy: 'dns' | 'operator' | null;
    lastSeenAt: string | null;
    lastCheckedAt: string | null;
    problem: 'NO_RECORD' | 'OTHER_RECORD' | 'DNS_FAILED' | null;
    lapsesAt: string | null;
    isChecking: boolean;
    createdAt: string;
  };
  SingleSignOn: {
    provider: {
      issuer: string;
      clientId: string;
      required: boolean;
      newcomerRole: 'administrator' | 'analyst' | 'viewer' | null;
      status: 'pending' | 'ready' | 'failed';
      problem: 'UNREACHABLE' | 'NO_PROVIDER' | 'UNSUPPORTED' | null;
      provenAt: string | null;
      lastCheckedAt: string | null;
      isChecking: boolean;
      createdAt: string;
      updatedAt: string;
    } | null;
    redirectUrl: string;
    signInUrl: string;
  };
  SingleSignOnDeparture: { url: string };
  SingleSignOnOutcome: {
    status: 'pending' | 'signedIn' | 'refused';
    reason:
      | 'CANCELLED'
      | 'PROVIDER_FAILED'
      | 'PROVIDER_UNREACHABLE'
      | 'NO_EMAIL'
      | 'EMAIL_NOT_VERIFIED'
      | 'NOT_A_MEMBER'
      | 'OTHER_IDENTITY'
      | 'DISABLED'
      | 'BLOCKED'
      | 'EXPIRED'
      | null;
    token: { accessToken: string; tokenType: 'Bearer'; expiresIn: number } | null;
  };
  InternalNetworks: { networks: Array<string>; callerAddress: string | null; isCallerInside: boolean };
  BrandPreview: { url: string };
  AuditEntryList: { data: Array<Schemas['AuditEntry']>; nextCursor: string | null };
  AuditEntry: {
    id: string;
    at: string;
    actor: { kind: 'user' | 'key' | 'operator' | 'anonymous'; id: string | null; name: string | null };
    action: string;
    resource: string | null;
    ip: string | null;
    userAgent: string | null;
    requestId: string | null;
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
  };
  InstallationStatus: {
    version: string;
    at: string;
    postgres: { version: string; ms: number } | null;
    redis: { version: string | null; ms: number } | null;
    processes: Array<Schemas['RunningProcess']> | null;
    queues: Array<Schemas['QueueDepth']> | null;
    sweeper: {
      everySeconds: number;
      last: { at: string; ms: number; did: Record<string, number> } | null;
      isLate: boolean;
    };
    oldestDue: {
      barcodeChunks: { since: string; seconds: number } | null;
      scans: { since: string; seconds: number } | null;
      webhookDispatches: { since: string; seconds: number } | null;
      mails: { since: string; seconds: number } | null;
      bulkJobs: { since: string; seconds: number } | null;
      webhookRecoveries: { since: string; seconds: number } | null;
      reportPhotos: { since: string; seconds: number } | null;
      simulations: { since: string; seconds: number } | null;
      scanExports: { since: string; seconds: number } | null;
      unitExports: { since: string; seconds: number } | null;
      domains: { since: string; seconds: number } | null;
      signIns: { since: string; seconds: number } | null;
    } | null;
  };
  RunningProcess: { process: string; version: string; startedAt: string; lastSeenAt: string };
  QueueDepth: { name: string; waiting: number; active: number; delayed: number; failed: number };
  Readiness: { status: 'ready' | 'unavailable'; postgres: string; redis: string };
  SheetMeasures: {
    pageWidth: number;
    pageHeight: number;
    columns: number;
    rows: number;
    labelWidth: number;
    labelHeight: number;
    gapX: number;
    gapY: number;
    marginLeft?: number;
    marginTop?: number;
  };
  Problem: {
    type: string;
    title: string;
    status: number;
    detail: string;
    code:
      | 'MALFORMED_JSON'
      | 'BAD_REQUEST'
      | 'UNAUTHENTICATED'
      | 'SECOND_FACTOR_REQUIRED'
      | 'SINGLE_SIGN_ON_REQUIRED'
      | 'INSUFFICIENT_SCOPE'
      | 'FORBIDDEN'
      | 'NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'REQUEST_TIMEOUT'
      | 'CONFLICT'
      | 'INVALID_TRANSITION'
      | 'PAYLOAD_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'VALIDATION_FAILED'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'RATE_LIMITED'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL'
      | 'UNAVAILABLE';
    requestId: string;
    errors?: Array<{
      path: string;
      code: Schemas['FieldErrorCode'];
      message: string;
      params?: Record<string, unknown>;
    }>;
  };
  ScanRecordedEvent: {
    id: string;
    type: 'scan.recorded';
    createdAt: string;
    data: {
      scanId: string;
      productUnitId: string;
      productId: string;
      productName: string;
      sku: string;
      gtin: string | null;
      batchId: string;
      serial: string;
      lot: string | null;
      result: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
      country: string | null;
      place: {
        lat: number;
        lon: number;
        accuracyKm: number;
        source: 'gps' | 'ip' | 'ip-fixed' | 'ip-mobile' | null;
      } | null;
      riskLevel: 'none' | 'low' | 'medium' | 'high';
      score: number;
      signals: Array<{ type: 'impossible_travel' | 'clone' | 'excessive_scanning' | 'diversion' }>;
      at: string;
      isInternal: boolean;
    };
  };
  SuspiciousScanDetectedEvent: {
    id: string;
    type: 'suspicious_scan.detected';
    createdAt: string;
    data: {
      scanId: string;
      productUnitId: string;
      productId: string;
      productName: string;
      sku: string;
      gtin: string | null;
      batchId: string;
      serial: string;
      lot: string | null;
      result: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
      country: string | null;
      place: {
        lat: number;
        lon: number;
        accuracyKm: number;
        source: 'gps' | 'ip' | 'ip-fixed' | 'ip-mobile' | null;
      } | null;
      riskLevel: 'none' | 'low' | 'medium' | 'high';
      score: number;
      signals: Array<{ type: 'impossible_travel' | 'clone' | 'excessive_scanning' | 'diversion' }>;
      at: string;
      reasons: Array<'clone' | 'impossible_travel' | 'excessive_scanning'>;
      caseId: string | null;
      heldBack: number;
    };
  };
  ProductDivertedEvent: {
    id: string;
    type: 'product.diverted';
    createdAt: string;
    data: {
      scanId: string;
      productUnitId: string;
      productId: string;
      productName: string;
      sku: string;
      gtin: string | null;
      batchId: string;
      serial: string;
      lot: string | null;
      result: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
      country: string;
      place: {
        lat: number;
        lon: number;
        accuracyKm: number;
        source: 'gps' | 'ip' | 'ip-fixed' | 'ip-mobile' | null;
      } | null;
      riskLevel: 'none' | 'low' | 'medium' | 'high';
      score: number;
      signals: Array<{ type: 'impossible_travel' | 'clone' | 'excessive_scanning' | 'diversion' }>;
      at: string;
      markets: Array<string>;
    };
  };
  CounterfeitReportCreatedEvent: {
    id: string;
    type: 'counterfeit_report.created';
    createdAt: string;
    data: {
      reportId: string;
      productUnitId: string | null;
      productId: string | null;
      productName: string | null;
      sku: string | null;
      gtin: string | null;
      batchId: string | null;
      serial: string | null;
      lot: string | null;
      scanId: string | null;
      message: string;
      purchasedFrom: string | null;
      price: string | null;
      country: string | null;
      photoCount: number;
      hasContact: boolean;
      at: string;
    };
  };
  BarcodeJobCompletedEvent: {
    id: string;
    type: 'barcode_job.completed';
    createdAt: string;
    data: {
      jobId: string;
      batchId: string;
      productId: string;
      symbology: string;
      formats: Array<string>;
      total: number;
      done: number;
      startedAt: string | null;
      finishedAt: string;
      durationMs: number;
      artifactCount: number;
      artifactsUrl: string;
      artifacts: Array<{
        kind: 'images' | 'labels' | 'codes' | 'manifest';
        name: string;
        bytes: number;
        sha256: string;
        url: string;
      }>;
    };
  };
  BarcodeJobFailedEvent: {
    id: string;
    type: 'barcode_job.failed';
    createdAt: string;
    data: {
      jobId: string;
      batchId: string;
      productId: string;
      symbology: string;
      formats: Array<string>;
      total: number;
      done: number;
      startedAt: string | null;
      finishedAt: string;
      durationMs: number;
      error: { code: string; message: string };
    };
  };
  ConsignmentReceivedEvent: {
    id: string;
    type: 'consignment.received';
    createdAt: string;
    data: {
      consignmentId: string;
      reference: string | null;
      sscc: string | null;
      distributor: string | null;
      unitCount: number;
      status: 'received' | 'partially_received';
      receivedCount: number;
      missingCount: number;
      damagedCount: number;
      counted: number | null;
      receivedAt: string;
    };
  };
  ConsignmentRecalledEvent: {
    id: string;
    type: 'consignment.recalled';
    createdAt: string;
    data: {
      consignmentId: string;
      reference: string | null;
      sscc: string | null;
      distributor: string | null;
      unitCount: number;
      reason: string | null;
      recalledAt: string;
    };
  };
  WebhookTestEvent: {
    id: string;
    type: 'webhook.test';
    createdAt: string;
    data: { endpointId: string; message: string; at: string };
  };
  AddPositionBody: { nonce: string; lat: number; lon: number; accuracyM: number };
  CheckHiddenCodeBody: { hiddenCode: string; lang?: string };
  AddPositionBySerialBody: { nonce: string; lat: number; lon: number; accuracyM: number };
  CheckHiddenCodeBySerialBody: { hiddenCode: string; lang?: string };
  ReportBySerialBody: {
    description: string;
    purchasedFrom?: string | null;
    price?: string | null;
    brand?: string | null;
    contactName?: string | null;
    contactEmail?: string | null;
    lang?: string;
    contactConsent?: boolean;
    website?: string;
    photos?: Array<string>;
  };
  AddPositionByLotAndSerialBody: { nonce: string; lat: number; lon: number; accuracyM: number };
  CheckHiddenCodeByLotAndSerialBody: { hiddenCode: string; lang?: string };
  ReportByLotAndSerialBody: {
    description: string;
    purchasedFrom?: string | null;
    price?: string | null;
    brand?: string | null;
    contactName?: string | null;
    contactEmail?: string | null;
    lang?: string;
    contactConsent?: boolean;
    website?: string;
    photos?: Array<string>;
  };
  CreateProductBody: {
    name: string;
    sku: string;
    gtin?: string | null;
    brand?: string | null;
    description?: string | null;
    imageUrl?: string | null;
    markets?: Array<string>;
    attributes?: Record<string, unknown>;
    links?: Array<{ linkType: string; url: string; title: string; language?: string | null }>;
  };
  UpdateProductBody: {
    name?: string;
    sku?: string;
    gtin?: string | null;
    brand?: string | null;
    description?: string | null;
    imageUrl?: string | null;
    markets?: Array<string>;
    attributes?: Record<string, unknown>;
    links?: Array<{ linkType: string; url: string; title: string; language?: string | null }>;
    expected?: {
      name?: string;
      sku?: string;
      gtin?: string | null;
      brand?: string | null;
      description?: string | null;
      imageUrl?: string | null;
      markets?: Array<string>;
      attributes?: Record<string, unknown>;
      links?: Array<{ linkType: string; url: string; title: string; language?: string | null }>;
    };
  };
  CreateBatchBody: {
    productId: string;
    quantity: number;
    lot?: string | null;
    manufacturedOn?: string | null;
    expiresOn?: string | null;
    markets?: Array<string> | null;
    hiddenCodes?: boolean;
    nfcTags?: boolean;
  };
  CorrectBatchBody: {
    lot?: string | null;
    manufacturedOn?: string | null;
    expiresOn?: string | null;
    markets?: Array<string> | null;
    hiddenCodes?: boolean;
    nfcTags?: boolean;
    expected?: {
      lot?: string | null;
      manufacturedOn?: string | null;
      expiresOn?: string | null;
      markets?: Array<string> | null;
      hiddenCodes?: boolean;
      nfcTags?: boolean;
    };
  };
  RecallBatchBody: { reason?: string | null; messages?: Record<string, string>; contact?: string | null };
  UploadSerialsResult: { serials: number };
  StartBarcodeJobBody: {
    symbology?:
      | 'qr'
      | 'gs1-digital-link'
      | 'gs1-datamatrix'
      | 'datamatrix-url'
      | 'gs1-128'
      | 'qrcode'
      | 'datamatrix'
      | 'azteccode'
      | 'pdf417'
      | 'code128'
      | 'code93'
      | 'code39'
      | 'interleaved2of5'
      | 'ean13'
      | 'ean8'
      | 'upca'
      | 'itf14';
    formats?: Array<'png' | 'svg' | 'eps' | 'zpl' | 'pdf'>;
    errorCorrection?: 'L' | 'M' | 'Q' | 'H';
    scale?: number;
    dpi?: number;
    quietZone?: number;
    text?: boolean;
    foreground?: string;
    background?: string;
    sheet?: {
      layout?: Schemas['SheetPreset'] | Schemas['SheetLayout'];
      fields?: Array<'product' | 'brand' | 'sku' | 'gtin' | 'lot' | 'expiry' | 'serial' | 'token'>;
    };
    serials?: Schemas['RandomSerials'] | Schemas['SequentialSerials'] | Schemas['UploadedSerials'];
    activate?: boolean;
  };
  PreviewBarcodeBody: {
    as?: 'png' | 'svg' | 'sheet' | 'sheet-svg';
    batchId?: string;
    productId?: string;
    symbology?:
      | 'qr'
      | 'gs1-digital-link'
      | 'gs1-datamatrix'
      | 'datamatrix-url'
      | 'gs1-128'
      | 'qrcode'
      | 'datamatrix'
      | 'azteccode'
      | 'pdf417'
      | 'code128'
      | 'code93'
      | 'code39'
      | 'interleaved2of5'
      | 'ean13'
      | 'ean8'
      | 'upca'
      | 'itf14';
    errorCorrection?: 'L' | 'M' | 'Q' | 'H';
    scale?: number;
    dpi?: number;
    quietZone?: number;
    text?: boolean;
    foreground?: string;
    background?: string;
    sheet?: {
      layout?: Schemas['SheetPreset'] | Schemas['SheetLayout'];
      fields?: Array<'product' | 'brand' | 'sku' | 'gtin' | 'lot' | 'expiry' | 'serial' | 'token'>;
    };
    serials?: Schemas['RandomSerials'] | Schemas['SequentialSerials'] | Schemas['UploadedSerials'];
  };
  ConsumeUnitBody: { at?: string };
  RecallUnitBody: { reason?: string | null; messages?: Record<string, string>; contact?: string | null };
  BulkUnitsBody: {
    action: 'activate' | 'suspend' | 'recall' | 'lift-recall';
    batchId?: string;
    unitIds?: Array<string>;
    serials?: Array<string>;
    codes?: Array<string>;
    productId?: string;
    reason?: string | null;
  };
  CreateConsignmentBody: {
    reference?: string | null;
    sscc?: string | null;
    origin?: { name: string; address?: string | null; country?: string | null } | null;
    destination?: { name: string; address?: string | null; country?: string | null } | null;
    expectedMarkets?: Array<string>;
    references?: Array<{ type: string; value: string }>;
    units?: {
      batchId?: string;
      unitIds?: Array<string>;
      serials?: { productId: string; from: string; to: string };
    };
  };
  CorrectConsignmentBody: {
    reference?: string | null;
    sscc?: string | null;
    origin?: { name: string; address?: string | null; country?: string | null } | null;
    destination?: { name: string; address?: string | null; country?: string | null } | null;
    expectedMarkets?: Array<string>;
    references?: Array<{ type: string; value: string }>;
    expected?: {
      reference?: string | null;
      sscc?: string | null;
      origin?: { name: string; address: string | null; country: string | null } | null;
      destination?: { name: string; address: string | null; country: string | null } | null;
      expectedMarkets?: Array<string>;
      references?: Array<{ type: string; value: string }>;
    };
  };
  AddConsignmentUnitsBody: {
    batchId?: string;
    unitIds?: Array<string>;
    serials?: { productId: string; from: string; to: string };
  };
  DispatchConsignmentBody: { activateUnits?: boolean; linkDays?: number };
  RenewConsignmentLinkBody: { linkDays?: number };
  ReceiveConsignmentBody: {
    receivedCount?: number | null;
    missing?: Array<string>;
    damaged?: Array<string>;
    note?: string | null;
    name?: string | null;
  };
  RecallConsignmentBody: {
    reason?: string | null;
    messages?: Record<string, string>;
    contact?: string | null;
  };
  ReceiveByLinkBody: {
    receivedCount?: number | null;
    missing?: Array<string>;
    damaged?: Array<string>;
    note?: string | null;
    name: string;
  };
  CreateRecallBody: {
    unitId?: string;
    batchId?: string;
    consignmentId?: string;
    productId?: string;
    reason?: string | null;
    messages?: Record<string, string>;
    contact?: string | null;
    startsAt?: string | null;
  };
  PreviewRecallBody: { unitId?: string; batchId?: string; consignmentId?: string; productId?: string };
  CorrectRecallBody: {
    reason?: string | null;
    messages?: Record<string, string>;
    contact?: string | null;
    expected?: { reason?: string | null; messages?: Record<string, string>; contact?: string | null };
  };
  ReportCodeBody: {
    description: string;
    purchasedFrom?: string | null;
    price?: string | null;
    brand?: string | null;
    contactName?: string | null;
    contactEmail?: string | null;
    lang?: string;
    contactConsent?: boolean;
    website?: string;
    photos?: Array<string>;
  };
  ReportWithoutCodeBody: {
    description: string;
    purchasedFrom?: string | null;
    price?: string | null;
    brand?: string | null;
    contactName?: string | null;
    contactEmail?: string | null;
    lang?: string;
    contactConsent?: boolean;
    website?: string;
    photos?: Array<string>;
  };
  CreateReportBody: {
    channel: 'inspection' | 'test_purchase' | 'online_listing' | 'customer_service' | 'authority' | 'partner';
    description: string;
    code?: string | null;
    productUnitId?: string | null;
    productId?: string | null;
    brand?: string | null;
    purchasedFrom?: string | null;
    price?: string | null;
    country?: string | null;
    foundOn?: string | null;
    contactName?: string | null;
    contactEmail?: string | null;
    assigneeId?: string | null;
    resolution?:
      | 'counterfeit'
      | 'tampered'
      | 'grey_market'
      | 'stolen'
      | 'genuine'
      | 'duplicate'
      | 'spam'
      | 'insufficient_information'
      | null;
  };
  ChangeReportBody: {
    status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    resolution?:
      | 'counterfeit'
      | 'tampered'
      | 'grey_market'
      | 'stolen'
      | 'genuine'
      | 'duplicate'
      | 'spam'
      | 'insufficient_information';
    assigneeId?: string | null;
    productUnitId?: string | null;
    productId?: string | null;
    note?: string;
    expectedAssigneeId?: string | null;
    expectedStatus?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
  };
  AddReportNoteBody: { text: string };
  AddReportPhotosBody: { photos: Array<string> };
  SearchResult: { data: Array<Schemas['SearchHit']> };
  OpenRiskCaseBody: { productUnitId: string; note?: string; assigneeId?: string | null; reportId?: string };
  ChangeRiskCaseBody: {
    status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
    closingReason?:
      | 'copied_code'
      | 'counterfeit_seen'
      | 'stolen_code'
      | 'other_abuse'
      | 'shop_display'
      | 'owner_scans'
      | 'resold'
      | 'wrong_position'
      | 'internal_scans'
      | 'mistaken_report'
      | 'other_harmless';
    assigneeId?: string | null;
    note?: string;
    expectedAssigneeId?: string | null;
    expectedStatus?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
  };
  PutRiskPolicyBody: {
    policy: {
      thresholds?: { medium?: number; suspicious?: number };
      clone?: {
        enabled?: boolean;
        weight?: number;
        wrongPositionRate?: number;
        moveRate?: number;
        learnVisitors?: boolean;
        hindsight?: boolean;
        notShipped?: boolean;
        consumed?: boolean;
        hiddenCodeVisitors?: number;
        nfcReplayVisitors?: number;
      };
      impossibleTravel?: { enabled?: boolean; weight?: number; maxSpeedKmh?: number; minDistanceKm?: number };
      excessiveScanning?: {
        enabled?: boolean;
        weight?: number;
        windows?: Array<{ hours: number; visitors: number }>;
      };
      diversion?: { enabled?: boolean; weight?: number; borderRadii?: number; lotUnits?: number };
    };
    alertCooldownMinutes?: number | null;
    expectedUpdatedAt?: string | null;
  };
  SimulateRiskPolicyBody: {
    policy: {
      thresholds?: { medium?: number; suspicious?: number };
      clone?: {
        enabled?: boolean;
        weight?: number;
        wrongPositionRate?: number;
        moveRate?: number;
        learnVisitors?: boolean;
        hindsight?: boolean;
        notShipped?: boolean;
        consumed?: boolean;
        hiddenCodeVisitors?: number;
        nfcReplayVisitors?: number;
      };
      impossibleTravel?: { enabled?: boolean; weight?: number; maxSpeedKmh?: number; minDistanceKm?: number };
      excessiveScanning?: {
        enabled?: boolean;
        weight?: number;
        windows?: Array<{ hours: number; visitors: number }>;
      };
      diversion?: { enabled?: boolean; weight?: number; borderRadii?: number; lotUnits?: number };
    };
    productId?: string;
    from?: string;
    to?: string;
  };
  CreateWebhookEndpointBody: {
    url: string;
    events: Array<string>;
    format?: 'event' | 'slack' | 'teams';
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    description?: string | null;
    concurrency?: number | null;
    ratePerSecond?: number | null;
    fifo?: boolean;
    retryDelaysSeconds?: Array<number> | null;
    headers?: Record<string, string>;
    productIds?: Array<string> | null;
  };
  UpdateWebhookEndpointBody: {
    url?: string;
    events?: Array<string>;
    format?: 'event' | 'slack' | 'teams';
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    description?: string | null;
    concurrency?: number | null;
    ratePerSecond?: number | null;
    fifo?: boolean;
    retryDelaysSeconds?: Array<number> | null;
    headers?: Record<string, string>;
    productIds?: Array<string> | null;
    expected?: {
      url?: string;
      events?: Array<string>;
      format?: 'event' | 'slack' | 'teams';
      language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
      description?: string | null;
      concurrency?: number | null;
      ratePerSecond?: number | null;
      fifo?: boolean;
      retryDelaysSeconds?: Array<number> | null;
      productIds?: Array<string> | null;
    };
  };
  RotateWebhookSecretBody: { overlapSeconds?: number };
  RecoverWebhookEndpointBody: { since: string; ratePerSecond?: number };
  ReplayEventBody: { endpointId?: string | null };
  ListEventTypesResult: { data: Array<Schemas['EventType']> };
  SignUpBody: {
    organizationName: string;
    name?: string | null;
    email: string;
    password: string;
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
  };
  VerifySignUpBody: { token: string; timeZone?: string };
  VerifySignUpResult: { userId: string; organizationId: string };
  ContactBody: { name: string; email: string; message: string };
  SignInBody: { email: string; password: string; code?: string };
  ForgotPasswordBody: { email: string };
  ResetPasswordBody: { token: string; password: string };
  ChangePasswordBody: { currentPassword: string; newPassword: string };
  CheckLinkBody: { purpose: 'sign-up' | 'reset-password' | 'accept-invitation'; token: string };
  CheckLinkResult: { works: boolean };
  UpdateMeBody: {
    name?: string | null;
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    alertMails?: 'hourly' | 'daily' | 'never';
    summaryMails?: 'weekly' | 'never';
  };
  ListSessionsResult: { data: Array<Schemas['Session']>; nextCursor: string | null };
  SetUpTotpResult: { secret: string; otpauthUrl: string; qrCode: Array<string> };
  ConfirmTotpBody: { code: string };
  ConfirmTotpResult: { recoveryCodes: Array<string> };
  DisableTotpBody: { password: string; code: string };
  CreateApiKeyBody: {
    name: string;
    scopes: Array<string>;
    expiresAt?: string | null;
    allowedCidrs?: Array<string>;
  };
  RotateApiKeyBody: { graceSeconds?: number };
  UpdateUserBody: { role?: 'owner' | 'administrator' | 'analyst' | 'viewer'; disabled?: boolean };
  InviteBody: {
    email: string;
    role: 'owner' | 'administrator' | 'analyst' | 'viewer';
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
  };
  AcceptInvitationBody: {
    token: string;
    name?: string | null;
    password: string;
    language?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
  };
  AcceptInvitationResult: { userId: string; organizationId: string };
  ListRolesResult: { data: Array<Schemas['RoleGrants']> };
  UpdateOrganizationBody: {
    name?: string;
    brand?: {
      logoUrl?: string | null;
      color?: string | null;
      support?: string | null;
      message?: string | null;
      messages?: Record<string, string>;
    };
    timeZone?: string;
    retention?: { scansDays?: number; eventsDays?: number };
    securityContact?: string | null;
    expected?: {
      name?: string;
      timeZone?: string;
      securityContact?: string | null;
      brand?: {
        logoUrl?: string | null;
        color?: string | null;
        support?: string | null;
        message?: string | null;
        messages?: Record<string, string>;
      };
      retention?: { scansDays?: number; eventsDays?: number };
    };
  };
  SetDomainBody: { name: string };
  SetSingleSignOnBody: {
    issuer: string;
    clientId: string;
    clientSecret?: string;
    required?: boolean;
    newcomerRole?: 'administrator' | 'analyst' | 'viewer' | null;
    expectedUpdatedAt?: string | null;
  };
  BeginSingleSignOnBody: { email?: string; organizationId?: string };
  SetInternalNetworksBody: { networks: Array<string>; expected?: { networks?: Array<string> } };
  PreviewBrandBody: {
    logoUrl?: string | null;
    color?: string | null;
    support?: string | null;
    message?: string | null;
    messages?: Record<string, string>;
  };
  HealthResult: { status: 'ok' };
  ServesHostResult: { domain: string };
}

export interface Paths {
  '/v/{token}': {
    get: {
      path: { token: string };
      query: { lang?: string; cmac?: string; picc_data?: string; uid?: string; ctr?: string };
      response: Schemas['Verification'];
    };
  };
  '/v/{token}/position': {
    post: { path: { token: string }; body: Schemas['AddPositionBody']; response: undefined };
  };
  '/v/{token}/hidden-code': {
    post: {
      path: { token: string };
      body: Schemas['CheckHiddenCodeBody'];
      response: Schemas['HiddenCodeAnswer'];
    };
  };
  '/01/{gtin}/21/{serial}/position': {
    post: {
      path: { gtin: string; serial: string };
      body: Schemas['AddPositionBySerialBody'];
      response: undefined;
    };
  };
  '/01/{gtin}/21/{serial}/hidden-code': {
    post: {
      path: { gtin: string; serial: string };
      body: Schemas['CheckHiddenCodeBySerialBody'];
      response: Schemas['HiddenCodeAnswer'];
    };
  };
  '/01/{gtin}/21/{serial}/reports': {
    post: {
      path: { gtin: string; serial: string };
      body: Schemas['ReportBySerialBody'];
      response: Schemas['FiledReport'];
    };
  };
  '/01/{gtin}/10/{lot}/21/{serial}/position': {
    post: {
      path: { gtin: string; lot: string; serial: string };
      body: Schemas['AddPositionByLotAndSerialBody'];
      response: undefined;
    };
  };
  '/01/{gtin}/10/{lot}/21/{serial}/hidden-code': {
    post: {
      path: { gtin: string; lot: string; serial: string };
      body: Schemas['CheckHiddenCodeByLotAndSerialBody'];
      response: Schemas['HiddenCodeAnswer'];
    };
  };
  '/01/{gtin}/10/{lot}/21/{serial}/reports': {
    post: {
      path: { gtin: string; lot: string; serial: string };
      body: Schemas['ReportByLotAndSerialBody'];
      response: Schemas['FiledReport'];
    };
  };
  '/01/{gtin}/21/{serial}': {
    get: {
      path: { gtin: string; serial: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['Verification'];
    };
  };
  '/01/{gtin}/10/{lot}/21/{serial}': {
    get: {
      path: { gtin: string; lot: string; serial: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['Verification'];
    };
  };
  '/01/{gtin}/22/{variant}/21/{serial}': {
    get: {
      path: { gtin: string; variant: string; serial: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['Verification'];
    };
  };
  '/01/{gtin}/22/{variant}/10/{lot}/21/{serial}': {
    get: {
      path: { gtin: string; variant: string; lot: string; serial: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['Verification'];
    };
  };
  '/01/{gtin}': {
    get: {
      path: { gtin: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['ProductInformation'];
    };
  };
  '/01/{gtin}/10/{lot}': {
    get: {
      path: { gtin: string; lot: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['ProductInformation'];
    };
  };
  '/01/{gtin}/22/{variant}': {
    get: {
      path: { gtin: string; variant: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['ProductInformation'];
    };
  };
  '/01/{gtin}/22/{variant}/10/{lot}': {
    get: {
      path: { gtin: string; variant: string; lot: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['ProductInformation'];
    };
  };
  '/01/{gtin}/235/{thirdPartySerial}': {
    get: {
      path: { gtin: string; thirdPartySerial: string };
      query: {
        lang?: string;
        cmac?: string;
        picc_data?: string;
        uid?: string;
        ctr?: string;
        linkType?: string;
      };
      response: Schemas['ProductInformation'];
    };
  };
  '/.well-known/gs1resolver': {
    get: {
      query: { lang?: string; cmac?: string; picc_data?: string; uid?: string; ctr?: string };
      response: Record<string, unknown>;
    };
  };
  '/api/v1/products': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        sku?: string;
        gtin?: string;
        q?: string;
        archived?: 'true' | 'false' | 'all';
      };
      response: Schemas['ProductList'];
    };
    post: { body: Schemas['CreateProductBody']; response: Schemas['Product'] };
  };
  '/api/v1/products/{id}': {
    get: { path: { id: string }; response: Schemas['Product'] };
    patch: { path: { id: string }; body: Schemas['UpdateProductBody']; response: Schemas['Product'] };
  };
  '/api/v1/products/{id}/archive': {
    post: { path: { id: string }; response: Schemas['Product'] };
  };
  '/api/v1/products/{id}/unarchive': {
    post: { path: { id: string }; response: Schemas['Product'] };
  };
  '/api/v1/products.csv': {
    get: {
      query: { sku?: string; gtin?: string; q?: string; archived?: 'true' | 'false' | 'all' };
      response: string;
    };
  };
  '/api/v1/products/import': {
    post: { query: { dryRun?: 'true' | 'false' }; body: string; response: Schemas['ProductImport'] };
  };
  '/api/v1/batches': {
    get: {
      query: { limit?: number; cursor?: string; productId?: string; lot?: string; q?: string };
      response: Schemas['BatchList'];
    };
    post: { body: Schemas['CreateBatchBody']; response: Schemas['Batch'] };
  };
  '/api/v1/batches/{id}': {
    get: { path: { id: string }; response: Schemas['Batch'] };
    patch: { path: { id: string }; body: Schemas['CorrectBatchBody']; response: Schemas['Batch'] };
  };
  '/api/v1/batches/{id}/unit-counts': {
    get: { path: { id: string }; response: Schemas['UnitCounts'] };
  };
  '/api/v1/batches/{id}/recall': {
    post: { path: { id: string }; body: Schemas['RecallBatchBody']; response: Schemas['Batch'] };
  };
  '/api/v1/batches/{id}/lift-recall': {
    post: { path: { id: string }; response: Schemas['Batch'] };
  };
  '/api/v1/batches/{id}/serials': {
    post: { path: { id: string }; body: Array<string>; response: Schemas['UploadSerialsResult'] };
  };
  '/api/v1/batches/{id}/barcode-jobs': {
    post: { path: { id: string }; body: Schemas['StartBarcodeJobBody']; response: Schemas['BarcodeJob'] };
  };
  '/api/v1/barcode-jobs': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        batchId?: string;
        status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
        needsAttention?: 'true';
      };
      response: Schemas['BarcodeJobList'];
    };
  };
  '/api/v1/barcode-jobs/{id}': {
    get: { path: { id: string }; response: Schemas['BarcodeJob'] };
  };
  '/api/v1/barcode-jobs/{id}/events': {
    get: { path: { id: string }; response: string | undefined };
  };
  '/api/v1/barcode-jobs/{id}/retry': {
    post: { path: { id: string }; response: Schemas['BarcodeJob'] };
  };
  '/api/v1/barcode-jobs/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['BarcodeJob'] };
  };
  '/api/v1/barcodes/preview': {
    post: { body: Schemas['PreviewBarcodeBody']; response: string };
  };
  '/api/v1/product-units': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        batchId?: string;
        status?: 'minted' | 'active' | 'suspended' | 'voided';
        serial?: string;
        q?: string;
        productId?: string;
        consignmentId?: string;
        ids?: string;
        risk?: 'clear' | 'suspect' | 'confirmed';
      };
      response: Schemas['ProductUnitList'];
    };
  };
  '/api/v1/product-units/{id}': {
    get: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/activate': {
    post: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/suspend': {
    post: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/void': {
    post: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/consume': {
    post: { path: { id: string }; body: Schemas['ConsumeUnitBody']; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/unconsume': {
    post: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/recall': {
    post: { path: { id: string }; body: Schemas['RecallUnitBody']; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/lift-recall': {
    post: { path: { id: string }; response: Schemas['ProductUnit'] };
  };
  '/api/v1/product-units/{id}/barcode.png': {
    get: {
      path: { id: string };
      query: {
        symbology?:
          | 'qr'
          | 'gs1-digital-link'
          | 'gs1-datamatrix'
          | 'datamatrix-url'
          | 'gs1-128'
          | 'qrcode'
          | 'datamatrix'
          | 'azteccode'
          | 'pdf417'
          | 'code128'
          | 'code93'
          | 'code39'
          | 'interleaved2of5'
          | 'ean13'
          | 'ean8'
          | 'upca'
          | 'itf14';
        errorCorrection?: 'L' | 'M' | 'Q' | 'H';
        scale?: number;
        dpi?: number;
        quietZone?: number;
        text?: 'true' | 'false';
        foreground?: string;
        background?: string;
      };
      response: string;
    };
  };
  '/api/v1/product-units/{id}/barcode.svg': {
    get: {
      path: { id: string };
      query: {
        symbology?:
          | 'qr'
          | 'gs1-digital-link'
          | 'gs1-datamatrix'
          | 'datamatrix-url'
          | 'gs1-128'
          | 'qrcode'
          | 'datamatrix'
          | 'azteccode'
          | 'pdf417'
          | 'code128'
          | 'code93'
          | 'code39'
          | 'interleaved2of5'
          | 'ean13'
          | 'ean8'
          | 'upca'
          | 'itf14';
        errorCorrection?: 'L' | 'M' | 'Q' | 'H';
        scale?: number;
        dpi?: number;
        quietZone?: number;
        text?: 'true' | 'false';
        foreground?: string;
        background?: string;
      };
      response: string;
    };
  };
  '/api/v1/unit-exports': {
    post: { body: Schemas['StartUnitExport']; response: Schemas['UnitExport'] };
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      };
      response: Schemas['UnitExportList'];
    };
  };
  '/api/v1/unit-exports/{id}': {
    get: { path: { id: string }; response: Schemas['UnitExport'] };
  };
  '/api/v1/unit-exports/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['UnitExport'] };
  };
  '/api/v1/product-units/{id}/timeline': {
    get: {
      path: { id: string };
      query: {
        limit?: number;
        cursor?: string;
        type?:
          | 'minted'
          | 'activated'
          | 'suspended'
          | 'reactivated'
          | 'voided'
          | 'consumed'
          | 'shipped'
          | 'received'
          | 'shipment_cancelled'
          | 'recalled'
          | 'recall_lifted'
          | 'scanned'
          | 'hidden_code_entered'
          | 'flagged'
          | 'decided'
          | 'reported';
      };
      response: Schemas['TimelineEntryList'];
    };
  };
  '/api/v1/product-units/bulk': {
    post: {
      query: {
        action?: 'activate' | 'suspend' | 'recall' | 'lift-recall';
        by?: 'unitId' | 'serial' | 'code';
        productId?: string;
        reason?: string;
      };
      body: Schemas['BulkUnitsBody'];
      response: Schemas['BulkJob'];
    };
  };
  '/api/v1/bulk-jobs': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        consignmentId?: string;
        status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      };
      response: Schemas['BulkJobList'];
    };
  };
  '/api/v1/bulk-jobs/{id}': {
    get: { path: { id: string }; response: Schemas['BulkJob'] };
  };
  '/api/v1/bulk-jobs/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['BulkJob'] };
  };
  '/api/v1/consignments': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: 'draft' | 'dispatched' | 'received' | 'partially_received' | 'recalled' | 'cancelled';
        reference?: string;
        sscc?: string;
        overdue?: 'true';
        hasDiscrepancy?: 'true';
        receivedWithinDays?: number;
        q?: string;
      };
      response: Schemas['ConsignmentList'];
    };
    post: { body: Schemas['CreateConsignmentBody']; response: Schemas['Consignment'] };
  };
  '/api/v1/consignments/{id}': {
    get: { path: { id: string }; response: Schemas['Consignment'] };
    patch: {
      path: { id: string };
      body: Schemas['CorrectConsignmentBody'];
      response: Schemas['Consignment'];
    };
  };
  '/api/v1/consignments/{id}/units': {
    get: {
      path: { id: string };
      query: { limit?: number; cursor?: string; condition?: 'missing' | 'damaged' };
      response: Schemas['ConsignmentUnitList'];
    };
    post: {
      path: { id: string };
      query: { by?: 'unitId' | 'serial' | 'code'; productId?: string };
      body: Schemas['AddConsignmentUnitsBody'];
      response: Schemas['BulkJob'];
    };
  };
  '/api/v1/consignments/{id}/dispatch': {
    post: {
      path: { id: string };
      body: Schemas['DispatchConsignmentBody'];
      response: Schemas['ConsignmentWithLink'];
    };
  };
  '/api/v1/consignments/{id}/renew-link': {
    post: {
      path: { id: string };
      body: Schemas['RenewConsignmentLinkBody'];
      response: Schemas['ConsignmentWithLink'];
    };
  };
  '/api/v1/consignments/{id}/revoke-link': {
    post: { path: { id: string }; response: Schemas['Consignment'] };
  };
  '/api/v1/consignments/{id}/receive': {
    post: { path: { id: string }; body: Schemas['ReceiveConsignmentBody']; response: Schemas['Consignment'] };
  };
  '/api/v1/consignments/{id}/recall': {
    post: { path: { id: string }; body: Schemas['RecallConsignmentBody']; response: Schemas['Consignment'] };
  };
  '/api/v1/consignments/{id}/lift-recall': {
    post: { path: { id: string }; response: Schemas['Consignment'] };
  };
  '/api/v1/consignments/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['Consignment'] };
  };
  '/c/{token}': {
    get: { path: { token: string }; query: { lang?: string }; response: Schemas['DistributorConsignment'] };
  };
  '/c/{token}/receive': {
    post: {
      path: { token: string };
      body: Schemas['ReceiveByLinkBody'];
      response: Schemas['DistributorConsignment'];
    };
  };
  '/api/v1/recalls': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        scope?: 'unit' | 'batch' | 'consignment' | 'product';
        inForce?: 'true' | 'false';
        unitId?: string;
        batchId?: string;
        consignmentId?: string;
        productId?: string;
      };
      response: Schemas['RecallList'];
    };
    post: { body: Schemas['CreateRecallBody']; response: Schemas['Recall'] };
  };
  '/api/v1/recall-previews': {
    post: { body: Schemas['PreviewRecallBody']; response: Schemas['BulkJob'] };
  };
  '/api/v1/recalls/{id}': {
    get: { path: { id: string }; response: Schemas['Recall'] };
    patch: { path: { id: string }; body: Schemas['CorrectRecallBody']; response: Schemas['Recall'] };
  };
  '/api/v1/recalls/{id}/lift': {
    post: { path: { id: string }; response: Schemas['Recall'] };
  };
  '/v/{token}/reports': {
    post: { path: { token: string }; body: Schemas['ReportCodeBody']; response: Schemas['FiledReport'] };
  };
  '/counterfeit-reports': {
    post: { body: Schemas['ReportWithoutCodeBody']; response: Schemas['FiledReport'] };
  };
  '/report-photos/{id}': {
    get: { path: { id: string }; query: { expires: string; signature: string }; response: string };
  };
  '/api/v1/counterfeit-reports': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        channel?:
          | 'consumer'
          | 'inspection'
          | 'test_purchase'
          | 'online_listing'
          | 'customer_service'
          | 'authority'
          | 'partner';
        status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
        resolution?:
          | 'counterfeit'
          | 'tampered'
          | 'grey_market'
          | 'stolen'
          | 'genuine'
          | 'duplicate'
          | 'spam'
          | 'insufficient_information';
        productId?: string;
        batchId?: string;
        unitId?: string;
        assigneeId?: string;
        country?: string;
        q?: string;
      };
      response: Schemas['CounterfeitReportList'];
    };
    post: { body: Schemas['CreateReportBody']; response: Schemas['CounterfeitReportDetail'] };
  };
  '/api/v1/counterfeit-reports.csv': {
    get: {
      query: {
        channel?:
          | 'consumer'
          | 'inspection'
          | 'test_purchase'
          | 'online_listing'
          | 'customer_service'
          | 'authority'
          | 'partner';
        status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
        resolution?:
          | 'counterfeit'
          | 'tampered'
          | 'grey_market'
          | 'stolen'
          | 'genuine'
          | 'duplicate'
          | 'spam'
          | 'insufficient_information';
        productId?: string;
        batchId?: string;
        unitId?: string;
        assigneeId?: string;
        country?: string;
        q?: string;
      };
      response: string;
    };
  };
  '/api/v1/counterfeit-reports/{id}': {
    get: { path: { id: string }; response: Schemas['CounterfeitReportDetail'] };
    patch: {
      path: { id: string };
      body: Schemas['ChangeReportBody'];
      response: Schemas['CounterfeitReportDetail'];
    };
  };
  '/api/v1/counterfeit-reports/{id}/notes': {
    post: {
      path: { id: string };
      body: Schemas['AddReportNoteBody'];
      response: Schemas['CounterfeitReportDetail'];
    };
  };
  '/api/v1/counterfeit-reports/{id}/photos': {
    post: { path: { id: string }; body: string; response: Schemas['CounterfeitReportDetail'] };
  };
  '/api/v1/counterfeit-reports/{id}/photos/{photoId}': {
    delete: { path: { id: string; photoId: string }; response: undefined };
  };
  '/api/v1/scans': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        from?: string;
        to?: string;
        unitId?: string;
        productId?: string;
        batchId?: string;
        result?: 'genuine' | 'suspicious' | 'diverted' | 'suspended' | 'recalled' | 'expired' | 'inactive';
        country?: string;
        riskLevel?: 'none' | 'low' | 'medium' | 'high';
        isInternal?: 'true' | 'false';
        hiddenCode?: 'correct' | 'wrong';
        nfcTap?: 'fresh' | 'replayed' | 'invalid';
        consignmentId?: string;
      };
      response: Schemas['ScanList'];
    };
  };
  '/api/v1/scans/{id}': {
    get: { path: { id: string }; response: Schemas['Scan'] };
  };
  '/api/v1/scan-exports': {
    post: { body: Schemas['StartScanExport']; response: Schemas['ScanExport'] };
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      };
      response: Schemas['ScanExportList'];
    };
  };
  '/api/v1/scan-exports/{id}': {
    get: { path: { id: string }; response: Schemas['ScanExport'] };
  };
  '/api/v1/scan-exports/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['ScanExport'] };
  };
  '/api/v1/analytics/summary': {
    get: { query: { from: string; to: string; productId?: string }; response: Schemas['AnalyticsSummary'] };
  };
  '/api/v1/analytics/timeseries': {
    get: {
      query: {
        from: string;
        to: string;
        productId?: string;
        interval?: 'hour' | 'day' | 'week';
        by?: 'result' | 'product' | 'country';
        timeZone?: string;
      };
      response: Schemas['Timeseries'];
    };
  };
  '/api/v1/analytics/map': {
    get: {
      query: { from: string; to: string; productId?: string; by?: 'country' | 'cell' };
      response: Schemas['ScanMap'];
    };
  };
  '/api/v1/analytics/funnel': {
    get: { query: { from: string; to: string; productId?: string }; response: Schemas['Funnel'] };
  };
  '/api/v1/attention': {
    get: { response: Schemas['Attention'] };
  };
  '/api/v1/search': {
    get: { query: { q: string }; response: Schemas['SearchResult'] };
  };
  '/api/v1/epcis/events': {
    get: {
      query: {
        perPage?: number;
        nextPageToken?: string;
        GE_eventTime?: string;
        LT_eventTime?: string;
        eventType?: string;
        EQ_bizStep?: string;
        MATCH_epc?: string;
      };
      response: Schemas['EpcisDocument'];
    };
  };
  '/api/v1/risk-cases': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
        undecided?: 'true';
        unitId?: string;
        productId?: string;
        assigneeId?: string;
        q?: string;
      };
      response: Schemas['RiskCaseList'];
    };
    post: { body: Schemas['OpenRiskCaseBody']; response: Schemas['RiskCaseWithNotes'] };
  };
  '/api/v1/risk-cases.csv': {
    get: {
      query: {
        status?: 'open' | 'investigating' | 'confirmed' | 'dismissed';
        undecided?: 'true';
        unitId?: string;
        productId?: string;
        assigneeId?: string;
        q?: string;
      };
      response: string;
    };
  };
  '/api/v1/risk-cases/{id}': {
    get: { path: { id: string }; response: Schemas['RiskCaseWithNotes'] };
    patch: {
      path: { id: string };
      body: Schemas['ChangeRiskCaseBody'];
      response: Schemas['RiskCaseWithNotes'];
    };
  };
  '/api/v1/risk-policies': {
    get: { query: { productId?: string }; response: Schemas['RiskPolicy'] };
    put: {
      query: { productId?: string };
      body: Schemas['PutRiskPolicyBody'];
      response: Schemas['RiskPolicy'];
    };
  };
  '/api/v1/risk-policies/simulate': {
    post: { body: Schemas['SimulateRiskPolicyBody']; response: Schemas['RiskSimulation'] };
  };
  '/api/v1/risk-simulations': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
      };
      response: Schemas['RiskSimulationList'];
    };
  };
  '/api/v1/risk-simulations/{id}': {
    get: { path: { id: string }; response: Schemas['RiskSimulation'] };
  };
  '/api/v1/risk-simulations/{id}/cancel': {
    post: { path: { id: string }; response: Schemas['RiskSimulation'] };
  };
  '/api/v1/webhook-endpoints': {
    get: { query: { limit?: number; cursor?: string }; response: Schemas['WebhookEndpointList'] };
    post: { body: Schemas['CreateWebhookEndpointBody']; response: Schemas['CreatedWebhookEndpoint'] };
  };
  '/api/v1/webhook-endpoints/{id}': {
    get: { path: { id: string }; response: Schemas['WebhookEndpoint'] };
    patch: {
      path: { id: string };
      body: Schemas['UpdateWebhookEndpointBody'];
      response: Schemas['WebhookEndpoint'];
    };
    delete: { path: { id: string }; response: undefined };
  };
  '/api/v1/webhook-endpoints/{id}/deliveries': {
    get: {
      path: { id: string };
      query: {
        limit?: number;
        cursor?: string;
        eventId?: string;
        outcome?: 'pending' | 'delivered' | 'failed';
        from?: string;
        to?: string;
      };
      response: Schemas['DeliveryList'];
    };
  };
  '/api/v1/webhook-endpoints/{id}/rotate-secret': {
    post: {
      path: { id: string };
      body: Schemas['RotateWebhookSecretBody'];
      response: Schemas['RotatedWebhookEndpoint'];
    };
  };
  '/api/v1/webhook-endpoints/{id}/test': {
    post: { path: { id: string }; response: Schemas['WebhookTest'] };
  };
  '/api/v1/webhook-endpoints/{id}/enable': {
    post: { path: { id: string }; response: Schemas['WebhookEndpoint'] };
  };
  '/api/v1/webhook-endpoints/{id}/disable': {
    post: { path: { id: string }; response: Schemas['WebhookEndpoint'] };
  };
  '/api/v1/webhook-endpoints/{id}/recover': {
    post: {
      path: { id: string };
      body: Schemas['RecoverWebhookEndpointBody'];
      response: Schemas['WebhookRecovery'];
    };
  };
  '/api/v1/webhook-endpoints/{id}/recoveries': {
    get: {
      path: { id: string };
      query: { limit?: number; cursor?: string };
      response: Schemas['WebhookRecoveryList'];
    };
  };
  '/api/v1/webhook-endpoints/{id}/recoveries/{recoveryId}': {
    get: { path: { id: string; recoveryId: string }; response: Schemas['WebhookRecovery'] };
  };
  '/api/v1/webhook-endpoints/{id}/recoveries/{recoveryId}/cancel': {
    post: { path: { id: string; recoveryId: string }; response: Schemas['WebhookRecovery'] };
  };
  '/api/v1/events': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        type?:
          | 'scan.recorded'
          | 'suspicious_scan.detected'
          | 'product.diverted'
          | 'counterfeit_report.created'
          | 'barcode_job.completed'
          | 'barcode_job.failed'
          | 'consignment.received'
          | 'consignment.recalled'
          | 'webhook.test';
        from?: string;
        to?: string;
      };
      response: Schemas['EventList'];
    };
  };
  '/api/v1/events/{id}': {
    get: { path: { id: string }; response: Schemas['EventWithDispatches'] };
  };
  '/api/v1/events/{id}/replay': {
    post: { path: { id: string }; body: Schemas['ReplayEventBody']; response: Schemas['EventReplay'] };
  };
  '/api/v1/event-types': {
    get: { response: Schemas['ListEventTypesResult'] };
  };
  '/sign-up': {
    post: { body: Schemas['SignUpBody']; response: undefined };
  };
  '/sign-up/verify': {
    post: { body: Schemas['VerifySignUpBody']; response: Schemas['VerifySignUpResult'] };
  };
  '/contact': {
    post: { body: Schemas['ContactBody']; response: undefined };
  };
  '/api/v1/auth/sign-in': {
    post: { body: Schemas['SignInBody']; response: Schemas['AccessToken'] };
  };
  '/api/v1/auth/refresh': {
    post: { response: Schemas['AccessToken'] };
  };
  '/api/v1/auth/sign-out': {
    post: { response: undefined };
  };
  '/api/v1/auth/sign-out-everywhere': {
    post: { response: undefined };
  };
  '/api/v1/auth/forgot-password': {
    post: { body: Schemas['ForgotPasswordBody']; response: undefined };
  };
  '/api/v1/auth/reset-password': {
    post: { body: Schemas['ResetPasswordBody']; response: undefined };
  };
  '/api/v1/auth/change-password': {
    post: { body: Schemas['ChangePasswordBody']; response: undefined };
  };
  '/api/v1/auth/check-link': {
    post: { body: Schemas['CheckLinkBody']; response: Schemas['CheckLinkResult'] };
  };
  '/api/v1/auth/me': {
    get: { response: Schemas['Me'] };
    patch: { body: Schemas['UpdateMeBody']; response: Schemas['Me'] };
  };
  '/api/v1/auth/sessions': {
    get: { response: Schemas['ListSessionsResult'] };
  };
  '/api/v1/auth/sessions/{id}': {
    delete: { path: { id: string }; response: undefined };
  };
  '/api/v1/auth/totp/set-up': {
    post: { response: Schemas['SetUpTotpResult'] };
  };
  '/api/v1/auth/totp/confirm': {
    post: { body: Schemas['ConfirmTotpBody']; response: Schemas['ConfirmTotpResult'] };
  };
  '/api/v1/auth/totp/disable': {
    post: { body: Schemas['DisableTotpBody']; response: undefined };
  };
  '/api/v1/auth/leave': {
    post: { response: undefined };
  };
  '/api/v1/api-keys': {
    get: { query: { limit?: number; cursor?: string; q?: string }; response: Schemas['ApiKeyList'] };
    post: { body: Schemas['CreateApiKeyBody']; response: Schemas['ApiKeyWithSecret'] };
  };
  '/api/v1/api-keys/{id}': {
    get: { path: { id: string }; response: Schemas['ApiKey'] };
  };
  '/api/v1/api-keys/{id}/rotate': {
    post: { path: { id: string }; body: Schemas['RotateApiKeyBody']; response: Schemas['ApiKeyWithSecret'] };
  };
  '/api/v1/api-keys/{id}/revoke': {
    post: { path: { id: string }; response: Schemas['ApiKey'] };
  };
  '/api/v1/request-errors': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        status?: number;
        code?: string;
        keyId?: string;
        requestId?: string;
      };
      response: Schemas['RequestErrorList'];
    };
  };
  '/api/v1/people': {
    get: {
      query: { limit?: number; cursor?: string; id?: string; q?: string };
      response: Schemas['PersonList'];
    };
  };
  '/api/v1/users': {
    get: { query: { limit?: number; cursor?: string }; response: Schemas['UserList'] };
  };
  '/api/v1/users/{id}': {
    get: { path: { id: string }; response: Schemas['User'] };
    patch: { path: { id: string }; body: Schemas['UpdateUserBody']; response: Schemas['User'] };
    delete: { path: { id: string }; response: undefined };
  };
  '/api/v1/invitations': {
    get: { query: { limit?: number; cursor?: string }; response: Schemas['InvitationList'] };
    post: { body: Schemas['InviteBody']; response: Schemas['Invitation'] };
  };
  '/api/v1/invitations/{id}': {
    get: { path: { id: string }; response: Schemas['Invitation'] };
  };
  '/api/v1/invitations/{id}/revoke': {
    post: { path: { id: string }; response: Schemas['Invitation'] };
  };
  '/api/v1/auth/accept-invitation': {
    post: { body: Schemas['AcceptInvitationBody']; response: Schemas['AcceptInvitationResult'] };
  };
  '/api/v1/roles': {
    get: { response: Schemas['ListRolesResult'] };
  };
  '/api/v1/organization': {
    get: { response: Schemas['Organization'] };
    patch: { body: Schemas['UpdateOrganizationBody']; response: Schemas['Organization'] };
  };
  '/api/v1/organization/domain': {
    get: { response: Schemas['OrganizationDomain'] };
    put: { body: Schemas['SetDomainBody']; response: Schemas['OrganizationDomain'] };
    delete: { response: undefined };
  };
  '/api/v1/organization/domain/check': {
    post: { response: Schemas['OrganizationDomain'] };
  };
  '/api/v1/organization/single-sign-on': {
    get: { response: Schemas['SingleSignOn'] };
    put: { body: Schemas['SetSingleSignOnBody']; response: Schemas['SingleSignOn'] };
    delete: { response: undefined };
  };
  '/api/v1/organization/single-sign-on/check': {
    post: { response: Schemas['SingleSignOn'] };
  };
  '/api/v1/users/{id}/forget-identity': {
    post: { path: { id: string }; response: undefined };
  };
  '/api/v1/auth/single-sign-on': {
    post: { body: Schemas['BeginSingleSignOnBody']; response: Schemas['SingleSignOnDeparture'] };
  };
  '/api/v1/auth/single-sign-on/finish': {
    post: { response: Schemas['SingleSignOnOutcome'] };
  };
  '/api/v1/organization/internal-networks': {
    get: { response: Schemas['InternalNetworks'] };
    put: { body: Schemas['SetInternalNetworksBody']; response: Schemas['InternalNetworks'] };
  };
  '/api/v1/organization/brand-preview': {
    post: { body: Schemas['PreviewBrandBody']; response: Schemas['BrandPreview'] };
  };
  '/brand-previews/{token}': {
    get: { path: { token: string }; query: { result?: string; lang?: string }; response: string };
  };
  '/api/v1/audit-log': {
    get: {
      query: {
        limit?: number;
        cursor?: string;
        action?: string;
        actor?: string;
        resource?: string;
        from?: string;
        to?: string;
      };
      response: Schemas['AuditEntryList'];
    };
  };
  '/api/v1/audit-log/export': {
    get: {
      query: { action?: string; actor?: string; resource?: string; from?: string; to?: string };
      response: string;
    };
  };
  '/ops/status': {
    get: { response: Schemas['InstallationStatus'] };
  };
  '/healthz': {
    get: { response: Schemas['HealthResult'] };
  };
  '/healthz/host': {
    get: { query: { domain: string }; response: Schemas['ServesHostResult'] };
  };
  '/readyz': {
    get: { response: Schemas['Readiness'] };
  };
}

/** Paths whose POST honours `Idempotency-Key`. */
export const IDEMPOTENT: ReadonlySet<string> = new Set([
  '/api/v1/products',
  '/api/v1/batches',
  '/api/v1/batches/{id}/barcode-jobs',
  '/api/v1/unit-exports',
  '/api/v1/product-units/bulk',
  '/api/v1/consignments',
  '/api/v1/consignments/{id}/units',
  '/api/v1/consignments/{id}/receive',
  '/api/v1/recalls',
  '/api/v1/recall-previews',
  '/api/v1/counterfeit-reports',
  '/api/v1/counterfeit-reports/{id}/notes',
  '/api/v1/scan-exports',
  '/api/v1/risk-cases',
  '/api/v1/risk-policies/simulate',
  '/api/v1/webhook-endpoints',
  '/api/v1/webhook-endpoints/{id}/rotate-secret',
  '/api/v1/webhook-endpoints/{id}/recover',
  '/api/v1/events/{id}/replay',
  '/api/v1/api-keys',
  '/api/v1/api-keys/{id}/rotate',
  '/api/v1/invitations',
]);
