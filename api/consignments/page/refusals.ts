/** What is wrong with what a distributor entered, in the languages of the page; by the code, as the dashboard does it. */
import type { FieldErrorCode } from '../../../shared/field-errors.ts';
import type { Locale } from '../../verify/page/locales.ts';

/** Codes that the form can meet. */
type Met = Extract<
  FieldErrorCode,
  | 'EMPTY'
  | 'TOO_LONG'
  | 'TOO_MANY'
  | 'NOT_A_NUMBER'
  | 'TOO_LARGE'
  | 'NOT_IN_CONSIGNMENT'
  | 'AMBIGUOUS_SERIAL'
  | 'MISSING_AND_DAMAGED'
  | 'MORE_DAMAGED_THAN_ARRIVED'
>;

export const REFUSALS: Readonly<Record<Locale, Readonly<Record<Met, string>>>> = {
  de: {
    EMPTY: 'Bitte geben Sie Ihren Namen an.',
    TOO_LONG: 'Ein Text ist zu lang: höchstens {maximum} Zeichen.',
    TOO_MANY: 'Nennen Sie höchstens {maximum} Seriennummern; bei mehr genügt die Anzahl.',
    NOT_A_NUMBER: 'Geben Sie die gezählte Menge als Zahl an.',
    TOO_LARGE: 'Die gezählte Menge darf höchstens {maximum} sein.',
    NOT_IN_CONSIGNMENT: '{unit} gehört nicht zu dieser Lieferung.',
    AMBIGUOUS_SERIAL:
      '{serial} ist hier die Seriennummer mehrerer Produkte. Nennen Sie die Anzahl statt der Nummer.',
    MISSING_AND_DAMAGED: '{serial} kann nicht zugleich fehlen und beschädigt sein.',
    MORE_DAMAGED_THAN_ARRIVED: 'Es sind mehr beschädigt, als angekommen sind.',
  },
  en: {
    EMPTY: 'Please give your name.',
    TOO_LONG: 'A text is too long: at most {maximum} characters.',
    TOO_MANY: 'Name at most {maximum} serial numbers; for more, the count is enough.',
    NOT_A_NUMBER: 'Enter the counted number in digits.',
    TOO_LARGE: 'The counted number can be at most {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} is not in this consignment.',
    AMBIGUOUS_SERIAL:
      '{serial} is the serial number of several products here. Give the count instead of the number.',
    MISSING_AND_DAMAGED: '{serial} cannot be missing and damaged at the same time.',
    MORE_DAMAGED_THAN_ARRIVED: 'More are damaged than have arrived.',
  },
  es: {
    EMPTY: 'Indique su nombre.',
    TOO_LONG: 'Un texto es demasiado largo: como máximo {maximum} caracteres.',
    TOO_MANY: 'Indique como máximo {maximum} números de serie; si son más, basta la cantidad.',
    NOT_A_NUMBER: 'Escriba con cifras la cantidad que ha contado.',
    TOO_LARGE: 'La cantidad contada puede ser como máximo {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} no está en este envío.',
    AMBIGUOUS_SERIAL:
      '{serial} es aquí el número de serie de varios productos. Indique la cantidad en lugar del número.',
    MISSING_AND_DAMAGED: '{serial} no puede faltar y estar dañada a la vez.',
    MORE_DAMAGED_THAN_ARRIVED: 'Hay más unidades dañadas que recibidas.',
  },
  fr: {
    EMPTY: 'Indiquez votre nom.',
    TOO_LONG: 'Un texte est trop long : au plus {maximum} caractères.',
    TOO_MANY: 'Indiquez au plus {maximum} numéros de série ; au-delà, le nombre suffit.',
    NOT_A_NUMBER: 'Indiquez en chiffres la quantité comptée.',
    TOO_LARGE: 'La quantité comptée ne peut dépasser {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} ne fait pas partie de cet envoi.',
    AMBIGUOUS_SERIAL:
      '{serial} est ici le numéro de série de plusieurs produits. Indiquez le nombre plutôt que le numéro.',
    MISSING_AND_DAMAGED: '{serial} ne peut être à la fois manquant et endommagé.',
    MORE_DAMAGED_THAN_ARRIVED: 'Il y a plus d’unités endommagées que d’unités arrivées.',
  },
  it: {
    EMPTY: 'Indichi il suo nome.',
    TOO_LONG: 'Un testo è troppo lungo: al massimo {maximum} caratteri.',
    TOO_MANY: 'Indichi al massimo {maximum} numeri di serie; se sono di più basta la quantità.',
    NOT_A_NUMBER: 'Indichi in cifre la quantità contata.',
    TOO_LARGE: 'La quantità contata può essere al massimo {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} non fa parte di questa spedizione.',
    AMBIGUOUS_SERIAL:
      '{serial} è qui il numero di serie di più prodotti. Indichi la quantità invece del numero.',
    MISSING_AND_DAMAGED: '{serial} non può mancare ed essere danneggiato allo stesso tempo.',
    MORE_DAMAGED_THAN_ARRIVED: 'I pezzi danneggiati sono più di quelli arrivati.',
  },
  nl: {
    EMPTY: 'Vul uw naam in.',
    TOO_LONG: 'Een tekst is te lang: hoogstens {maximum} tekens.',
    TOO_MANY: 'Noem hoogstens {maximum} serienummers; bij meer is het aantal genoeg.',
    NOT_A_NUMBER: 'Vul het getelde aantal in cijfers in.',
    TOO_LARGE: 'Het getelde aantal mag hoogstens {maximum} zijn.',
    NOT_IN_CONSIGNMENT: '{unit} hoort niet bij deze zending.',
    AMBIGUOUS_SERIAL:
      '{serial} is hier het serienummer van meerdere producten. Vul het aantal in plaats van het nummer in.',
    MISSING_AND_DAMAGED: '{serial} kan niet tegelijk ontbreken en beschadigd zijn.',
    MORE_DAMAGED_THAN_ARRIVED: 'Er zijn er meer beschadigd dan aangekomen.',
  },
  pl: {
    EMPTY: 'Podaj imię i nazwisko.',
    TOO_LONG: 'Tekst jest za długi (limit znaków: {maximum}).',
    TOO_MANY: 'Podaj najwyżej {maximum} numerów seryjnych; przy większej wystarczy liczba sztuk.',
    NOT_A_NUMBER: 'Podaj liczbę sztuk cyframi.',
    TOO_LARGE: 'Liczba sztuk nie może przekraczać {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} nie należy do tej przesyłki.',
    AMBIGUOUS_SERIAL: '{serial} to tutaj numer seryjny kilku produktów. Zamiast numeru podaj liczbę sztuk.',
    MISSING_AND_DAMAGED: 'Sztuka {serial} nie może być jednocześnie brakująca i uszkodzona.',
    MORE_DAMAGED_THAN_ARRIVED: 'Uszkodzonych sztuk jest więcej, niż dotarło.',
  },
  pt: {
    EMPTY: 'Indique o seu nome.',
    TOO_LONG: 'Um texto é demasiado longo: no máximo {maximum} caracteres.',
    TOO_MANY: 'Indique no máximo {maximum} números de série; se forem mais, basta a quantidade.',
    NOT_A_NUMBER: 'Indique em algarismos a quantidade contada.',
    TOO_LARGE: 'A quantidade contada pode ser no máximo {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} não pertence a esta remessa.',
    AMBIGUOUS_SERIAL:
      '{serial} é aqui o número de série de vários produtos. Indique a quantidade em vez do número.',
    MISSING_AND_DAMAGED: '{serial} não pode estar em falta e danificado ao mesmo tempo.',
    MORE_DAMAGED_THAN_ARRIVED: 'Há mais unidades danificadas do que recebidas.',
  },
  tr: {
    EMPTY: 'Lütfen adınızı yazın.',
    TOO_LONG: 'Bir metin çok uzun: en fazla {maximum} karakter.',
    TOO_MANY: 'En fazla {maximum} seri numarası yazın; daha fazlası için adet yeterlidir.',
    NOT_A_NUMBER: 'Saydığınız adedi rakamla yazın.',
    TOO_LARGE: 'Sayılan adet en fazla {maximum} olabilir.',
    NOT_IN_CONSIGNMENT: '{unit} bu sevkiyatta yok.',
    AMBIGUOUS_SERIAL: '{serial} burada birden çok ürünün seri numarası. Numara yerine adedi yazın.',
    MISSING_AND_DAMAGED: '{serial} hem eksik hem hasarlı olamaz.',
    MORE_DAMAGED_THAN_ARRIVED: 'Hasarlı olanlar ulaşanlardan fazla.',
  },
  ar: {
    EMPTY: 'يرجى كتابة اسمك.',
    TOO_LONG: 'أحد النصوص أطول من اللازم. الحد الأقصى لعدد الأحرف: {maximum}.',
    TOO_MANY: 'الحد الأقصى للأرقام التسلسلية: {maximum}؛ فإن زادت فيكفي العدد.',
    NOT_A_NUMBER: 'اكتب العدد الذي أحصيته بالأرقام.',
    TOO_LARGE: 'لا يمكن أن يتجاوز العدد الذي أحصيته {maximum}.',
    NOT_IN_CONSIGNMENT: '{unit} ليس في هذه الشحنة.',
    AMBIGUOUS_SERIAL: '{serial} هنا رقم تسلسلي لعدة منتجات. اذكر العدد بدلًا من الرقم.',
    MISSING_AND_DAMAGED: 'لا يمكن أن يكون {serial} ناقصًا وتالفًا معًا.',
    MORE_DAMAGED_THAN_ARRIVED: 'التالف أكثر مما وصل.',
  },
  ja: {
    EMPTY: 'お名前を入力してください。',
    TOO_LONG: '文字数が多すぎます。{maximum} 文字以内にしてください。',
    TOO_MANY: 'シリアル番号は {maximum} 件までです。それより多い場合は数量だけで結構です。',
    NOT_A_NUMBER: '数えた数量を数字で入力してください。',
    TOO_LARGE: '数えた数量は {maximum} までです。',
    NOT_IN_CONSIGNMENT: '{unit} はこの出荷品に含まれていません。',
    AMBIGUOUS_SERIAL: '{serial} は複数の製品のシリアル番号です。番号の代わりに数量を入力してください。',
    MISSING_AND_DAMAGED: '{serial} を不足と破損の両方にすることはできません。',
    MORE_DAMAGED_THAN_ARRIVED: '破損の数が到着した数より多くなっています。',
  },
  zh: {
    EMPTY: '请填写您的姓名。',
    TOO_LONG: '文字过长：最多 {maximum} 个字符。',
    TOO_MANY: '最多填写 {maximum} 个序列号；更多时填写数量即可。',
    NOT_A_NUMBER: '请用数字填写清点的数量。',
    TOO_LARGE: '清点的数量最多为 {maximum}。',
    NOT_IN_CONSIGNMENT: '{unit} 不在这批货物中。',
    AMBIGUOUS_SERIAL: '{serial} 在此是多个产品的序列号。请填写数量，而不是序列号。',
    MISSING_AND_DAMAGED: '{serial} 不能同时缺少和损坏。',
    MORE_DAMAGED_THAN_ARRIVED: '损坏的数量多于收到的数量。',
  },
};
