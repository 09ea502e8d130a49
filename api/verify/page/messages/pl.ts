import type { Messages } from '../messages.ts';

export const pl: Messages = {
  verdicts: {
    genuine: {
      title: 'Kod autentyczny',
      lead: 'Ten kod wydała firma {brand} i nic nie budzi wątpliwości.',
      leadMedium: 'Ten kod wydała dla tego produktu firma {brand}.',
      steps: [
        'Porównaj produkt, który trzymasz, z danymi poniżej.',
        'Sprawdź, czy plomba i opakowanie są nienaruszone.',
      ],
    },
    suspicious: {
      title: 'Możliwe, że skopiowany',
      lead: 'Kod jest znany, ale sposób, w jaki był skanowany, sugeruje, że skopiowano go na inne produkty. Ten, który trzymasz, może mimo to być oryginałem.',
      leadConfirmed:
        'Marka zbadała ten kod i stwierdziła, że jest wykorzystywany w niewłaściwy sposób. Produkt, który trzymasz, może mimo to być oryginałem.',
      steps: [
        'Nie używaj produktu, dopóki nie masz pewności, skąd pochodzi.',
        'Zapytaj sprzedawcę, gdzie go kupił.',
        'Zgłoś go poniżej: to pomaga firmie {brand} znaleźć kopie.',
      ],
    },
    diverted: {
      title: 'Przeznaczony na inny rynek',
      lead: 'Ten kod wydała firma {brand} dla produktu, który nie był przeznaczony do sprzedaży tam, gdzie jesteś.',
      steps: [
        'Sprawdź, czy gwarancja obowiązuje w twoim kraju; instrukcja i skład mogą się różnić.',
        'Zapytaj sprzedawcę, skąd pochodzi produkt.',
      ],
    },
    suspended: {
      title: 'Tymczasowo zablokowany',
      lead: 'Firma {brand} zablokowała ten kod do czasu wyjaśnienia sprawy.',
      steps: ['Na razie nie kupuj i nie używaj produktu.', 'Zapytaj firmę {brand} lub sprzedawcę.'],
    },
    recalled: {
      title: 'Wycofany z rynku',
      lead: 'Firma {brand} wycofała ten produkt z rynku.',
      steps: [
        'Przestań używać produktu i nie przekazuj go nikomu.',
        'Zwróć go sprzedawcy lub skontaktuj się z firmą {brand}.',
      ],
    },
    expired: {
      title: 'Po terminie ważności',
      lead: 'Ten kod wydała firma {brand}, ale termin ważności produktu minął.',
      steps: ['Nie używaj go już.', 'Jeśli to świeży zakup, zwróć go sprzedawcy.'],
    },
    inactive: {
      title: 'Niedopuszczony do sprzedaży',
      lead: 'Firma {brand} wydała ten kod, ale nie dopuściła produktu do sprzedaży.',
      steps: ['Nie kupuj go: nie powinien być w sklepie.', 'Zgłoś poniżej, gdzie jest sprzedawany.'],
    },
    unknown: {
      title: 'Kod nierozpoznany',
      lead: 'Nie znamy tego kodu. Być może został źle odczytany albo nigdy nie został tu wydany.',
      steps: [
        'Zeskanuj kod jeszcze raz przy dobrym świetle.',
        'Jeśli nadal jest nieznany, nie polegaj na produkcie i zgłoś go poniżej.',
      ],
    },
  },
  productCode: {
    title: 'Ten kod oznacza tylko produkt',
    lead: 'Wiele egzemplarzy produktu ma ten sam kod. Nie pokazuje on, czy egzemplarz, który trzymasz, jest autentyczny.',
    steps: [
      'Poszukaj na produkcie i opakowaniu innego kodu, należącego tylko do tego egzemplarza.',
      'Zeskanuj go: tylko taki kod można sprawdzić.',
      'Jeśli go nie ma, zapytaj firmę {brand} lub sprzedawcę.',
    ],
  },
  evidence: 'Autentyczny kod to dobra wskazówka, ale nie dowód: skopiowany kod wygląda początkowo tak samo.',
  next: 'Co teraz zrobić',
  why: 'Dlaczego tak uważamy',
  noticed: 'Co zauważono',
  reasons: {
    clone: {
      places: 'Miejsca i czas skanowania kodu lepiej pasują do kilku produktów niż do jednego.',
      'not-shipped': 'Według danych marki ten produkt nie trafił jeszcze do żadnego sklepu.',
      consumed: 'Ten produkt odnotowano jako zużyty, a potem jego kod zeskanowała inna osoba.',
      'hidden-code':
        'Kilka różnych osób wpisało kod ukryty na opakowaniu, który powinien był odsłonić tylko kupujący.',
      'nfc-tap':
        'Kilka różnych osób otworzyło tę stronę z odpowiedzią chipa, która była już wykorzystana – tak odpowiadają kopie chipa.',
      confirmed: 'Marka zbadała ten kod i stwierdziła, że jest wykorzystywany w niewłaściwy sposób.',
    },
    impossible_travel: 'Kod zeskanowano w miejscach odległych od siebie w zbyt krótkim czasie.',
    excessive_scanning: 'Kod zeskanowało niezwykle wiele różnych osób.',
  },
  product: {
    heading: 'Produkt',
    brand: 'Marka',
    gtin: 'Numer artykułu (GTIN)',
    serial: 'Numer seryjny',
    lot: 'Partia',
    expires: 'Termin ważności',
  },
  scans: {
    heading: 'Sprawdzenia tego kodu',
    count: {
      one: 'Sprawdzono {count} raz',
      few: 'Sprawdzono {count} razy',
      many: 'Sprawdzono {count} razy',
      other: 'Sprawdzono {count} razy',
    },
    visitors: 'Różnych odwiedzających',
    first: 'Pierwsze sprawdzenie',
    now: 'To sprawdzenie',
    country: 'Kraj (szacowany)',
    internal: 'To sprawdzenie wykonano z własnej sieci marki i nie jest liczone.',
  },
  address: {
    heading: 'Czy ta strona jest prawdziwa?',
    text: 'U góry przeglądarki adres musi zaczynać się dokładnie tak:',
    note: 'Imitacje tej strony mają inny adres.',
  },
  issuer: {
    confirmed: 'Potwierdzono: {domain}',
    unconfirmed: 'Nazwa niepotwierdzona',
    heading: 'Kto stoi za tym kodem?',
    holds:
      'Firma {brand} wykazała, że domena {domain} należy do niej. Sprawdź, czy to domena tej marki, na przykład na opakowaniu.',
    unchecked:
      'Nikt nie sprawdził, czy {brand} jest tym, za kogo się podaje. W razie wątpliwości zapytaj samą markę pod adresem, który znasz.',
  },
  position: {
    heading: 'Pomóż znaleźć kopie',
    text: 'Możesz dodać swoje położenie do tego sprawdzenia. Pomaga ono wykrywać skopiowane kody i produkty poza ich rynkiem; marka może je zobaczyć. Jest wysyłane tylko po naciśnięciu przycisku.',
    button: 'Dodaj moje położenie',
    done: 'Dziękujemy. Położenie zostało dodane.',
    failed: 'Nie udało się. Twoje sprawdzenie i tak się liczy.',
  },
  hiddenCode: {
    heading: 'Czy jest ukryty kod?',
    text: 'Niektóre opakowania mają drugi kod pod warstwą do zdrapania lub odklejenia. Odsłoń go, gdy produkt należy już do ciebie: pomoże ustalić, czy masz oryginał.',
    label: 'Ukryty kod',
    check: 'Sprawdź ukryty kod',
    first: {
      title: 'Ukryty kod: poprawny',
      text: 'Nikt inny nie wpisał go wcześniej. Jeśli warstwa była nienaruszona, zanim kod został przez ciebie odsłonięty, mocno przemawia to za oryginałem.',
    },
    repeated: {
      title: 'Ukryty kod: już wpisany',
      text: 'Jest poprawny, ale był już wpisany wcześniej, po raz pierwszy {date}. Jeśli to nie ty ani nikt, kogo znasz, produkt, który trzymasz, może być kopią.',
    },
    wrong: {
      title: 'Ukryty kod: niepoprawny',
      text: 'Porównaj go znak po znaku i spróbuj ponownie. Jeśli nadal jest niepoprawny, produkt, który trzymasz, może być kopią: zgłoś go poniżej.',
    },
  },
  nfc: {
    heading: 'Sprawdź chip w opakowaniu',
    text: 'Opakowanie oryginału ma chip NFC, który trudno skopiować. Przyłóż do niego górną część telefonu z włączonym ekranem i otwórz adres, który się pojawi.',
    counter:
      'To był odczyt numer {count} tego chipa. Przyłóż telefon jeszcze raz: jeśli numer się nie zmieni, chip może być kopią.',
    fresh: {
      title: 'Chip: odpowiedź poprawna i nowa',
      text: 'Tylko chip tego produktu może podać tę odpowiedź i nikt inny nie wykorzystał jej wcześniej. Jeśli chip jest na swoim miejscu i nie został tam przeniesiony, mocno przemawia to za oryginałem.',
    },
    replayed: {
      title: 'Chip: odpowiedź już wykorzystana',
      text: 'Odpowiedź jest poprawna, ale została już wykorzystana {date}: chip przy każdym przyłożeniu telefonu podaje nową. Jeśli telefon był przed chwilą przyłożony do opakowania, przyłóż go jeszcze raz. Jeśli ten komunikat się powtórzy, produkt, który trzymasz, może być kopią. Jeśli ten link ktoś ci przysłał, nie mówi on nic o żadnym opakowaniu.',
    },
    invalid: {
      title: 'Chip: odpowiedź niepoprawna',
      text: 'Ta odpowiedź nie pochodzi z chipa tego produktu. Jeśli telefon był przed chwilą przyłożony do opakowania, przyłóż go jeszcze raz. Jeśli ten komunikat się powtórzy, produkt, który trzymasz, może być kopią: zgłoś go poniżej. Jeśli ten link ktoś ci przysłał, nie mówi on nic o żadnym opakowaniu.',
    },
  },
  report: {
    heading: 'Zgłoś ten produkt',
    what: 'Co jest nie tak?',
    where: 'Skąd go masz? (opcjonalnie)',
    email: 'Twój adres e-mail, na wypadek pytań (opcjonalnie)',
    send: 'Wyślij zgłoszenie',
    thanksTitle: 'Dziękujemy',
    thanksText: 'Zgłoszenie dotarło i przeczyta je człowiek.',
  },
  front: {
    title: 'Sprawdź produkt',
    text: 'Zeskanuj kod na produkcie aparatem telefonu. Otworzy on pod tym adresem stronę, która mówi, co wiadomo o kodzie.',
    typed: 'Albo wpisz kod lub wydrukowany przy nim adres',
    check: 'Sprawdź',
    incomplete:
      'To nie jest cały kod. Kod ma 24 litery i cyfry; sam numer seryjny nie wystarczy. Zeskanuj kod albo zapytaj sprzedawcę.',
    brands: 'Dla marek: zaloguj się',
  },
  problems: {
    wait: {
      title: 'Chwileczkę',
      text: 'Z twojego łącza przyszło zbyt wiele zapytań. Odczekaj minutę i spróbuj ponownie.',
    },
    away: {
      title: 'Chwilowo brak odpowiedzi',
      text: 'Błąd jest po naszej stronie, nie po twojej. Spróbuj ponownie za chwilę.',
    },
    address: {
      title: 'Ta strona nie istnieje',
      text: 'Jej adres jest niepełny albo został zmieniony. Otwórz ją jeszcze raz za pomocą otrzymanego kodu lub linku.',
    },
    unread: {
      title: 'Nie udało się tego odczytać',
      text: 'Nic nie zostało zapisane. Wróć na poprzednią stronę i spróbuj ponownie.',
    },
    neutral: 'Nie mówi to nic o produkcie.',
    again: 'Spróbuj ponownie',
  },
  from: 'Wiadomość od firmy {brand}',
  contact: 'Kontakt z firmą {brand}',
  privacy:
    'To sprawdzenie zapisano z godziną, przybliżonym miejscem i – przez ograniczony czas – twoim adresem sieciowym, bez twojego imienia i nazwiska.',
  language: 'Język',
};
