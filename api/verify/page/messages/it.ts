import type { Messages } from '../messages.ts';

export const it: Messages = {
  verdicts: {
    genuine: {
      title: 'Codice autentico',
      lead: '{brand} ha emesso questo codice e nulla fa pensare a un problema.',
      leadMedium: '{brand} ha emesso questo codice per questo prodotto.',
      steps: [
        'Confronti il prodotto che ha in mano con i dati qui sotto.',
        'Controlli che il sigillo e la confezione siano intatti.',
      ],
    },
    suspicious: {
      title: 'Forse copiato',
      lead: 'Il codice è noto, ma il modo in cui è stato scansionato fa pensare che sia stato copiato su altri prodotti. Quello che ha in mano può comunque essere l’originale.',
      leadConfirmed:
        'Il marchio ha indagato su questo codice e ha accertato che viene usato in modo indebito. Il prodotto che ha in mano può comunque essere l’originale.',
      steps: [
        'Non usi il prodotto finché non è sicuro della sua provenienza.',
        'Chieda al venditore dove l’ha acquistato.',
        'Lo segnali qui sotto: aiuterà {brand} a trovare le copie.',
      ],
    },
    diverted: {
      title: 'Destinato a un altro mercato',
      lead: '{brand} ha emesso questo codice per un prodotto che non era destinato alla vendita nel luogo in cui lei si trova.',
      steps: [
        'Controlli se la garanzia vale nel suo Paese; istruzioni e ingredienti possono essere diversi.',
        'Chieda al venditore da dove viene il prodotto.',
      ],
    },
    suspended: {
      title: 'Bloccato per ora',
      lead: '{brand} ha bloccato questo codice in attesa di chiarimenti.',
      steps: ['Per il momento non acquisti e non usi il prodotto.', 'Si rivolga a {brand} o al venditore.'],
    },
    recalled: {
      title: 'Richiamato',
      lead: '{brand} ha richiamato questo prodotto.',
      steps: [
        'Smetta di usare il prodotto e non lo dia ad altri.',
        'Lo riporti al venditore o contatti {brand}.',
      ],
    },
    expired: {
      title: 'Scaduto',
      lead: '{brand} ha emesso questo codice, ma il prodotto ha superato la data di scadenza.',
      steps: ['Non lo usi più.', 'Se lo ha appena acquistato, lo riporti al venditore.'],
    },
    inactive: {
      title: 'Non autorizzato alla vendita',
      lead: '{brand} ha emesso questo codice, ma non ha autorizzato la vendita di questo prodotto.',
      steps: [
        'Non lo acquisti: non dovrebbe trovarsi in un negozio.',
        'Segnali qui sotto dove l’ha trovato.',
      ],
    },
    unknown: {
      title: 'Codice non riconosciuto',
      lead: 'Non conosciamo questo codice. Forse è stato letto male o non è mai stato emesso qui.',
      steps: [
        'Scansioni di nuovo il codice, con una buona luce.',
        'Se resta sconosciuto, non si fidi del prodotto e lo segnali qui sotto.',
      ],
    },
  },
  productCode: {
    title: 'Questo codice indica solo il prodotto',
    lead: 'Molti pezzi del prodotto portano questo stesso codice. Il codice non indica se quello che ha in mano è autentico.',
    steps: [
      'Cerchi sul prodotto e sulla confezione un altro codice, che appartenga solo a questo pezzo.',
      'Lo scansioni: solo quello si può verificare.',
      'Se non c’è, si rivolga a {brand} o al venditore.',
    ],
  },
  evidence:
    'Un codice autentico è un buon indizio, ma non una prova: all’inizio un codice copiato appare identico.',
  next: 'Che cosa fare ora',
  why: 'Perché lo diciamo',
  noticed: 'Che cosa è stato notato',
  reasons: {
    clone: {
      places:
        'I luoghi e i momenti in cui il codice è stato scansionato si spiegano meglio con più prodotti che con uno solo.',
      'not-shipped':
        'Secondo i registri del marchio, questo prodotto non è ancora arrivato in nessun negozio.',
      consumed:
        'Questo prodotto risulta già consumato, e da allora un’altra persona ha scansionato il suo codice.',
      'hidden-code':
        'Più persone diverse hanno inserito il codice nascosto sulla confezione, che solo l’acquirente avrebbe dovuto scoprire.',
      'nfc-tap':
        'Più persone diverse sono arrivate con una risposta del chip già usata, come la danno le copie del chip.',
      confirmed: 'Il marchio ha indagato su questo codice e ha accertato che viene usato in modo indebito.',
    },
    impossible_travel: 'Il codice è stato scansionato in luoghi molto lontani tra loro in troppo poco tempo.',
    excessive_scanning: 'Un numero insolito di persone diverse ha scansionato il codice.',
  },
  product: {
    heading: 'Prodotto',
    brand: 'Marchio',
    gtin: 'Codice articolo (GTIN)',
    serial: 'Numero di serie',
    lot: 'Lotto',
    expires: 'Scade il',
  },
  scans: {
    heading: 'Verifiche di questo codice',
    count: {
      one: 'Verificato {count} volta',
      many: 'Verificato {count} di volte',
      other: 'Verificato {count} volte',
    },
    visitors: 'Visitatori diversi',
    first: 'Prima verifica',
    now: 'Questa verifica',
    country: 'Paese (stimato)',
    internal: 'Questa verifica è stata fatta da una rete propria del marchio e non viene contata.',
  },
  address: {
    heading: 'Questa pagina è autentica?',
    text: 'In alto nel browser, l’indirizzo deve iniziare esattamente così:',
    note: 'Le imitazioni di questa pagina hanno un altro indirizzo.',
  },
  issuer: {
    confirmed: 'Confermato: {domain}',
    unconfirmed: 'Nome non confermato',
    heading: 'Chi c’è dietro questo codice?',
    holds:
      '{brand} ha dimostrato che il dominio {domain} è suo. Controlli che sia quello del marchio, per esempio sulla confezione.',
    unchecked:
      'Nessuno ha verificato che {brand} sia davvero chi dice di essere. In caso di dubbio chieda al marchio stesso, a un indirizzo che conosce.',
  },
  position: {
    heading: 'Ci aiuti a trovare le copie',
    text: 'Può aggiungere la sua posizione a questa verifica. Aiuta a individuare codici copiati e prodotti fuori dal loro mercato; il marchio può vederla. Viene inviata solo se preme il pulsante.',
    button: 'Aggiungi la mia posizione',
    done: 'Grazie. La sua posizione è stata aggiunta.',
    failed: 'Non ha funzionato. La sua verifica vale comunque.',
  },
  hiddenCode: {
    heading: 'C’è un codice nascosto?',
    text: 'Alcune confezioni hanno un secondo codice sotto uno strato da grattare o staccare. Lo scopra quando il prodotto è suo: aiuta a capire se ha in mano l’originale.',
    label: 'Codice nascosto',
    check: 'Verifica il codice nascosto',
    first: {
      title: 'Codice nascosto: corretto',
      text: 'Nessun altro l’ha inserito prima. Se lo strato era intatto finché non l’ha tolto lei, è un forte indizio che si tratti dell’originale.',
    },
    repeated: {
      title: 'Codice nascosto: già inserito',
      text: 'È corretto, ma era già stato inserito, la prima volta in data {date}. Se non è stato né lei né qualcuno che conosce, il prodotto che ha in mano può essere una copia.',
    },
    wrong: {
      title: 'Codice nascosto: non corretto',
      text: 'Lo confronti carattere per carattere e riprovi. Se rimane errato, il prodotto che ha in mano può essere una copia: lo segnali qui sotto.',
    },
  },
  nfc: {
    heading: 'Verifichi il chip nella confezione',
    text: 'La confezione dell’originale ha un chip NFC, difficile da copiare. Avvicini al chip la parte superiore del telefono, con lo schermo acceso, e apra l’indirizzo che appare.',
    counter:
      'Questa era la lettura numero {count} del chip. Avvicini di nuovo il telefono: se il numero resta uguale, il chip può essere una copia.',
    fresh: {
      title: 'Chip: risposta corretta e nuova',
      text: 'Solo il chip di questo prodotto può dare questa risposta, e nessun altro l’ha usata prima. Se il chip è al suo posto e non vi è stato spostato, è un forte indizio che si tratti dell’originale.',
    },
    replayed: {
      title: 'Chip: risposta già usata',
      text: 'La risposta è corretta, ma era già stata usata in data {date}: il chip ne dà una nuova a ogni lettura. Se ha appena avvicinato il telefono alla confezione, lo faccia ancora una volta. Se questo messaggio riappare, il prodotto che ha in mano può essere una copia. Se qualcuno le ha inviato questo link, non dice nulla di nessuna confezione.',
    },
    invalid: {
      title: 'Chip: risposta non corretta',
      text: 'Questa risposta non viene dal chip di questo prodotto. Se ha appena avvicinato il telefono alla confezione, lo faccia ancora una volta. Se questo messaggio riappare, il prodotto che ha in mano può essere una copia: lo segnali qui sotto. Se qualcuno le ha inviato questo link, non dice nulla di nessuna confezione.',
    },
  },
  report: {
    heading: 'Segnala questo prodotto',
    what: 'Che cosa non va?',
    where: 'Dove l’ha preso? (facoltativo)',
    email: 'Il suo indirizzo e-mail, per eventuali domande (facoltativo)',
    send: 'Invia la segnalazione',
    thanksTitle: 'Grazie',
    thanksText: 'La sua segnalazione è arrivata e sarà esaminata da una persona.',
  },
  front: {
    title: 'Verificare un prodotto',
    text: 'Scansiona il codice sul prodotto con la fotocamera del telefono. Apre, a questo indirizzo, una pagina che dice che cosa si sa del codice.',
    typed: 'Oppure scrivi il codice, o l’indirizzo stampato accanto',
    check: 'Verifica',
    incomplete:
      'Questo non è un codice completo. Un codice ha 24 lettere e cifre; il solo numero di serie non basta. Scansiona il codice o chiedi al venditore.',
    brands: 'Per i marchi: accedi',
  },
  problems: {
    wait: {
      title: 'Un momento, per favore',
      text: 'Dalla sua connessione sono arrivate troppe richieste. Attenda un minuto, poi riprovi.',
    },
    away: {
      title: 'Nessuna risposta al momento',
      text: 'L’errore è nostro, non suo. Riprovi tra poco.',
    },
    address: {
      title: 'Questa pagina non esiste',
      text: 'L’indirizzo è incompleto o è stato modificato. Apra la pagina di nuovo con il codice o il link che ha ricevuto.',
    },
    unread: {
      title: 'Impossibile leggere i dati inviati',
      text: 'Non è stato salvato nulla. Torni alla pagina precedente e riprovi.',
    },
    neutral: 'Questo non dice nulla sul prodotto.',
    again: 'Riprova',
  },
  from: 'Da {brand}',
  contact: 'Contatta {brand}',
  privacy:
    'Questa verifica è stata registrata con l’ora, il luogo approssimativo e, per un tempo limitato, il suo indirizzo di rete, senza il suo nome.',
  language: 'Lingua',
};
