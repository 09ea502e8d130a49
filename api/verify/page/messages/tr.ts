import type { Messages } from '../messages.ts';

export const tr: Messages = {
  verdicts: {
    genuine: {
      title: 'Gerçek kod',
      lead: '{brand} bu kodu verdi ve kodla ilgili olumsuz bir bulgu yok.',
      leadMedium: '{brand} bu kodu bu ürün için verdi.',
      steps: [
        'Elinizdeki ürünü aşağıdaki bilgilerle karşılaştırın.',
        'Mührün ve ambalajın sağlam olup olmadığını kontrol edin.',
      ],
    },
    suspicious: {
      title: 'Kopyalanmış olabilir',
      lead: 'Kod tanınıyor, ancak taranma biçimi başka ürünlere kopyalandığını düşündürüyor. Elinizdeki yine de orijinal olabilir.',
      leadConfirmed:
        'Marka bu kodu araştırdı ve kötüye kullanıldığını saptadı. Elinizdeki ürün yine de orijinal olabilir.',
      steps: [
        'Nereden geldiğinden emin olana kadar ürünü kullanmayın.',
        'Satıcıya ürünü nereden aldığını sorun.',
        'Aşağıdan bildirin: bu, {brand} firmasının kopyaları bulmasına yardımcı olur.',
      ],
    },
    diverted: {
      title: 'Başka bir pazar için üretilmiş',
      lead: '{brand} bu kodu, bulunduğunuz yerde satılmak üzere üretilmemiş bir ürün için verdi.',
      steps: [
        'Garantinin ülkenizde geçerli olup olmadığını kontrol edin; kullanım bilgileri ve içerik farklı olabilir.',
        'Satıcıya ürünün nereden geldiğini sorun.',
      ],
    },
    suspended: {
      title: 'Şimdilik engellendi',
      lead: '{brand}, bir konu açıklığa kavuşana kadar bu kodu engelledi.',
      steps: ['Şimdilik ürünü satın almayın ve kullanmayın.', 'Satıcıya veya şu firmaya danışın: {brand}.'],
    },
    recalled: {
      title: 'Geri çağrıldı',
      lead: '{brand} bu ürünü geri çağırdı.',
      steps: [
        'Ürünü kullanmayı bırakın ve başkasına vermeyin.',
        'Satıcıya geri götürün veya şu firmaya başvurun: {brand}.',
      ],
    },
    expired: {
      title: 'Son kullanma tarihi geçmiş',
      lead: '{brand} bu kodu verdi, ancak ürünün son kullanma tarihi geçmiş.',
      steps: ['Artık kullanmayın.', 'Yeni satın aldıysanız satıcıya geri götürün.'],
    },
    inactive: {
      title: 'Satışa sunulmamış',
      lead: '{brand} bu kodu verdi, ancak ürünü satışa sunmadı.',
      steps: ['Satın almayın: bir mağazada olmamalı.', 'Nerede bulduğunuzu aşağıdan bildirin.'],
    },
    unknown: {
      title: 'Kod tanınmadı',
      lead: 'Bu kodu tanımıyoruz. Yanlış okunmuş olabilir veya burada hiç verilmemiş olabilir.',
      steps: ['Kodu iyi ışıkta yeniden tarayın.', 'Hâlâ tanınmıyorsa ürüne güvenmeyin ve aşağıdan bildirin.'],
    },
  },
  productCode: {
    title: 'Bu kod yalnızca ürünü belirtir',
    lead: 'Ürünün birçok adedi aynı kodu taşır. Bu kod, elinizdekinin gerçek olup olmadığını göstermez.',
    steps: [
      'Ürünün ve ambalajının üzerinde yalnızca bu adede ait başka bir kod arayın.',
      'Onu tarayın: yalnızca o kontrol edilebilir.',
      'Böyle bir kod yoksa satıcıya veya şu firmaya danışın: {brand}.',
    ],
  },
  evidence:
    'Gerçek bir kod iyi bir belirtidir, ama kanıt değildir: kopyalanmış bir kod ilk başta aynı görünür.',
  next: 'Şimdi ne yapmalı',
  why: 'Neden böyle diyoruz',
  noticed: 'Fark edilenler',
  reasons: {
    clone: {
      places: 'Kodun tarandığı yer ve zamanlar, tek bir ürüne değil, daha çok birden fazla ürüne uyuyor.',
      'not-shipped': 'Markanın kayıtlarına göre bu ürün henüz hiçbir mağazaya ulaşmadı.',
      consumed: 'Bu ürünün kullanılıp bittiği kaydedildi ve o zamandan beri kodunu başka biri taradı.',
      'hidden-code':
        'Ambalajdaki gizli kodu birkaç farklı kişi girdi; oysa bu kodu yalnızca alıcı açmış olmalıydı.',
      'nfc-tap':
        'Birkaç farklı kişi, çipin daha önce kullanılmış bir yanıtıyla geldi; çipin kopyaları böyle yanıt verir.',
      confirmed: 'Marka bu kodu araştırdı ve kötüye kullanıldığını saptadı.',
    },
    impossible_travel: 'Kod, çok kısa sürede birbirinden çok uzak yerlerde tarandı.',
    excessive_scanning: 'Kodu alışılmadık sayıda farklı kişi taradı.',
  },
  product: {
    heading: 'Ürün',
    brand: 'Marka',
    gtin: 'Ürün numarası (GTIN)',
    serial: 'Seri numarası',
    lot: 'Parti',
    expires: 'Son kullanma tarihi',
  },
  scans: {
    heading: 'Bu kodun kontrolleri',
    count: { one: '{count} kez kontrol edildi', other: '{count} kez kontrol edildi' },
    visitors: 'Farklı ziyaretçi',
    first: 'İlk kontrol',
    now: 'Bu kontrol',
    country: 'Ülke (tahmini)',
    internal: 'Bu kontrol markanın kendi ağından yapıldı ve sayılmaz.',
  },
  address: {
    heading: 'Bu sayfa gerçek mi?',
    text: 'Tarayıcınızın üst kısmındaki adres tam olarak şöyle başlamalıdır:',
    note: 'Bu sayfanın taklitlerinin adresi başkadır.',
  },
  issuer: {
    confirmed: 'Onaylandı: {domain}',
    unconfirmed: 'Ad onaylanmadı',
    heading: 'Bu kodun arkasında kim var?',
    holds:
      '{brand}, {domain} alan adının kendisine ait olduğunu gösterdi. Bunun markanın alan adı olup olmadığını örneğin ambalajdan kontrol edin.',
    unchecked:
      '{brand} gerçekten söylediği firma mı, bunu kimse kontrol etmedi. Şüphe duyarsanız markanın kendisine, bildiğiniz bir adresten sorun.',
  },
  position: {
    heading: 'Kopyaları bulmaya yardım edin',
    text: 'Bu kontrole konumunuzu ekleyebilirsiniz. Kopyalanmış kodları ve pazarı dışındaki ürünleri saptamaya yarar; marka konumunuzu görebilir. Yalnızca düğmeye basarsanız gönderilir.',
    button: 'Konumumu ekle',
    done: 'Teşekkürler. Konumunuz eklendi.',
    failed: 'İşlem başarısız oldu. Kontrolünüz yine de geçerli.',
  },
  hiddenCode: {
    heading: 'Gizli bir kod var mı?',
    text: 'Bazı ambalajlarda, kazınan veya soyulan bir tabakanın altında ikinci bir kod bulunur. Ürün sizin olduktan sonra onu açın: elinizdekinin orijinal olup olmadığını anlamaya yardımcı olur.',
    label: 'Gizli kod',
    check: 'Gizli kodu kontrol et',
    first: {
      title: 'Gizli kod: doğru',
      text: 'Daha önce başka hiç kimse girmedi. Siz açana kadar tabaka sağlam idiyse bu, orijinal olduğuna dair güçlü bir işarettir.',
    },
    repeated: {
      title: 'Gizli kod: daha önce girilmiş',
      text: 'Doğru, ancak daha önce de girilmiş; ilk tarih: {date}. Bunu siz veya tanıdığınız biri yapmadıysa elinizdeki ürün bir kopya olabilir.',
    },
    wrong: {
      title: 'Gizli kod: doğru değil',
      text: 'Karakter karakter karşılaştırıp yeniden deneyin. Yine yanlışsa elinizdeki ürün bir kopya olabilir: aşağıdan bildirin.',
    },
  },
  nfc: {
    heading: 'Ambalajdaki çipi kontrol edin',
    text: 'Orijinal ürünün ambalajında kopyalanması zor bir NFC çipi var. Ekran açıkken telefonunuzun üst kenarını çipe yaklaştırın ve görünen adresi açın.',
    counter:
      'Bu, çipin {count} numaralı okutmasıydı. Telefonu bir kez daha yaklaştırın: numara aynı kalırsa çip bir kopya olabilir.',
    fresh: {
      title: 'Çip: yanıt doğru ve yeni',
      text: 'Bu yanıtı yalnızca bu ürünün çipi verebilir ve onu daha önce başka hiç kimse kullanmadı. Çip olması gereken yerdeyse ve oraya sonradan taşınmadıysa bu, orijinal olduğuna dair güçlü bir işarettir.',
    },
    replayed: {
      title: 'Çip: yanıt daha önce kullanılmış',
      text: 'Yanıt doğru, ancak daha önce kullanılmış; tarih: {date}. Çip her okutmada yeni bir yanıt verir. Ambalajı az önce okuttuysanız bir kez daha okutun. Bu yeniden görünürse elinizdeki ürün bir kopya olabilir. Bu bağlantıyı size biri gönderdiyse hiçbir ambalaj hakkında bir şey söylemez.',
    },
    invalid: {
      title: 'Çip: yanıt doğru değil',
      text: 'Bu yanıt bu ürünün çipinden gelmiyor. Ambalajı az önce okuttuysanız bir kez daha okutun. Bu yeniden görünürse elinizdeki ürün bir kopya olabilir: aşağıdan bildirin. Bu bağlantıyı size biri gönderdiyse hiçbir ambalaj hakkında bir şey söylemez.',
    },
  },
  report: {
    heading: 'Bu ürünü bildir',
    what: 'Yanlış görünen nedir?',
    where: 'Nereden aldınız? (isteğe bağlı)',
    email: 'Sorular için e-posta adresiniz (isteğe bağlı)',
    send: 'Bildirimi gönder',
    thanksTitle: 'Teşekkürler',
    thanksText: 'Bildiriminiz ulaştı ve insanlar tarafından incelenecek.',
  },
  front: {
    title: 'Bir ürünü kontrol edin',
    text: 'Ürünün üzerindeki kodu telefonunuzun kamerasıyla tarayın. Kod, bu adreste, hakkında bilinenleri söyleyen bir sayfa açar.',
    typed: 'Ya da kodu veya yanında basılı adresi yazın',
    check: 'Kontrol et',
    incomplete:
      'Bu, tam bir kod değil. Bir kodda 24 harf ve rakam bulunur; seri numarası tek başına yetmez. Kodu tarayın ya da satıcıya sorun.',
    brands: 'Markalar için: oturum açın',
  },
  problems: {
    wait: {
      title: 'Bir dakika lütfen',
      text: 'Bağlantınızdan çok fazla istek geldi. Bir dakika bekleyip yeniden deneyin.',
    },
    away: {
      title: 'Şu anda yanıt veremiyoruz',
      text: 'Hata sizde değil, bizde. Biraz sonra yeniden deneyin.',
    },
    address: {
      title: 'Böyle bir sayfa yok',
      text: 'Adresi eksik veya değiştirilmiş. Sayfayı size verilen kodla veya bağlantıyla yeniden açın.',
    },
    unread: {
      title: 'Gönderilen okunamadı',
      text: 'Hiçbir şey kaydedilmedi. Önceki sayfaya dönüp yeniden deneyin.',
    },
    neutral: 'Bu, ürün hakkında bir şey söylemez.',
    again: 'Yeniden dene',
  },
  from: 'Gönderen: {brand}',
  contact: 'İletişim: {brand}',
  privacy:
    'Bu kontrol, saati, yaklaşık yeri ve sınırlı bir süre için ağ adresinizle, adınız olmadan kaydedildi.',
  language: 'Dil',
};
