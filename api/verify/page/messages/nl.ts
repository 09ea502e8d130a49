import type { Messages } from '../messages.ts';

export const nl: Messages = {
  verdicts: {
    genuine: {
      title: 'Echte code',
      lead: '{brand} heeft deze code uitgegeven, en niets wijst op een probleem.',
      leadMedium: '{brand} heeft deze code voor dit product uitgegeven.',
      steps: [
        'Vergelijk het product in uw hand met de gegevens hieronder.',
        'Controleer of het zegel en de verpakking onbeschadigd zijn.',
      ],
    },
    suspicious: {
      title: 'Mogelijk gekopieerd',
      lead: 'De code is bekend, maar de manier waarop hij is gescand, wijst erop dat hij op andere producten is gekopieerd. Het product in uw hand kan toch het origineel zijn.',
      leadConfirmed:
        'Het merk heeft deze code onderzocht en vastgesteld dat hij wordt misbruikt. Het product in uw hand kan toch het origineel zijn.',
      steps: [
        'Gebruik het product pas als u zeker weet waar het vandaan komt.',
        'Vraag de verkoper waar hij het heeft gekocht.',
        'Meld het hieronder: dat helpt {brand} om kopieën te vinden.',
      ],
    },
    diverted: {
      title: 'Bestemd voor een andere markt',
      lead: '{brand} heeft deze code uitgegeven voor een product dat niet bestemd was voor verkoop op de plaats waar u bent.',
      steps: [
        'Controleer of de garantie in uw land geldt; gebruiksaanwijzing en ingrediënten kunnen anders zijn.',
        'Vraag de verkoper waar het product vandaan komt.',
      ],
    },
    suspended: {
      title: 'Voorlopig geblokkeerd',
      lead: '{brand} heeft deze code geblokkeerd zolang iets wordt uitgezocht.',
      steps: ['Koop en gebruik het product voorlopig niet.', 'Vraag het aan {brand} of aan de verkoper.'],
    },
    recalled: {
      title: 'Teruggeroepen',
      lead: '{brand} heeft dit product teruggeroepen.',
      steps: [
        'Gebruik het product niet meer en geef het niet door.',
        'Breng het terug naar de verkoper of neem contact op met {brand}.',
      ],
    },
    expired: {
      title: 'Over de datum',
      lead: '{brand} heeft deze code uitgegeven, maar de houdbaarheidsdatum van het product is voorbij.',
      steps: ['Gebruik het niet meer.', 'Hebt u het net gekocht, breng het dan terug naar de verkoper.'],
    },
    inactive: {
      title: 'Niet vrijgegeven voor verkoop',
      lead: '{brand} heeft deze code uitgegeven, maar het product niet vrijgegeven voor verkoop.',
      steps: [
        'Koop het niet: het hoort niet in een winkel te liggen.',
        'Meld hieronder waar u het hebt gevonden.',
      ],
    },
    unknown: {
      title: 'Code niet herkend',
      lead: 'Wij kennen deze code niet. Misschien is hij verkeerd gelezen, of is hij hier nooit uitgegeven.',
      steps: [
        'Scan de code nog een keer bij goed licht.',
        'Blijft hij onbekend, vertrouw dan niet op het product en meld het hieronder.',
      ],
    },
  },
  productCode: {
    title: 'Deze code noemt alleen het product',
    lead: 'Veel exemplaren van het product dragen deze zelfde code. Hij laat niet zien of het exemplaar in uw hand echt is.',
    steps: [
      'Zoek op het product en de verpakking een andere code, die alleen bij dit ene exemplaar hoort.',
      'Scan die: alleen die kan worden gecontroleerd.',
      'Is die er niet, vraag het dan aan {brand} of aan de verkoper.',
    ],
  },
  evidence:
    'Een echte code is een goede aanwijzing, maar geen bewijs: een gekopieerde code ziet er eerst hetzelfde uit.',
  next: 'Wat u nu kunt doen',
  why: 'Waarom wij dit zeggen',
  noticed: 'Wat is opgevallen',
  reasons: {
    clone: {
      places: 'Waar en wanneer de code is gescand, past beter bij meerdere producten dan bij één.',
      'not-shipped': 'Volgens de gegevens van het merk is dit product nog in geen enkele winkel aangekomen.',
      consumed: 'Dit product is als opgebruikt genoteerd, en sindsdien heeft iemand anders de code gescand.',
      'hidden-code':
        'Verschillende mensen hebben de verborgen code op de verpakking ingevoerd, die alleen de koper zichtbaar had mogen maken.',
      'nfc-tap':
        'Verschillende mensen kwamen met een antwoord van de chip dat al gebruikt was, zoals kopieën van de chip het geven.',
      confirmed: 'Het merk heeft deze code onderzocht en vastgesteld dat hij wordt misbruikt.',
    },
    impossible_travel: 'De code is in te korte tijd op ver uiteen gelegen plaatsen gescand.',
    excessive_scanning: 'Ongewoon veel verschillende mensen hebben de code gescand.',
  },
  product: {
    heading: 'Product',
    brand: 'Merk',
    gtin: 'Artikelnummer (GTIN)',
    serial: 'Serienummer',
    lot: 'Partij',
    expires: 'Houdbaar tot',
  },
  scans: {
    heading: 'Controles van deze code',
    count: { one: '{count} keer gecontroleerd', other: '{count} keer gecontroleerd' },
    visitors: 'Verschillende bezoekers',
    first: 'Eerste controle',
    now: 'Deze controle',
    country: 'Land (geschat)',
    internal: 'Deze controle kwam van een eigen netwerk van het merk en telt niet mee.',
  },
  address: {
    heading: 'Is deze pagina echt?',
    text: 'Bovenaan in uw browser moet het adres precies zo beginnen:',
    note: 'Imitaties van deze pagina hebben een ander adres.',
  },
  issuer: {
    confirmed: 'Bevestigd: {domain}',
    unconfirmed: 'Naam niet bevestigd',
    heading: 'Wie staat achter deze code?',
    holds:
      '{brand} heeft aangetoond dat het domein {domain} van haar is. Controleer of dit dat van het merk is, bijvoorbeeld op de verpakking.',
    unchecked:
      'Niemand heeft gecontroleerd of {brand} is wie het zegt te zijn. Vraag het bij twijfel aan het merk zelf, op een adres dat u kent.',
  },
  position: {
    heading: 'Help kopieën te vinden',
    text: 'U kunt uw locatie aan deze controle toevoegen. Die helpt om gekopieerde codes en producten buiten hun markt op te merken; het merk kan de locatie zien. Ze wordt alleen verzonden als u op de knop drukt.',
    button: 'Mijn locatie toevoegen',
    done: 'Bedankt. Uw locatie is toegevoegd.',
    failed: 'Dat is niet gelukt. Uw controle telt toch mee.',
  },
  hiddenCode: {
    heading: 'Is er een verborgen code?',
    text: 'Sommige verpakkingen hebben een tweede code onder een laag die u wegkrast of lostrekt. Maak hem zichtbaar zodra het product van u is: hij helpt u te bepalen of u het origineel hebt.',
    label: 'Verborgen code',
    check: 'Verborgen code controleren',
    first: {
      title: 'Verborgen code: juist',
      text: 'Niemand anders heeft hem eerder ingevoerd. Als de laag onbeschadigd was tot u hem verwijderde, spreekt dat sterk voor het origineel.',
    },
    repeated: {
      title: 'Verborgen code: al ingevoerd',
      text: 'Hij is juist, maar hij is al eerder ingevoerd, het eerst op {date}. Als u dat niet was en ook niemand die u kent, kan het product in uw hand een kopie zijn.',
    },
    wrong: {
      title: 'Verborgen code: niet juist',
      text: 'Vergelijk hem teken voor teken en probeer het nog eens. Blijft hij onjuist, dan kan het product in uw hand een kopie zijn: meld het hieronder.',
    },
  },
  nfc: {
    heading: 'Controleer de chip in de verpakking',
    text: 'De verpakking van het origineel heeft een NFC-chip, die moeilijk te kopiëren is. Houd de bovenkant van uw telefoon ertegen, met het scherm aan, en open het adres dat verschijnt.',
    counter:
      'Dit was uitlezing nummer {count} van de chip. Houd de telefoon er nog eens tegenaan: blijft het nummer gelijk, dan kan de chip een kopie zijn.',
    fresh: {
      title: 'Chip: antwoord juist en nieuw',
      text: 'Alleen de chip van dit product kan dit antwoord geven, en niemand anders heeft het eerder gebruikt. Als de chip zit waar hij hoort en daar niet naartoe is verplaatst, spreekt dat sterk voor het origineel.',
    },
    replayed: {
      title: 'Chip: antwoord al gebruikt',
      text: 'Het antwoord is juist, maar was al gebruikt op {date}: de chip geeft telkens een nieuw antwoord. Als u uw telefoon net tegen de verpakking hebt gehouden, doe dat dan nog eens. Verschijnt dit opnieuw, dan kan het product in uw hand een kopie zijn. Als iemand u deze link heeft gestuurd, zegt die niets over welke verpakking dan ook.',
    },
    invalid: {
      title: 'Chip: antwoord niet juist',
      text: 'Dit antwoord komt niet van de chip van dit product. Als u uw telefoon net tegen de verpakking hebt gehouden, doe dat dan nog eens. Verschijnt dit opnieuw, dan kan het product in uw hand een kopie zijn: meld het hieronder. Als iemand u deze link heeft gestuurd, zegt die niets over welke verpakking dan ook.',
    },
  },
  report: {
    heading: 'Dit product melden',
    what: 'Wat klopt er niet?',
    where: 'Waar hebt u het vandaan? (optioneel)',
    email: 'Uw e-mailadres, voor vragen (optioneel)',
    send: 'Melding versturen',
    thanksTitle: 'Bedankt',
    thanksText: 'Uw melding is ontvangen en wordt door mensen bekeken.',
  },
  front: {
    title: 'Een product controleren',
    text: 'Scan de code op het product met de camera van je telefoon. Die opent op dit adres een pagina die zegt wat er over de code bekend is.',
    typed: 'Of typ de code, of het adres dat erbij staat',
    check: 'Controleren',
    incomplete:
      'Dit is geen volledige code. Een code heeft 24 letters en cijfers; alleen een serienummer is niet genoeg. Scan de code of vraag het de verkoper.',
    brands: 'Voor merken: inloggen',
  },
  problems: {
    wait: {
      title: 'Een ogenblik, alstublieft',
      text: 'Er kwamen te veel verzoeken van uw verbinding. Wacht een minuut en probeer het dan opnieuw.',
    },
    away: {
      title: 'Op dit moment geen antwoord',
      text: 'De fout ligt bij ons, niet bij u. Probeer het zo meteen opnieuw.',
    },
    address: {
      title: 'Deze pagina bestaat niet',
      text: 'Het adres is onvolledig of gewijzigd. Open de pagina opnieuw met de code of de link die u hebt gekregen.',
    },
    unread: {
      title: 'Dit kon niet worden gelezen',
      text: 'Er is niets opgeslagen. Ga een pagina terug en probeer het opnieuw.',
    },
    neutral: 'Dit zegt niets over het product.',
    again: 'Opnieuw proberen',
  },
  from: 'Van {brand}',
  contact: 'Contact met {brand}',
  privacy:
    'Deze controle is opgeslagen met het tijdstip, de plaats bij benadering en, voor beperkte tijd, uw netwerkadres, zonder uw naam.',
  language: 'Taal',
};
