/**
 * What each value of an enumeration means, by the field's name. Of several entries for one name (`status`, `X.status`) the
 * first that knows every value is taken, so a list may be used wherever it fits.
 */
import { PERMISSIONS, ROLE_TABLE, ROLES } from '../../shared/access/roles.ts';
import { SCOPES } from '../../shared/api-keys/scopes.ts';
import { ERROR_CATALOGUE } from '../../shared/errors.ts';

type Values = Readonly<Record<string, string>>;

const JOB: Values = {
  queued: 'waits for a worker',
  running: 'is being worked on',
  completed: 'is done',
  failed: 'has failed for good; see `error`',
  cancelled: 'was called off',
};

const REPORT: Values = {
  open: 'nobody has looked at it yet',
  investigating: 'somebody is looking into it',
  confirmed: 'it is what it seemed',
  dismissed: 'there is nothing in it',
};

const RESULT: Values = {
  genuine:
    'the code is valid, and too little speaks against it to doubt it (see the level): evidence, not proof',
  suspicious: 'the code is possibly copied',
  diverted: 'genuine, but scanned outside its authorized markets',
  suspended: 'the organization has suspended the unit',
  recalled: 'the unit, its batch, its consignment or its product is recalled',
  expired: 'past its day of expiry',
  inactive: 'minted, but not activated yet',
  unknown: 'no such code',
};

const CLONE: Values = {
  places: 'visitors in places and at times that fit several objects better than one',
  'not-shipped': 'scanned though it was not shipped, or did not arrive',
  consumed: 'scanned after it was used up',
  'hidden-code': 'more visitors have entered the code below its package’s layer than one package explains',
  'nfc-tap': 'more visitors have come with used taps of its package’s NFC tag than one package explains',
  confirmed: 'somebody has confirmed the abuse of the code',
};

const DIVERSION: Values = {
  'outside-markets': 'outside its markets, and nothing explains it',
  'near-border': 'a market lies within the uncertainty of the position',
  'seen-inside': 'the same visitor, or more of them, were seen within its markets',
  'lot-inside': 'its lot was seen within its markets, or units of the same markets were',
  'unit-doubtful': 'the unit is itself in doubt',
};

const AMONG: Values = {
  lot: 'those of its lot',
  markets: 'those of the same markets, as too few of its lot were seen',
};

const SCOPE: Values = {
  unit: 'one unit',
  batch: 'all units of a batch',
  consignment: 'all units of a consignment',
  product: 'all units of a product',
};

const SUSPICION: Values = {
  clear: 'nothing of weight was found',
  suspicious: 'suspicious',
  diverted: 'outside its markets',
};

const LEVEL: Values = {
  none: 'nothing speaks against the code',
  low: 'a little does',
  medium: 'enough to keep an eye on it',
  high: 'enough to call it suspicious',
};

const BULK: Values = {
  activate: 'activate them',
  suspend: 'suspend them',
  recall: 'recall them',
  'lift-recall': 'lift their recall',
  consign: 'add them to a consignment',
  'preview-recall': 'count what a recall would lie over',
};

const SIGNAL: Values = {
  impossible_travel: 'two scans too far apart for the time between them',
  clone: 'several copies of one code',
  excessive_scanning: 'more visitors than one unit has',
  diversion: 'outside the authorized markets',
};

export const ENUM_DESCRIPTIONS: Readonly<Record<string, Values>> = {
  result: RESULT,
  alertMails: {
    hourly: 'at most once an hour',
    daily: 'at most once a day',
    never: 'no such mails',
  },
  summaryMails: {
    weekly: 'on Mondays, in the organization’s time zone',
    never: 'no such mails',
  },
  'CheckLinkBody.purpose': {
    'sign-up': 'confirm the address of a sign-up',
    'reset-password': 'choose a new password',
    'accept-invitation': 'accept an invitation',
  },
  'domain.status': {
    pending: 'its record was not found yet',
    confirmed: 'consumers’ pages name it',
    lapsed: 'they did, and its record is gone',
  },
  'provider.status': {
    pending: 'the provider was not read yet',
    ready: 'people can sign in',
    failed: 'the provider could not be read',
  },
  'provider.problem': {
    UNREACHABLE: 'it did not answer',
    NO_PROVIDER: 'what is there is no OpenID provider of that issuer',
    UNSUPPORTED:
      'it offers no authorization code with a client secret, or is for people of any organization, as Microsoft’s `common` is',
  },
  'SingleSignOnOutcome.status': {
    pending: 'the provider is being asked',
    signedIn: 'signed in',
    refused: '`reason` says why',
  },
  'SingleSignOnOutcome.reason': {
    CANCELLED: 'somebody turned away at the provider, or was not let in there',
    PROVIDER_FAILED: 'the provider refused, or what it answered does not hold',
    PROVIDER_UNREACHABLE: 'it did not answer',
    NO_EMAIL: 'it names no address, and does not know the person by an earlier sign-in',
    EMAIL_NOT_VERIFIED: 'it does not vouch for the address',
    NOT_A_MEMBER: 'nobody of the organization has the address, and newcomers are not taken',
    OTHER_IDENTITY: 'who has the address is known by another account at the provider',
    DISABLED: 'the person is disabled',
    BLOCKED: 'the organization is blocked',
    EXPIRED: 'it took too long, was told already, or began in another browser',
  },
  confirmedBy: {
    dns: 'the record was found',
    operator: 'whoever runs the service answers for it',
  },
  problem: {
    NO_RECORD: 'there is no such record',
    OTHER_RECORD: 'there are others only',
    DNS_FAILED: 'the name servers did not answer',
  },
  level: LEVEL,
  riskLevel: LEVEL,
  assessment: {
    preliminary: 'as the request found it; a worker has still to score the scan',
    final: 'scored with the full history',
  },
  status: { ...JOB, ...REPORT },
  expectedStatus: REPORT,
  change: { created: 'it is new', updated: 'fields of it are changed' },
  'ProductUnit.status': {
    minted: 'exists, and is not for sale yet',
    active: 'is for sale',
    suspended: 'is taken out for the time being',
    voided: 'will never be used',
  },
  'ProductUnit.risk': {
    clear: 'nothing stands against it',
    suspect: 'scans of it cannot all be of one piece, or a person suspects that',
    confirmed: 'a person decided that its code was copied or abused',
  },
  'place.source': {
    gps: 'the visitor’s own position, which the address backs',
    ip: 'the address, of a network of unknown kind',
    'ip-fixed': 'the address of a fixed line',
    'ip-mobile': 'the address of a mobile network',
  },
  'Consignment.status': {
    draft: 'units may still be added',
    dispatched: 'is on its way',
    received: 'has arrived in full',
    partially_received: 'has arrived with units missing',
    recalled: 'is recalled',
    cancelled: 'was called off',
  },
  'Invitation.status': {
    pending: 'can be accepted',
    accepted: 'was accepted',
    revoked: 'was taken back, or whoever invited may not give the role any more',
    expired: 'is too old',
  },
  'Readiness.status': { ready: 'requests can be served', unavailable: 'they cannot' },
  symbology: {
    qr: 'QR code with the verification address',
    'gs1-digital-link': 'QR code with a GS1 Digital Link',
    'gs1-datamatrix': 'GS1 DataMatrix with GTIN, expiry, lot and serial',
    'datamatrix-url': 'Data Matrix with the verification address',
    'gs1-128': 'GS1-128 with GTIN, expiry, lot and serial',
    qrcode: 'QR code with the serial',
    datamatrix: 'Data Matrix with the serial',
    azteccode: 'Aztec code with the serial',
    pdf417: 'PDF417 with the serial',
    code128: 'Code 128 with the serial',
    code93: 'Code 93 with the serial',
    code39: 'Code 39 with the serial',
    interleaved2of5: 'Interleaved 2 of 5 with the serial',
    ean13: 'EAN-13 with the product’s GTIN',
    ean8: 'EAN-8 with the product’s GTIN',
    upca: 'UPC-A with the product’s GTIN',
    itf14: 'ITF-14 with the product’s GTIN',
  },
  formats: {
    png: 'pixels',
    svg: 'vectors',
    eps: 'vectors for print shops',
    zpl: 'commands for Zebra printers',
    pdf: 'pages, or sheets of labels',
  },
  errorCorrection: { L: 'about 7%', M: 'about 15%', Q: 'about 25%', H: 'about 30%' },
  source: {
    random: 'made up, not to be guessed',
    sequential: 'a running number',
    uploaded: 'your own list',
  },
  kind: {
    images: 'an archive of the images',
    labels: 'printable labels',
    codes: 'a table of units with serials, tokens and addresses',
    manifest: 'a list of the files with their checksums',
  },
  'AuditEntry.kind': {
    user: 'a signed-in person',
    key: 'an API key',
    operator: 'whoever runs the service',
    anonymous: 'somebody who did not sign in',
  },
  'SearchHit.type': {
    product: 'a product',
    batch: 'a batch',
    unit: 'a unit',
    consignment: 'a consignment',
    barcodeJob: 'a barcode job',
    scan: 'a scan',
    riskCase: 'a risk case',
    report: 'a counterfeit report',
    recall: 'a recall',
    webhookEndpoint: 'a webhook endpoint',
  },
  'Attention.kind': { barcodes: 'a barcode job', bulk: 'a bulk job' },
  format: { csv: 'comma-separated values with a heading', ndjson: 'one JSON object a line' },
  as: {
    png: 'the symbol in pixels',
    svg: 'the symbol in vectors',
    sheet: 'the first sheet of labels, as a PDF',
    'sheet-svg': 'the first sheet of labels, as a picture',
  },
  'EpcisEvent.action': {
    ADD: 'they come into being',
    OBSERVE: 'they are seen',
    DELETE: 'they are taken out for good',
  },
  recorded: SUSPICION,
  simulated: SUSPICION,
  decision: { confirmed: 'it is what it seemed', dismissed: 'there is nothing in it' },
  of: SCOPE,
  scope: SCOPE,
  action: BULK,
  through: { link: 'by the distributor’s link', key: 'through the API' },
  condition: { missing: 'it did not arrive', damaged: 'it arrived damaged' },
  channel: {
    consumer: 'a consumer’s form',
    inspection: 'seen in the field: a shop, a market, a warehouse',
    test_purchase: 'bought to be examined',
    online_listing: 'an offer on the web',
    customer_service: 'told by telephone, mail or chat',
    authority: 'told by customs, the police or another authority',
    partner: 'told by a distributor, a retailer or another partner',
  },
  resolution: {
    counterfeit: 'a counterfeit',
    tampered: 'the original, tampered with',
    grey_market: 'the original, sold where it should not be',
    stolen: 'stolen goods',
    genuine: 'the original after all',
    duplicate: 'reported before',
    insufficient_information: 'too little to go by',
    spam: 'no report at all',
  },
  closingReason: {
    copied_code: 'the code was copied',
    counterfeit_seen: 'a counterfeit was seen',
    stolen_code: 'the code was stolen before use',
    other_abuse: 'some other abuse',
    wrong_position: 'a position was wrong',
    owner_scans: 'the owner scanned it again and again',
    shop_display: 'a piece on display',
    resold: 'sold on by its owner',
    internal_scans: 'scans of your own people',
    mistaken_report: 'what was reported or suspected was a mistake',
    other_harmless: 'harmless for some other reason',
  },
  state: {
    closed: 'events are sent',
    open: 'events wait until `openUntil`',
    'half-open': 'one probe is under way',
    disabled: 'nothing is sent until it is enabled',
    pending: 'waits for its next attempt',
    parked: 'waits for the endpoint’s circuit to close',
    delivered: 'the receiver has acknowledged it',
    exhausted: 'every attempt has failed',
    discarded: 'the endpoint was deleted',
    waiting: 'waits to be processed',
    ready: 'can be looked at',
    refused: 'is no usable picture',
  },
  disabledReason: {
    gone: 'the receiver answered 410',
    failing: 'it did nothing but fail for days',
    manual: 'somebody disabled it',
    unreadable: 'its secret or its headers cannot be decrypted any more',
  },
  outcome: {
    pending: 'under way',
    delivered: 'acknowledged with a 2xx',
    failed: 'anything else',
    first: 'it is correct, and nobody else had entered it before',
    repeated: 'it is correct, and somebody else entered it first',
    wrong: 'it is another one',
    fresh: 'the package’s NFC tag signed it, and it is new',
    replayed: 'the tag signed it, and somebody else had come with it, or with a later one',
    invalid: 'the tag did not sign it',
  },
  archived: { false: 'only those that are not', true: 'only archived ones', all: 'both' },
  nfcTap: {
    fresh: 'the tag signed it, and it is new',
    replayed: 'the tag signed it, and somebody else had come with it, or with a later one',
    invalid: 'the tag did not sign it',
  },
  hiddenCode: { correct: 'the one of the package, maybe after wrong ones', wrong: 'another one' },
  isInternal: { true: 'only those from its own networks', false: 'only the others' },
  inForce: { true: 'only recalls in force', false: 'only those that are lifted, or have not begun' },
  layout: {
    'a4-avery-l7159': 'A4, 24 labels of 63.5 × 33.9 mm',
    'a4-avery-l7160': 'A4, 21 labels of 63.5 × 38.1 mm',
    'a4-avery-l7163': 'A4, 14 labels of 99.1 × 38.1 mm',
    'a4-avery-l7651': 'A4, 65 labels of 38.1 × 21.2 mm',
    'a4-single': 'A4, one label',
    'letter-avery-5160': 'Letter, 30 labels of 2⅝ × 1 inch',
    'letter-avery-5163': 'Letter, 10 labels of 4 × 2 inches',
    'letter-avery-5167': 'Letter, 80 labels of 1¾ × ½ inch',
  },
  fields: {
    brand: 'the brand',
    expiry: 'the day of expiry',
    gtin: 'the GTIN',
    lot: 'the lot',
    product: 'the product’s name',
    serial: 'the serial',
    sku: 'the article number',
    token: 'the code’s own characters',
  },
  by: {
    result: 'by verdict',
    product: 'by product',
    country: 'by country',
    cell: 'by cells of one degree',
    unitId: 'ids of units',
    serial: 'serials of one product',
    code: 'printed codes',
  },
  interval: { hour: 'an hour', day: 'a day', week: 'a week from Monday' },
  type: SIGNAL,
  reasons: SIGNAL,
  'CloneSignal.reason': CLONE,
  'DiversionSignal.among': AMONG,
  'DiversionSignal.reason': DIVERSION,
  'WebhookEndpoint.format': {
    event: 'the envelope, as JSON',
    slack: 'a text, as incoming webhooks of Slack, Google Chat, Mattermost and Rocket.Chat take it',
    teams: 'an Adaptive Card, as workflows of Microsoft Teams take it',
  },
  language: {
    en: 'English',
    de: 'German',
    fr: 'French',
    es: 'Spanish',
    ja: 'Japanese',
    ar: 'Arabic',
  },
  newcomerRole: Object.fromEntries(ROLES.map((role) => [role, ROLE_TABLE[role].sentence])),
  role: Object.fromEntries(ROLES.map((role) => [role, ROLE_TABLE[role].sentence])),
  scopes: SCOPES,
  permissions: PERMISSIONS,
  code: Object.fromEntries(Object.entries(ERROR_CATALOGUE).map(([code, { title }]) => [code, title])),
};
