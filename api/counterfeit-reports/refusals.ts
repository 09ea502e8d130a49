/** What is wrong with a report that was sent by the form, in the languages of the page. */
import type { FieldErrorCode } from '../../shared/field-errors.ts';
import type { Locale } from '../verify/page/locales.ts';

/** Codes that the form can meet. */
type Met = Extract<
  FieldErrorCode,
  'EMPTY' | 'TOO_LONG' | 'NOT_AN_EMAIL_ADDRESS' | 'TOO_MANY' | 'NOT_A_PHOTO' | 'HEIC_PHOTO'
>;

export interface ReportRefusals {
  /** The page's heading. */
  readonly notSent: string;
  readonly check: string;
  /** A browser does not give files back. */
  readonly photosAgain: string;
  /** {maximum} MB. */
  readonly largePhoto: string;
  /** As many reports as a day may bring, from one network or about one unit. */
  readonly tooManyToday: string;
  readonly fields: Readonly<Record<Met, string>>;
}

export const REPORT_REFUSALS: Readonly<Record<Locale, ReportRefusals>> = {
  de: {
    notSent: 'Ihre Meldung wurde nicht gesendet',
    check: 'Bitte ändern Sie dies und senden Sie sie noch einmal:',
    photosAgain: 'Wählen Sie auch die Fotos noch einmal aus.',
    largePhoto: 'Ein Foto ist zu groß: höchstens {maximum} MB.',
    tooManyToday:
      'Heute kamen schon so viele Meldungen, dass keine weitere angenommen wird. Danke; versuchen Sie es morgen noch einmal.',
    fields: {
      EMPTY: 'Bitte schreiben Sie, was nicht stimmt.',
      TOO_LONG: 'Ein Text ist zu lang: höchstens {maximum} Zeichen.',
      NOT_AN_EMAIL_ADDRESS: 'Die E-Mail-Adresse ist ungültig.',
      TOO_MANY: 'Höchstens {maximum} Fotos.',
      NOT_A_PHOTO: 'Eine der Dateien ist kein Foto im Format JPEG, PNG oder WebP.',
      HEIC_PHOTO: 'Ein Foto hat das Format HEIC, das wir nicht lesen können. Senden Sie es als JPEG.',
    },
  },
  en: {
    notSent: 'Your report was not sent',
    check: 'Please change this and send it again:',
    photosAgain: 'Choose your photos again, too.',
    largePhoto: 'A photo is too large: at most {maximum} MB.',
    tooManyToday:
      'So many reports have come in today that we cannot take more. Thank you; please try again tomorrow.',
    fields: {
      EMPTY: 'Please write what seems wrong.',
      TOO_LONG: 'A text is too long: at most {maximum} characters.',
      NOT_AN_EMAIL_ADDRESS: 'The e-mail address is not valid.',
      TOO_MANY: 'At most {maximum} photos.',
      NOT_A_PHOTO: 'One of the files is not a JPEG, PNG or WebP photo.',
      HEIC_PHOTO: 'A photo is in the HEIC format, which we cannot read. Send it as JPEG.',
    },
  },
  es: {
    notSent: 'Su aviso no se ha enviado',
    check: 'Cambie esto y vuelva a enviarlo:',
    photosAgain: 'Elija también las fotos otra vez.',
    largePhoto: 'Una foto es demasiado grande: {maximum} MB como máximo.',
    tooManyToday: 'Hoy han llegado tantos avisos que no se admiten más. Gracias; vuelva a intentarlo mañana.',
    fields: {
      EMPTY: 'Escriba qué parece estar mal.',
      TOO_LONG: 'Un texto es demasiado largo: {maximum} caracteres como máximo.',
      NOT_AN_EMAIL_ADDRESS: 'La dirección de correo no es válida.',
      TOO_MANY: '{maximum} fotos como máximo.',
      NOT_A_PHOTO: 'Uno de los archivos no es una foto JPEG, PNG o WebP.',
      HEIC_PHOTO: 'Una foto está en formato HEIC, que no podemos leer. Envíela como JPEG.',
    },
  },
  fr: {
    notSent: 'Votre signalement n’a pas été envoyé',
    check: 'Modifiez ceci et envoyez-le à nouveau :',
    photosAgain: 'Choisissez aussi vos photos à nouveau.',
    largePhoto: 'Une photo est trop lourde : {maximum} Mo au plus.',
    tooManyToday:
      'Tant de signalements sont arrivés aujourd’hui que nous n’en prenons plus. Merci ; réessayez demain.',
    fields: {
      EMPTY: 'Écrivez ce qui ne va pas.',
      TOO_LONG: 'Un texte est trop long : {maximum} caractères au plus.',
      NOT_AN_EMAIL_ADDRESS: 'L’adresse e-mail n’est pas valide.',
      TOO_MANY: '{maximum} photos au plus.',
      NOT_A_PHOTO: 'L’un des fichiers n’est pas une photo JPEG, PNG ou WebP.',
      HEIC_PHOTO: 'Une photo est au format HEIC, que nous ne pouvons pas lire. Envoyez-la en JPEG.',
    },
  },
  it: {
    notSent: 'La sua segnalazione non è stata inviata',
    check: 'Modifichi quanto segue e la invii di nuovo:',
    photosAgain: 'Scelga di nuovo anche le foto.',
    largePhoto: 'Una foto è troppo grande: al massimo {maximum} MB.',
    tooManyToday:
      'Oggi sono arrivate così tante segnalazioni che non ne accettiamo altre. Grazie; riprovi domani.',
    fields: {
      EMPTY: 'Scriva che cosa non va.',
      TOO_LONG: 'Un testo è troppo lungo: al massimo {maximum} caratteri.',
      NOT_AN_EMAIL_ADDRESS: 'L’indirizzo e-mail non è valido.',
      TOO_MANY: 'Al massimo {maximum} foto.',
      NOT_A_PHOTO: 'Uno dei file non è una foto JPEG, PNG o WebP.',
      HEIC_PHOTO: 'Una foto è in formato HEIC, che non possiamo leggere. La invii come JPEG.',
    },
  },
  nl: {
    notSent: 'Uw melding is niet verstuurd',
    check: 'Wijzig dit en verstuur de melding opnieuw:',
    photosAgain: 'Kies ook uw foto’s opnieuw.',
    largePhoto: 'Een foto is te groot: hoogstens {maximum} MB.',
    tooManyToday:
      'Er zijn vandaag zo veel meldingen binnengekomen dat we er geen meer aannemen. Dank u; probeer het morgen opnieuw.',
    fields: {
      EMPTY: 'Schrijf wat er niet klopt.',
      TOO_LONG: 'Een tekst is te lang: hoogstens {maximum} tekens.',
      NOT_AN_EMAIL_ADDRESS: 'Het e-mailadres is niet geldig.',
      TOO_MANY: 'Hoogstens {maximum} foto’s.',
      NOT_A_PHOTO: 'Een van de bestanden is geen JPEG-, PNG- of WebP-foto.',
      HEIC_PHOTO: 'Een foto heeft het formaat HEIC, dat wij niet kunnen lezen. Stuur hem als JPEG.',
    },
  },
  pl: {
    notSent: 'Zgłoszenie nie zostało wysłane',
    check: 'Popraw to i wyślij je ponownie:',
    photosAgain: 'Wybierz też ponownie zdjęcia.',
    largePhoto: 'Zdjęcie jest za duże: najwyżej {maximum} MB.',
    tooManyToday:
      'Dziś przyszło tyle zgłoszeń, że nie przyjmujemy kolejnych. Dziękujemy; spróbuj ponownie jutro.',
    fields: {
      EMPTY: 'Napisz, co jest nie tak.',
      TOO_LONG: 'Tekst jest za długi (limit znaków: {maximum}).',
      NOT_AN_EMAIL_ADDRESS: 'Adres e-mail jest nieprawidłowy.',
      TOO_MANY: 'Najwyżej {maximum} zdjęć.',
      NOT_A_PHOTO: 'Jeden z plików nie jest zdjęciem JPEG, PNG ani WebP.',
      HEIC_PHOTO: 'Zdjęcie jest w formacie HEIC, którego nie umiemy odczytać. Wyślij je jako JPEG.',
    },
  },
  pt: {
    notSent: 'A sua comunicação não foi enviada',
    check: 'Altere o seguinte e envie-a outra vez:',
    photosAgain: 'Escolha também as fotografias outra vez.',
    largePhoto: 'Uma fotografia é demasiado grande: no máximo {maximum} MB.',
    tooManyToday: 'Hoje chegaram tantas comunicações que não aceitamos mais. Obrigado; tente de novo amanhã.',
    fields: {
      EMPTY: 'Escreva o que parece errado.',
      TOO_LONG: 'Um texto é demasiado longo: no máximo {maximum} caracteres.',
      NOT_AN_EMAIL_ADDRESS: 'O endereço de e-mail não é válido.',
      TOO_MANY: 'No máximo {maximum} fotografias.',
      NOT_A_PHOTO: 'Um dos ficheiros não é uma fotografia JPEG, PNG ou WebP.',
      HEIC_PHOTO: 'Uma fotografia está no formato HEIC, que não conseguimos ler. Envie-a como JPEG.',
    },
  },
  tr: {
    notSent: 'Bildiriminiz gönderilmedi',
    check: 'Lütfen şunu düzeltip yeniden gönderin:',
    photosAgain: 'Fotoğraflarınızı da yeniden seçin.',
    largePhoto: 'Bir fotoğraf çok büyük: en çok {maximum} MB.',
    tooManyToday:
      'Bugün çok sayıda bildirim geldiği için yenisini alamıyoruz. Teşekkür ederiz; yarın yeniden deneyin.',
    fields: {
      EMPTY: 'Neyin yanlış göründüğünü yazın.',
      TOO_LONG: 'Bir metin çok uzun: en çok {maximum} karakter.',
      NOT_AN_EMAIL_ADDRESS: 'E-posta adresi geçersiz.',
      TOO_MANY: 'En çok {maximum} fotoğraf.',
      NOT_A_PHOTO: 'Dosyalardan biri JPEG, PNG veya WebP fotoğrafı değil.',
      HEIC_PHOTO: 'Bir fotoğraf, okuyamadığımız HEIC biçiminde. JPEG olarak gönderin.',
    },
  },
  ar: {
    notSent: 'لم يُرسل بلاغك',
    check: 'غيّر ما يلي ثم أرسله مرة أخرى:',
    photosAgain: 'اختر صورك مرة أخرى أيضًا.',
    largePhoto: 'إحدى الصور كبيرة جدًا: {maximum} ميغابايت على الأكثر.',
    tooManyToday: 'وصل اليوم عدد كبير من البلاغات فلا نستقبل المزيد. شكرًا لك، وحاول غدًا مرة أخرى.',
    fields: {
      EMPTY: 'اكتب ما الذي يبدو غير صحيح.',
      TOO_LONG: 'أحد النصوص طويل جدًا. الحد الأقصى لعدد الأحرف: {maximum}.',
      NOT_AN_EMAIL_ADDRESS: 'عنوان البريد الإلكتروني غير صالح.',
      TOO_MANY: 'عدد الصور {maximum} على الأكثر.',
      NOT_A_PHOTO: 'أحد الملفات ليس صورة JPEG أو PNG أو WebP.',
      HEIC_PHOTO: 'إحدى الصور بصيغة HEIC التي لا يمكننا قراءتها. أرسلها بصيغة JPEG.',
    },
  },
  ja: {
    notSent: '送信できませんでした',
    check: '次の点を直して、もう一度送信してください：',
    photosAgain: '写真ももう一度選んでください。',
    largePhoto: '写真のサイズが大きすぎます。{maximum} MB 以内にしてください。',
    tooManyToday:
      '本日は多くのご報告をいただいたため、これ以上受け付けられません。ありがとうございます。明日もう一度お試しください。',
    fields: {
      EMPTY: 'おかしいと思う点を書いてください。',
      TOO_LONG: '文字数が多すぎます。{maximum} 文字以内にしてください。',
      NOT_AN_EMAIL_ADDRESS: 'メールアドレスが正しくありません。',
      TOO_MANY: '写真は {maximum} 枚までです。',
      NOT_A_PHOTO: 'JPEG、PNG、WebP の写真ではないファイルがあります。',
      HEIC_PHOTO: 'HEIC 形式の写真は読み取れません。JPEG で送信してください。',
    },
  },
  zh: {
    notSent: '您的举报未能提交',
    check: '请更改以下内容后重新提交：',
    photosAgain: '请同时重新选择照片。',
    largePhoto: '有一张照片过大：最多 {maximum} MB。',
    tooManyToday: '今天收到的举报过多，暂不再受理。谢谢您，请明天再试。',
    fields: {
      EMPTY: '请写明哪里不对。',
      TOO_LONG: '文字过长：最多 {maximum} 个字符。',
      NOT_AN_EMAIL_ADDRESS: '电子邮箱地址无效。',
      TOO_MANY: '最多 {maximum} 张照片。',
      NOT_A_PHOTO: '其中一个文件不是 JPEG、PNG 或 WebP 照片。',
      HEIC_PHOTO: '有一张照片是我们无法读取的 HEIC 格式。请以 JPEG 格式发送。',
    },
  },
};
