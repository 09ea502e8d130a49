import type { Messages } from '../messages.ts';

export const fr: Messages = {
  verdicts: {
    genuine: {
      title: 'Code authentique',
      lead: '{brand} a émis ce code, et rien ne le rend suspect.',
      leadMedium: '{brand} a émis ce code pour ce produit.',
      steps: [
        'Comparez le produit que vous tenez avec les indications ci-dessous.',
        'Vérifiez que le scellé et l’emballage sont intacts.',
      ],
    },
    suspicious: {
      title: 'Peut-être copié',
      lead: 'Le code est connu, mais la façon dont il a été scanné laisse penser qu’il a été copié sur d’autres produits. Celui que vous tenez peut tout de même être l’original.',
      leadConfirmed:
        'La marque a enquêté sur ce code et a constaté qu’il est utilisé de façon abusive. Le produit que vous tenez peut tout de même être l’original.',
      steps: [
        'N’utilisez pas le produit avant d’être sûr de sa provenance.',
        'Demandez au vendeur où il l’a acheté.',
        'Signalez-le ci-dessous : cela aide {brand} à trouver les copies.',
      ],
    },
    diverted: {
      title: 'Destiné à un autre marché',
      lead: '{brand} a émis ce code pour un produit qui n’était pas destiné à être vendu là où vous êtes.',
      steps: [
        'Vérifiez si la garantie est valable dans votre pays ; le mode d’emploi et la composition peuvent différer.',
        'Demandez au vendeur d’où vient le produit.',
      ],
    },
    suspended: {
      title: 'Bloqué pour l’instant',
      lead: '{brand} a bloqué ce code le temps d’une vérification.',
      steps: [
        'N’achetez pas et n’utilisez pas le produit pour le moment.',
        'Renseignez-vous auprès de {brand} ou du vendeur.',
      ],
    },
    recalled: {
      title: 'Rappelé',
      lead: '{brand} a rappelé ce produit.',
      steps: [
        'N’utilisez plus le produit et ne le donnez à personne.',
        'Rapportez-le au vendeur ou contactez {brand}.',
      ],
    },
    expired: {
      title: 'Date de péremption dépassée',
      lead: '{brand} a émis ce code, mais la date de péremption du produit est dépassée.',
      steps: ['Ne l’utilisez plus.', 'Si vous venez de l’acheter, rapportez-le au vendeur.'],
    },
    inactive: {
      title: 'Non autorisé à la vente',
      lead: '{brand} a émis ce code, mais n’a pas autorisé la vente de ce produit.',
      steps: [
        'Ne l’achetez pas : il ne devrait pas être en magasin.',
        'Signalez ci-dessous où vous l’avez trouvé.',
      ],
    },
    unknown: {
      title: 'Code non reconnu',
      lead: 'Nous ne connaissons pas ce code. Il a peut-être été mal lu, ou n’a jamais été émis ici.',
      steps: [
        'Scannez le code à nouveau, avec un bon éclairage.',
        'S’il reste inconnu, ne vous fiez pas au produit et signalez-le ci-dessous.',
      ],
    },
  },
  productCode: {
    title: 'Ce code ne désigne que le produit',
    lead: 'De nombreux exemplaires du produit portent ce même code. Il ne montre pas si celui que vous tenez est authentique.',
    steps: [
      'Cherchez sur le produit et son emballage un autre code, propre à cet exemplaire.',
      'Scannez-le : lui seul peut être vérifié.',
      'S’il n’y en a pas, renseignez-vous auprès de {brand} ou du vendeur.',
    ],
  },
  evidence:
    'Un code authentique est un bon indice, mais pas une preuve : un code copié a d’abord la même apparence.',
  next: 'Que faire maintenant',
  why: 'Pourquoi nous le disons',
  noticed: 'Ce qui a été remarqué',
  reasons: {
    clone: {
      places:
        'Les lieux et les moments où le code a été scanné s’expliquent mieux par plusieurs produits que par un seul.',
      'not-shipped': 'D’après les registres de la marque, ce produit n’est encore arrivé dans aucun magasin.',
      consumed:
        'Ce produit a été noté comme entièrement utilisé, et une autre personne a scanné son code depuis.',
      'hidden-code':
        'Plusieurs personnes différentes ont saisi le code caché sur l’emballage, que seul l’acheteur aurait dû découvrir.',
      'nfc-tap':
        'Plusieurs personnes différentes sont venues avec une réponse de la puce qui avait déjà servi, comme en donnent les copies de la puce.',
      confirmed: 'La marque a enquêté sur ce code et a constaté qu’il est utilisé de façon abusive.',
    },
    impossible_travel:
      'Le code a été scanné à des endroits très éloignés les uns des autres, en trop peu de temps.',
    excessive_scanning: 'Un nombre inhabituel de personnes différentes ont scanné le code.',
  },
  product: {
    heading: 'Produit',
    brand: 'Marque',
    gtin: 'Référence (GTIN)',
    serial: 'Numéro de série',
    lot: 'Lot',
    expires: 'Expire le',
  },
  scans: {
    heading: 'Vérifications de ce code',
    count: {
      one: 'Vérifié {count} fois',
      many: 'Vérifié {count} de fois',
      other: 'Vérifié {count} fois',
    },
    visitors: 'Visiteurs différents',
    first: 'Première vérification',
    now: 'Cette vérification',
    country: 'Pays (estimé)',
    internal: 'Cette vérification vient d’un réseau propre à la marque et n’est pas comptée.',
  },
  address: {
    heading: 'Cette page est-elle la bonne ?',
    text: 'En haut de votre navigateur, l’adresse doit commencer exactement ainsi :',
    note: 'Les imitations de cette page ont une autre adresse.',
  },
  issuer: {
    confirmed: 'Confirmé : {domain}',
    unconfirmed: 'Nom non confirmé',
    heading: 'Qui est derrière ce code ?',
    holds:
      '{brand} a prouvé que le domaine {domain} lui appartient. Vérifiez que c’est bien celui de la marque, par exemple sur l’emballage.',
    unchecked:
      'Personne n’a vérifié que {brand} est bien qui elle dit être. En cas de doute, demandez à la marque elle-même, à une adresse que vous connaissez.',
  },
  position: {
    heading: 'Aider à trouver les copies',
    text: 'Vous pouvez ajouter votre position à cette vérification. Elle aide à repérer les codes copiés et les produits hors de leur marché ; la marque peut la voir. Elle n’est envoyée que si vous appuyez sur le bouton.',
    button: 'Ajouter ma position',
    done: 'Merci. Votre position a été ajoutée.',
    failed: 'Cela n’a pas fonctionné. Votre vérification compte quand même.',
  },
  hiddenCode: {
    heading: 'Y a-t-il un code caché ?',
    text: 'Certains emballages portent un second code sous une couche à gratter ou à décoller. Découvrez-le une fois le produit à vous : il aide à savoir si vous tenez l’original.',
    label: 'Code caché',
    check: 'Vérifier le code caché',
    first: {
      title: 'Code caché : correct',
      text: 'Personne d’autre ne l’a saisi auparavant. Si la couche était intacte jusqu’à ce que vous la retiriez, c’est un indice fort qu’il s’agit de l’original.',
    },
    repeated: {
      title: 'Code caché : déjà saisi',
      text: 'Il est correct, mais il a déjà été saisi, la première fois le {date}. Si ce n’était ni vous ni une personne que vous connaissez, le produit que vous tenez peut être une copie.',
    },
    wrong: {
      title: 'Code caché : incorrect',
      text: 'Comparez-le caractère par caractère, puis réessayez. S’il reste incorrect, le produit que vous tenez peut être une copie : signalez-le ci-dessous.',
    },
  },
  nfc: {
    heading: 'Vérifiez la puce de l’emballage',
    text: 'L’emballage de l’original contient une puce NFC, difficile à copier. Approchez-en le haut de votre téléphone, écran allumé, et ouvrez l’adresse qui s’affiche.',
    counter:
      'C’était la lecture numéro {count} de la puce. Approchez de nouveau votre téléphone : si le numéro reste le même, la puce peut être une copie.',
    fresh: {
      title: 'Puce : réponse correcte et nouvelle',
      text: 'Seule la puce de ce produit peut donner cette réponse, et personne d’autre ne l’a utilisée auparavant. Si la puce est à sa place et n’y a pas été déplacée, c’est un indice fort qu’il s’agit de l’original.',
    },
    replayed: {
      title: 'Puce : réponse déjà utilisée',
      text: 'La réponse est correcte, mais elle avait déjà servi le {date} : la puce en donne une nouvelle à chaque lecture. Si vous venez d’approcher votre téléphone de l’emballage, recommencez. Si ce message réapparaît, le produit que vous tenez peut être une copie. Si quelqu’un vous a envoyé ce lien, il ne dit rien d’aucun emballage.',
    },
    invalid: {
      title: 'Puce : réponse incorrecte',
      text: 'Cette réponse ne vient pas de la puce de ce produit. Si vous venez d’approcher votre téléphone de l’emballage, recommencez. Si ce message réapparaît, le produit que vous tenez peut être une copie : signalez-le ci-dessous. Si quelqu’un vous a envoyé ce lien, il ne dit rien d’aucun emballage.',
    },
  },
  report: {
    heading: 'Signaler ce produit',
    what: 'Qu’est-ce qui ne va pas ?',
    where: 'Où l’avez-vous obtenu ? (facultatif)',
    email: 'Votre adresse e-mail, en cas de questions (facultatif)',
    send: 'Envoyer le signalement',
    thanksTitle: 'Merci',
    thanksText: 'Votre signalement est arrivé et sera examiné par une personne.',
  },
  front: {
    title: 'Vérifier un produit',
    text: 'Scannez le code du produit avec l’appareil photo de votre téléphone. Il ouvre, à cette adresse, une page qui dit ce que l’on sait du code.',
    typed: 'Ou saisissez le code, ou l’adresse imprimée à côté',
    check: 'Vérifier',
    incomplete:
      'Ce code n’est pas complet. Un code compte 24 lettres et chiffres ; un numéro de série seul ne suffit pas. Scannez le code ou demandez au vendeur.',
    brands: 'Pour les marques : se connecter',
  },
  problems: {
    wait: {
      title: 'Un instant, s’il vous plaît',
      text: 'Trop de demandes sont venues de votre connexion. Attendez une minute, puis réessayez.',
    },
    away: {
      title: 'Pas de réponse pour l’instant',
      text: 'L’erreur vient de nous, pas de vous. Réessayez dans un instant.',
    },
    address: {
      title: 'Cette page n’existe pas',
      text: 'Son adresse est incomplète ou a été modifiée. Ouvrez-la à nouveau avec le code ou le lien que vous avez reçu.',
    },
    unread: {
      title: 'Envoi illisible',
      text: 'Rien n’a été enregistré. Revenez à la page précédente et réessayez.',
    },
    neutral: 'Cela ne dit rien sur le produit.',
    again: 'Réessayer',
  },
  from: 'De la part de {brand}',
  contact: 'Contacter {brand}',
  privacy:
    'Cette vérification a été enregistrée avec l’heure, le lieu approximatif et, pour une durée limitée, votre adresse réseau, sans votre nom.',
  language: 'Langue',
};
