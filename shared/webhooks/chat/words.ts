/** What a chat channel is told, in the languages of the dashboard and in its words. */
import type { EventData, EventType } from '../../events/catalogue.ts';
import type { Language } from '../../languages.ts';

type Scan = EventData<'suspicious_scan.detected'>;

export type FactName =
  | 'product'
  | 'lot'
  | 'result'
  | 'reasons'
  | 'score'
  | 'country'
  | 'markets'
  | 'photos'
  | 'codes'
  | 'error'
  | 'consignment'
  | 'destination'
  | 'units'
  | 'received'
  | 'missing'
  | 'damaged'
  | 'reason';

export interface ChatWords {
  titles: Readonly<Record<EventType | 'consignment.received.partly', string>>;
  facts: Readonly<Record<FactName, string>>;
  results: Readonly<Record<Scan['result'], string>>;
  reasons: Readonly<Record<Scan['reasons'][number], string>>;
  /** Of the link. */
  open: string;
}

const en: ChatWords = {
  titles: {
    'scan.recorded': 'A code was scanned',
    'suspicious_scan.detected': 'Suspicious scan',
    'product.diverted': 'A unit turned up outside its markets',
    'counterfeit_report.created': 'A consumer reports a suspected fake',
    'barcode_job.completed': 'Codes are minted and can be downloaded',
    'barcode_job.failed': 'Minting codes has failed',
    'consignment.received': 'A consignment has arrived',
    'consignment.received.partly': 'A part of a consignment has arrived',
    'consignment.recalled': 'A consignment is recalled',
    'webhook.test': 'This is a test. Nothing happened.',
  },
  facts: {
    product: 'Product',
    lot: 'Lot',
    result: 'Result',
    reasons: 'Why',
    score: 'Risk score',
    country: 'Country',
    markets: 'Markets',
    photos: 'Photos',
    codes: 'Codes',
    error: 'Error',
    consignment: 'Consignment',
    destination: 'Destination',
    units: 'Units',
    received: 'Received',
    missing: 'Missing',
    damaged: 'Damaged',
    reason: 'Reason',
  },
  results: {
    genuine: 'Genuine',
    suspicious: 'Suspicious',
    diverted: 'Diverted',
    suspended: 'Suspended',
    recalled: 'Recalled',
    expired: 'Expired',
    inactive: 'Not activated',
  },
  reasons: {
    clone: 'copied code',
    impossible_travel: 'impossible travel',
    excessive_scanning: 'too many visitors',
  },
  open: 'Open',
};

const de: ChatWords = {
  titles: {
    'scan.recorded': 'Ein Code wurde gescannt',
    'suspicious_scan.detected': 'Verdächtiger Scan',
    'product.diverted': 'Eine Einheit ist außerhalb ihrer Märkte aufgetaucht',
    'counterfeit_report.created': 'Ein Verbraucher meldet eine mögliche Fälschung',
    'barcode_job.completed': 'Codes sind erzeugt und stehen bereit',
    'barcode_job.failed': 'Das Erzeugen von Codes ist gescheitert',
    'consignment.received': 'Eine Lieferung ist angekommen',
    'consignment.received.partly': 'Ein Teil einer Lieferung ist angekommen',
    'consignment.recalled': 'Eine Lieferung wird zurückgerufen',
    'webhook.test': 'Das ist ein Test. Es ist nichts passiert.',
  },
  facts: {
    product: 'Produkt',
    lot: 'Los',
    result: 'Ergebnis',
    reasons: 'Warum',
    score: 'Risikowert',
    country: 'Land',
    markets: 'Märkte',
    photos: 'Fotos',
    codes: 'Codes',
    error: 'Fehler',
    consignment: 'Lieferung',
    destination: 'Ziel',
    units: 'Einheiten',
    received: 'Angekommen',
    missing: 'Fehlend',
    damaged: 'Beschädigt',
    reason: 'Grund',
  },
  results: {
    genuine: 'Echt',
    suspicious: 'Verdächtig',
    diverted: 'Umgeleitet',
    suspended: 'Gesperrt',
    recalled: 'Zurückgerufen',
    expired: 'Abgelaufen',
    inactive: 'Nicht aktiviert',
  },
  reasons: {
    clone: 'kopierter Code',
    impossible_travel: 'unmögliche Reise',
    excessive_scanning: 'zu viele Besucher',
  },
  open: 'Öffnen',
};

const fr: ChatWords = {
  titles: {
    'scan.recorded': 'Un code a été scanné',
    'suspicious_scan.detected': 'Scan suspect',
    'product.diverted': 'Une unité est apparue hors de ses marchés',
    'counterfeit_report.created': 'Un consommateur signale une possible contrefaçon',
    'barcode_job.completed': 'Les codes sont créés et leurs fichiers prêts',
    'barcode_job.failed': 'La création de codes a échoué',
    'consignment.received': 'Une expédition est arrivée',
    'consignment.received.partly': 'Une partie d’une expédition est arrivée',
    'consignment.recalled': 'Une expédition est rappelée',
    'webhook.test': 'Ceci est un test. Rien ne s’est passé.',
  },
  facts: {
    product: 'Produit',
    lot: 'Lot',
    result: 'Résultat',
    reasons: 'Pourquoi',
    score: 'Score de risque',
    country: 'Pays',
    markets: 'Marchés',
    photos: 'Photos',
    codes: 'Codes',
    error: 'Erreur',
    consignment: 'Expédition',
    destination: 'Destination',
    units: 'Unités',
    received: 'Reçues',
    missing: 'Manquantes',
    damaged: 'Endommagées',
    reason: 'Motif',
  },
  results: {
    genuine: 'Authentique',
    suspicious: 'Suspect',
    diverted: 'Détourné',
    suspended: 'Suspendu',
    recalled: 'Rappelé',
    expired: 'Périmé',
    inactive: 'Non activé',
  },
  reasons: {
    clone: 'code copié',
    impossible_travel: 'trajet impossible',
    excessive_scanning: 'trop de visiteurs',
  },
  open: 'Ouvrir',
};

const es: ChatWords = {
  titles: {
    'scan.recorded': 'Se escaneó un código',
    'suspicious_scan.detected': 'Escaneo sospechoso',
    'product.diverted': 'Una unidad apareció fuera de sus mercados',
    'counterfeit_report.created': 'Un consumidor avisa de una posible falsificación',
    'barcode_job.completed': 'Los códigos están creados y sus archivos, listos',
    'barcode_job.failed': 'La creación de códigos falló',
    'consignment.received': 'Llegó un envío',
    'consignment.received.partly': 'Llegó una parte de un envío',
    'consignment.recalled': 'Se retira un envío',
    'webhook.test': 'Esto es una prueba. No ha pasado nada.',
  },
  facts: {
    product: 'Producto',
    lot: 'Lote',
    result: 'Resultado',
    reasons: 'Por qué',
    score: 'Puntuación de riesgo',
    country: 'País',
    markets: 'Mercados',
    photos: 'Fotos',
    codes: 'Códigos',
    error: 'Error',
    consignment: 'Envío',
    destination: 'Destino',
    units: 'Unidades',
    received: 'Recibidas',
    missing: 'Faltan',
    damaged: 'Dañadas',
    reason: 'Motivo',
  },
  results: {
    genuine: 'Auténtico',
    suspicious: 'Sospechoso',
    diverted: 'Desviado',
    suspended: 'Suspendido',
    recalled: 'Retirado',
    expired: 'Caducado',
    inactive: 'Sin activar',
  },
  reasons: {
    clone: 'código copiado',
    impossible_travel: 'viaje imposible',
    excessive_scanning: 'demasiados visitantes',
  },
  open: 'Abrir',
};

const ja: ChatWords = {
  titles: {
    'scan.recorded': 'コードがスキャンされました',
    'suspicious_scan.detected': '疑わしいスキャン',
    'product.diverted': '個体が販売地域の外で見つかりました',
    'counterfeit_report.created': '消費者が偽造品の疑いを通報しました',
    'barcode_job.completed': 'コードが発行され、ダウンロードできます',
    'barcode_job.failed': 'コードの発行に失敗しました',
    'consignment.received': '出荷が受領されました',
    'consignment.received.partly': '出荷の一部が受領されました',
    'consignment.recalled': '出荷がリコールされました',
    'webhook.test': 'これはテストです。何も起きていません。',
  },
  facts: {
    product: '製品',
    lot: 'ロット',
    result: '結果',
    reasons: '理由',
    score: 'リスクスコア',
    country: '国',
    markets: '販売地域',
    photos: '写真',
    codes: 'コード',
    error: 'エラー',
    consignment: '出荷',
    destination: '送り先',
    units: '個体数',
    received: '受領',
    missing: '不足',
    damaged: '破損',
    reason: '理由',
  },
  results: {
    genuine: '正規',
    suspicious: '疑わしい',
    diverted: '横流し',
    suspended: '停止中',
    recalled: 'リコール中',
    expired: '期限切れ',
    inactive: '未有効化',
  },
  reasons: {
    clone: 'コピーされたコード',
    impossible_travel: '不可能な移動',
    excessive_scanning: '訪問者が多すぎる',
  },
  open: '開く',
};

const ar: ChatWords = {
  titles: {
    'scan.recorded': 'مُسح رمز',
    'suspicious_scan.detected': 'مسح مشبوه',
    'product.diverted': 'ظهرت وحدة خارج أسواقها',
    'counterfeit_report.created': 'أبلغ مستهلك عن منتج يُشتبه في أنه مقلَّد',
    'barcode_job.completed': 'صدرت الرموز وملفاتها جاهزة للتنزيل',
    'barcode_job.failed': 'فشل إصدار الرموز',
    'consignment.received': 'وصلت شحنة',
    'consignment.received.partly': 'وصل جزء من شحنة',
    'consignment.recalled': 'استُدعيت شحنة',
    'webhook.test': 'هذا اختبار. لم يحدث شيء.',
  },
  facts: {
    product: 'المنتج',
    lot: 'رقم التشغيلة',
    result: 'النتيجة',
    reasons: 'السبب',
    score: 'درجة الخطر',
    country: 'البلد',
    markets: 'الأسواق',
    photos: 'الصور',
    codes: 'الرموز',
    error: 'الخطأ',
    consignment: 'الشحنة',
    destination: 'الوجهة',
    units: 'الوحدات',
    received: 'المستلَم',
    missing: 'المفقود',
    damaged: 'التالف',
    reason: 'السبب',
  },
  results: {
    genuine: 'أصلي',
    suspicious: 'مشبوه',
    diverted: 'محوَّل',
    suspended: 'موقوف',
    recalled: 'مستدعى',
    expired: 'منتهي الصلاحية',
    inactive: 'غير مفعّل',
  },
  reasons: {
    clone: 'رمز منسوخ',
    impossible_travel: 'سفر مستحيل',
    excessive_scanning: 'زوار أكثر من اللازم',
  },
  open: 'فتح',
};

export const CHAT_WORDS: Readonly<Record<Language, ChatWords>> = { en, de, fr, es, ja, ar };
