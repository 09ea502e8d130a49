import type { MailWords } from '../words.ts';

const IGNORE = 'إذا لم تطلب ذلك فتجاهل هذه الرسالة: لا يحدث شيء من دون الرابط.';
const TELL = 'أبلغ أحد مديري مؤسستك';
const WHY_DISABLED = {
  gone: (url: string) => `أجاب ${url} بالرمز \u2068410 Gone\u2069، لذلك لن يُرسل إليه شيء بعد الآن.`,
  failing: (url: string) => `فشلت كل عمليات التسليم إلى ${url} منذ أيام، لذلك لن يُرسل إليه شيء بعد الآن.`,
  unreadable: (url: string) =>
    `لم يعد بالإمكان فك تشفير سرّ التوقيع أو الترويسات المحفوظة للعنوان ${url}، لذلك لن يُرسل إليه شيء بعد الآن. استبدل السرّ بلا فترة تداخل وأعد ضبط الترويسات، أو اطلب ممّن يشغّل الخدمة إعادة المفتاح.`,
};

export const ar: MailWords = {
  roles: { owner: 'مالك', administrator: 'مدير', analyst: 'محلل', viewer: 'قارئ' },
  confirmSignUp: (organization) => ({
    subject: 'أكّد عنوانك في Touchstone',
    paragraphs: [`سجّل أحدهم، وهو أنت على الأرجح، المؤسسة «${organization}» بهذا العنوان.`],
    button: 'تأكيد العنوان',
    closing: ['يعمل الرابط مرة واحدة، خلال 24 ساعة.', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'لديك حساب بالفعل',
    paragraphs: [
      'حاول أحدهم، وهو أنت على الأرجح، إنشاء حساب بهذا العنوان. للعنوان حساب بالفعل، لذلك لم يتغيّر شيء.',
      'سجّل الدخول كالمعتاد، أو اطلب كلمة مرور جديدة إن كنت قد نسيتها.',
    ],
    button: 'طلب كلمة مرور جديدة',
  },
  resetPassword: {
    subject: 'اختر كلمة مرور جديدة',
    paragraphs: ['طلب أحدهم، وهو أنت على الأرجح، كلمة مرور جديدة لحسابك.'],
    button: 'اختيار كلمة مرور جديدة',
    closing: ['يعمل الرابط مرة واحدة، خلال ساعة من طلبه.', IGNORE],
  },
  passwordChanged: {
    subject: 'تغيّرت كلمة مرورك',
    paragraphs: [
      'تغيّرت كلمة مرور حسابك، وأُنهيت جميع الجلسات الأخرى.',
      `إن لم تكن أنت من فعل ذلك، فاطلب كلمة مرور جديدة فورًا و${TELL}.`,
    ],
  },
  secondFactorOn: {
    subject: 'العامل الثاني مفعّل',
    paragraphs: [
      'من الآن فصاعدًا يتطلب تسجيل الدخول رمزًا من تطبيق المصادقة لديك.',
      `إن لم تكن أنت من فعل ذلك، فغيّر كلمة مرورك فورًا و${TELL}.`,
    ],
  },
  secondFactorOff: {
    subject: 'العامل الثاني متوقف',
    paragraphs: [
      'من الآن فصاعدًا تكفي كلمة المرور وحدها لتسجيل الدخول.',
      `إن لم تكن أنت من فعل ذلك، فغيّر كلمة مرورك فورًا و${TELL}.`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: 'أُنهيت جلسة حفاظًا على الأمان',
    paragraphs: [
      'جُدّدت إحدى جلساتك برمز سبق استخدامه، ويحدث ذلك عندما يُنسخ الرمز. وقد أُنهيت الجلسة.',
      'سجّل الدخول من جديد. وإذا تكرر ذلك فغيّر كلمة مرورك.',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `دعوة إلى ${organization}`,
    paragraphs: [`يدعوك ${invitedBy} إلى المؤسسة «${organization}». دورك فيها: ${role}.`],
    button: 'قبول الدعوة',
    closing: ['يعمل الرابط مرة واحدة، خلال سبعة أيام.', 'إن كنت لا تعرف المرسل فتجاهل هذه الرسالة.'],
  }),
  securityNotice: (organization, entries) => ({
    subject: `أمان ${organization}: عدد القيود ${entries}`,
    paragraphs: [`أنت جهة الاتصال الأمنية للمؤسسة «${organization}». إليك ما ورد في سجل التدقيق:`],
    closing: [`إن لم يكن ذلك مقصودًا، ف${TELL} فورًا.`],
  }),
  securityActions: {
    createApiKey: 'أُنشئ مفتاح API',
    rotateApiKey: 'استُبدل سرّ مفتاح API',
    revokeApiKey: 'أُلغي مفتاح API',
    invite: 'دُعي شخص إلى المؤسسة',
    acceptInvitation: 'قُبلت دعوة',
    updateUser: 'تغيّر دور شخص، أو عُطّل حسابه أو أُعيد تفعيله',
    removeUser: 'أُزيل شخص',
    disableTotp: 'أوقف شخص العامل الثاني لحسابه',
    resetPassword: 'اختار شخص كلمة مرور جديدة عبر رابط في رسالة',
    sessionReplayed: 'أُنهيت جلسة لأن رمزها نُسخ',
    signInLimited: 'بلغت محاولات تخمين كلمة مرور شخص الحد المسموح',
    secondFactorFailed: 'عرف أحدهم كلمة مرور شخص، لكن لم يكن لديه العامل الثاني',
    rotateWebhookSecret: 'استُبدل سرّ التوقيع لنقطة استقبال Webhooks',
    disableWebhookEndpoint: 'أُوقفت نقطة استقبال Webhooks',
    updateOrganization: 'تغيّرت جهة الاتصال الأمنية',
    setInternalNetworks: 'تغيّرت الشبكات الخاصة بالمؤسسة',
    setDomain: 'تغيّر نطاق المؤسسة',
    removeDomain: 'أُزيل نطاق المؤسسة',
    lapseDomain: 'لم يعد نطاق المؤسسة معتمداً: تعذّر العثور على سجله',
    setSingleSignOn: 'تغيّر تسجيل الدخول الموحّد للمؤسسة: يسجّل الأشخاص دخولهم عبر المزوّد المذكور',
    removeSingleSignOn: 'أُزيل تسجيل الدخول الموحّد للمؤسسة: يسجّل الأشخاص دخولهم بكلمات المرور من جديد',
    joinBySingleSignOn: 'انضمّ شخص عبر تسجيل الدخول الموحّد',
    forgetIdentity: 'يمكن لمستخدم تسجيل الدخول بحساب آخر لدى مزوّد تسجيل الدخول الموحّد',
  },
  actors: {
    user: (name) => `المستخدم ${name}`,
    key: (name) => `مفتاح API ‏«${name}»`,
    operator: 'المشغّل',
    anonymous: 'شخص لم يسجّل الدخول',
    service: 'الخدمة نفسها',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : ` (${resource})`}. الفاعل: ${by}${ip === null ? '' : `، العنوان: ${ip}`}، الوقت: ${at}.`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`لدى «${organization}» مستجدات تنتظر من يتولاها:`],
      button: 'فتح النظرة العامة',
      closing: [
        every === 'hourly'
          ? 'تصلك رسالة واحدة كهذه في الساعة على الأكثر. اختر عدد المرات، أو أوقف هذه الرسائل، من إعدادات حسابك:'
          : 'تصلك رسالة واحدة كهذه في اليوم على الأكثر. اختر عدد المرات، أو أوقف هذه الرسائل، من إعدادات حسابك:',
      ],
    }),
    cases: 'وحدات مشبوهة',
    diversions: 'وحدات خارج أسواقها',
    reports: 'بلاغات عن تقليد محتمل',
    receipts: 'استلامات بها فروقات',
    noProduct: 'رمز غير معروف',
    all: 'عرض الكل',
  },
  summary: {
    subject: (organization, days) => `${organization}: أسبوع ${days}`,
    wording: (organization, days) => ({
      paragraphs: [`هذه حصيلة أسبوع ${days} لدى «${organization}»:`],
      button: 'فتح النظرة العامة',
      closing: ['تصلك هذه الرسالة مرة في الأسبوع. يمكنك إيقافها من إعدادات حسابك:'],
    }),
    scans: 'عمليات المسح',
    suspicious: 'المشبوهة',
    diverted: 'خارج أسواقها',
    firstScanned: 'وحدات مُسحت لأول مرة',
    cases: 'قضايا جديدة',
    reports: 'بلاغات جديدة عن تقليد محتمل',
    open: 'المفتوحة الآن',
    unknownPlace: 'مكان غير معروف',
    doubtful: 'مشبوهة أو خارج الأسواق',
    countries: 'البلدان الأكثر مسحًا',
    products: 'المنتجات',
    change: (share) => `${share} مقارنة بالأسبوع السابق`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'نقطة استقبال Webhooks تفشل باستمرار',
    paragraphs: [
      `فشلت كل عمليات التسليم إلى ${url} منذ ${since}.`,
      `تُحفظ الأحداث ويُعاد إرسالها. إن لم يتغيّر شيء فستُوقف نقطة الاستقبال في ${disablesAt}.`,
      'يبيّن سجل عمليات التسليم بماذا أجابت.',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'أُوقفت نقطة استقبال Webhooks',
    paragraphs: [
      WHY_DISABLED[why](url),
      'تُحفظ الأحداث. شغّل نقطة الاستقبال من جديد لتُسلَّم إليها، أو استعد أحداث مدة محددة.',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `اختفى سجل ${domain}`,
    paragraphs: [
      `لم يعد Touchstone يجد سجل TXT الذي تثبت به مؤسستك أنها صاحبة ${domain}.`,
      `المكان الذي يجب أن يكون فيه: ${name}`,
      `ما يجب أن يقوله: ${record}`,
      `تواصل الصفحات التي يراها المستهلكون ذكر النطاق حتى ${lapsesAt}. وإن لم يعد السجل حتى ذلك الحين فستتوقف عن ذكره.`,
    ],
    closing: ['إن لم تعد تريد ذكر النطاق فأزله من الإعدادات.'],
  }),
  domainLapsed: (domain) => ({
    subject: `لم يعد ${domain} مذكوراً`,
    paragraphs: [
      `تعذّر منذ مدة طويلة العثور على سجل TXT الذي تثبت به مؤسستك أنها صاحبة ${domain}. لم تعد الصفحات التي يراها المستهلكون تذكر النطاق.`,
      'أعد السجل: تذكر الإعدادات ما يجب أن يقوله، ومنها يمكن البحث عنه من جديد.',
    ],
  }),
};
