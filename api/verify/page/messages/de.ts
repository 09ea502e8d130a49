import type { Messages } from '../messages.ts';

export const de: Messages = {
  verdicts: {
    genuine: {
      title: 'Echter Code',
      lead: '{brand} hat diesen Code vergeben, und nichts spricht gegen ihn.',
      leadMedium: '{brand} hat diesen Code für dieses Produkt vergeben.',
      steps: [
        'Vergleichen Sie das Produkt in Ihrer Hand mit den Angaben unten.',
        'Prüfen Sie, ob Siegel und Verpackung unversehrt sind.',
      ],
    },
    suspicious: {
      title: 'Möglicherweise kopiert',
      lead: 'Der Code ist bekannt, aber seine bisherigen Scans deuten darauf hin, dass er auf andere Produkte kopiert wurde. Das Produkt in Ihrer Hand kann trotzdem das Original sein.',
      leadConfirmed:
        'Die Marke ist diesem Code nachgegangen und hat festgestellt, dass er missbraucht wird. Das Produkt in Ihrer Hand kann trotzdem das Original sein.',
      steps: [
        'Verwenden Sie das Produkt erst, wenn Sie sicher sind, woher es stammt.',
        'Fragen Sie den Verkäufer, wo er es bezogen hat.',
        'Melden Sie es unten: Das hilft {brand}, Kopien zu finden.',
      ],
    },
    diverted: {
      title: 'Für einen anderen Markt bestimmt',
      lead: '{brand} hat diesen Code für ein Produkt vergeben, das nicht für den Verkauf an Ihrem Ort bestimmt war.',
      steps: [
        'Prüfen Sie, ob die Garantie in Ihrem Land gilt; Anleitung und Inhaltsstoffe können abweichen.',
        'Fragen Sie den Verkäufer, woher das Produkt stammt.',
      ],
    },
    suspended: {
      title: 'Vorläufig gesperrt',
      lead: '{brand} hat diesen Code gesperrt, bis etwas geklärt ist.',
      steps: [
        'Kaufen und verwenden Sie das Produkt vorerst nicht.',
        'Fragen Sie {brand} oder den Verkäufer.',
      ],
    },
    recalled: {
      title: 'Zurückgerufen',
      lead: '{brand} hat dieses Produkt zurückgerufen.',
      steps: [
        'Verwenden Sie das Produkt nicht mehr, und geben Sie es nicht weiter.',
        'Bringen Sie es zum Verkäufer zurück, oder wenden Sie sich an {brand}.',
      ],
    },
    expired: {
      title: 'Abgelaufen',
      lead: '{brand} hat diesen Code vergeben, aber das Produkt hat sein Ablaufdatum überschritten.',
      steps: [
        'Verwenden Sie es nicht mehr.',
        'Haben Sie es gerade erst gekauft, bringen Sie es zum Verkäufer zurück.',
      ],
    },
    inactive: {
      title: 'Nicht zum Verkauf freigegeben',
      lead: '{brand} hat diesen Code vergeben, das Produkt aber nicht zum Verkauf freigegeben.',
      steps: [
        'Kaufen Sie es nicht: Es sollte in keinem Geschäft liegen.',
        'Melden Sie unten, wo Sie es gefunden haben.',
      ],
    },
    unknown: {
      title: 'Code nicht erkannt',
      lead: 'Wir kennen diesen Code nicht. Vielleicht wurde er falsch gelesen, oder er wurde hier nie vergeben.',
      steps: [
        'Scannen Sie den Code noch einmal bei gutem Licht.',
        'Bleibt er unbekannt, verlassen Sie sich nicht auf das Produkt, und melden Sie es unten.',
      ],
    },
  },
  productCode: {
    title: 'Dieser Code bezeichnet nur das Produkt',
    lead: 'Viele Exemplare des Produkts tragen denselben Code. Er zeigt nicht, ob das Exemplar in Ihrer Hand echt ist.',
    steps: [
      'Suchen Sie auf dem Produkt und seiner Verpackung einen anderen Code, der nur zu diesem einen Exemplar gehört.',
      'Scannen Sie diesen: Nur er lässt sich prüfen.',
      'Gibt es keinen, fragen Sie {brand} oder den Verkäufer.',
    ],
  },
  evidence:
    'Ein echter Code ist ein gutes Indiz, aber kein Beweis: Ein kopierter Code sieht zunächst genauso aus.',
  next: 'Was Sie jetzt tun können',
  why: 'Warum wir das sagen',
  noticed: 'Was aufgefallen ist',
  reasons: {
    clone: {
      places: 'Wo und wann der Code gescannt wurde, passt besser zu mehreren Produkten als zu einem.',
      'not-shipped': 'Laut den Unterlagen der Marke ist dieses Produkt noch in keinem Geschäft angekommen.',
      consumed:
        'Dieses Produkt wurde als verbraucht vermerkt, und seither hat jemand anders seinen Code gescannt.',
      'hidden-code':
        'Mehrere verschiedene Menschen haben den auf der Packung verdeckten Code eingegeben, den nur der Käufer freigelegt haben sollte.',
      'nfc-tap':
        'Mehrere verschiedene Menschen kamen mit einer Antwort des Chips, die schon verbraucht war, wie sie Kopien des Chips geben.',
      confirmed: 'Die Marke ist diesem Code nachgegangen und hat festgestellt, dass er missbraucht wird.',
    },
    impossible_travel: 'Der Code wurde in zu kurzer Zeit an weit voneinander entfernten Orten gescannt.',
    excessive_scanning: 'Ungewöhnlich viele verschiedene Menschen haben den Code gescannt.',
  },
  product: {
    heading: 'Produkt',
    brand: 'Marke',
    gtin: 'Artikelnummer (GTIN)',
    serial: 'Seriennummer',
    lot: 'Charge',
    expires: 'Ablaufdatum',
  },
  scans: {
    heading: 'Prüfungen dieses Codes',
    count: { one: '{count}-mal geprüft', other: '{count}-mal geprüft' },
    visitors: 'Verschiedene Besucher',
    first: 'Erste Prüfung',
    now: 'Diese Prüfung',
    country: 'Land (geschätzt)',
    internal: 'Diese Prüfung kam aus einem eigenen Netz der Marke und wird nicht mitgezählt.',
  },
  address: {
    heading: 'Ist diese Seite echt?',
    text: 'Oben in Ihrem Browser muss die Adresse genau so beginnen:',
    note: 'Nachahmungen dieser Seite haben eine andere Adresse.',
  },
  issuer: {
    confirmed: 'Bestätigt: {domain}',
    unconfirmed: 'Name nicht bestätigt',
    heading: 'Wer steht hinter diesem Code?',
    holds:
      '{brand} hat gezeigt, dass ihr die Domain {domain} gehört. Prüfen Sie, ob es die der Marke ist, etwa auf der Verpackung.',
    unchecked:
      'Niemand hat geprüft, ob {brand} wirklich ist, wofür es sich ausgibt. Fragen Sie im Zweifel die Marke selbst, unter einer Adresse, die Sie kennen.',
  },
  position: {
    heading: 'Kopien finden helfen',
    text: 'Sie können dieser Prüfung Ihren Standort hinzufügen. Er hilft, kopierte Codes und Ware außerhalb ihres Marktes zu erkennen; die Marke kann ihn sehen. Er wird nur gesendet, wenn Sie den Knopf drücken.',
    button: 'Meinen Standort hinzufügen',
    done: 'Danke. Ihr Standort wurde hinzugefügt.',
    failed: 'Das hat nicht geklappt. Ihre Prüfung zählt trotzdem.',
  },
  hiddenCode: {
    heading: 'Gibt es einen verdeckten Code?',
    text: 'Manche Packungen haben einen zweiten Code unter einer Schicht zum Freirubbeln oder Abziehen. Legen Sie ihn frei, sobald das Produkt Ihnen gehört: Er hilft zu erkennen, ob Sie das Original haben.',
    label: 'Verdeckter Code',
    check: 'Verdeckten Code prüfen',
    first: {
      title: 'Verdeckter Code: richtig',
      text: 'Niemand sonst hat ihn bisher eingegeben. Wenn die Schicht unversehrt war, bis Sie ihn freigelegt haben, spricht das stark für das Original.',
    },
    repeated: {
      title: 'Verdeckter Code: schon eingegeben',
      text: 'Er ist richtig, wurde aber schon früher eingegeben, zuerst am {date}. Wenn das weder Sie waren noch jemand, den Sie kennen, kann das Produkt in Ihrer Hand eine Kopie sein.',
    },
    wrong: {
      title: 'Verdeckter Code: nicht richtig',
      text: 'Vergleichen Sie ihn Zeichen für Zeichen und versuchen Sie es noch einmal. Bleibt er falsch, kann das Produkt in Ihrer Hand eine Kopie sein: Melden Sie es unten.',
    },
  },
  nfc: {
    heading: 'Den Chip in der Packung prüfen',
    text: 'Die Packung des Originals hat einen NFC-Chip, der sich kaum kopieren lässt. Halten Sie den oberen Rand Ihres Telefons bei eingeschaltetem Bildschirm daran und öffnen Sie die Adresse, die erscheint.',
    counter:
      'Das war Lesevorgang Nummer {count} des Chips. Halten Sie das Telefon noch einmal daran: Bleibt die Nummer gleich, kann der Chip eine Kopie sein.',
    fresh: {
      title: 'Chip: Antwort richtig und neu',
      text: 'Nur der Chip dieses Produkts kann diese Antwort geben, und niemand sonst hat sie bisher verwendet. Wenn er dort sitzt, wo er hingehört, und nicht dorthin versetzt wurde, spricht das stark für das Original.',
    },
    replayed: {
      title: 'Chip: Antwort schon verbraucht',
      text: 'Die Antwort ist richtig, wurde aber schon am {date} verbraucht: Der Chip gibt jedes Mal eine neue. Wenn Sie Ihr Telefon gerade an die Packung gehalten haben, tun Sie es noch einmal. Erscheint dies wieder, kann das Produkt in Ihrer Hand eine Kopie sein. Wenn Ihnen jemand diesen Link geschickt hat, sagt er über keine Packung etwas aus.',
    },
    invalid: {
      title: 'Chip: Antwort nicht richtig',
      text: 'Diese Antwort stammt nicht vom Chip dieses Produkts. Wenn Sie Ihr Telefon gerade an die Packung gehalten haben, tun Sie es noch einmal. Erscheint dies wieder, kann das Produkt in Ihrer Hand eine Kopie sein: Melden Sie es unten. Wenn Ihnen jemand diesen Link geschickt hat, sagt er über keine Packung etwas aus.',
    },
  },
  report: {
    heading: 'Dieses Produkt melden',
    what: 'Was stimmt nicht?',
    where: 'Woher haben Sie es? (freiwillig)',
    email: 'Ihre E-Mail-Adresse für Rückfragen (freiwillig)',
    send: 'Meldung senden',
    thanksTitle: 'Danke',
    thanksText: 'Ihre Meldung ist angekommen und wird von Menschen angesehen.',
  },
  front: {
    title: 'Ein Produkt prüfen',
    text: 'Scannen Sie den Code auf dem Produkt mit der Kamera Ihres Telefons. Er öffnet unter dieser Adresse eine Seite, die sagt, was über den Code bekannt ist.',
    typed: 'Oder geben Sie den Code oder die aufgedruckte Adresse ein',
    check: 'Prüfen',
    incomplete:
      'Das ist kein vollständiger Code. Ein Code hat 24 Buchstaben und Ziffern; eine Seriennummer allein genügt nicht. Scannen Sie den Code, oder fragen Sie den Verkäufer.',
    brands: 'Für Marken: anmelden',
  },
  problems: {
    wait: {
      title: 'Einen Moment bitte',
      text: 'Von Ihrem Anschluss kamen zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    },
    away: {
      title: 'Zurzeit keine Antwort',
      text: 'Der Fehler liegt bei uns, nicht bei Ihnen. Versuchen Sie es gleich noch einmal.',
    },
    address: {
      title: 'Diese Seite gibt es nicht',
      text: 'Die Adresse ist unvollständig oder wurde verändert. Öffnen Sie die Seite noch einmal mit dem Code oder dem Link, den Sie bekommen haben.',
    },
    unread: {
      title: 'Das ließ sich nicht lesen',
      text: 'Gespeichert wurde nichts. Gehen Sie eine Seite zurück und versuchen Sie es noch einmal.',
    },
    neutral: 'Über das Produkt sagt das nichts.',
    again: 'Noch einmal versuchen',
  },
  from: 'Von {brand}',
  contact: '{brand} kontaktieren',
  privacy:
    'Diese Prüfung wurde mit Uhrzeit, ungefährem Ort und, für begrenzte Zeit, Ihrer Netzadresse gespeichert, ohne Ihren Namen.',
  language: 'Sprache',
};
