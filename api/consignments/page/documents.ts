/** What a consignment's documents are called on the distributor's page. */
import type { Locale } from '../../verify/page/locales.ts';

/** The one that the dashboard's form asks for by a name of its own; programs give others, in whichever language. */
const ORDER = 'purchase order';

const ORDERS: Readonly<Record<Locale, string>> = {
  de: 'Bestellung',
  en: 'Purchase order',
  es: 'Orden de compra',
  fr: 'Bon de commande',
  it: 'Ordine d’acquisto',
  nl: 'Inkooporder',
  pl: 'Zamówienie',
  pt: 'Nota de encomenda',
  tr: 'Satın alma siparişi',
  ar: 'أمر الشراء',
  ja: '注文番号',
  zh: '采购订单',
};

export const documentName = (type: string, locale: Locale): string =>
  type === ORDER ? ORDERS[locale] : type;
