/** The words of the report form's photo field, in the languages of the page. */
import type { Locale } from '../verify/page/locales.ts';

export const PHOTO_LABELS: Readonly<Record<Locale, string>> = {
  de: 'Fotos (freiwillig, bis zu 5: JPEG, PNG oder WebP)',
  en: 'Photos (optional, up to 5: JPEG, PNG or WebP)',
  es: 'Fotos (opcional, hasta 5: JPEG, PNG o WebP)',
  fr: 'Photos (facultatif, 5 au plus : JPEG, PNG ou WebP)',
  it: 'Foto (facoltative, fino a 5: JPEG, PNG o WebP)',
  nl: 'Foto’s (optioneel, hoogstens 5: JPEG, PNG of WebP)',
  pl: 'Zdjęcia (opcjonalnie, do 5: JPEG, PNG lub WebP)',
  pt: 'Fotografias (opcional, até 5: JPEG, PNG ou WebP)',
  tr: 'Fotoğraflar (isteğe bağlı, en çok 5: JPEG, PNG veya WebP)',
  ar: 'صور (اختياري، خمس على الأكثر: JPEG أو PNG أو WebP)',
  ja: '写真（任意、5枚まで：JPEG、PNG、WebP）',
  zh: '照片（选填，最多 5 张：JPEG、PNG 或 WebP）',
};
