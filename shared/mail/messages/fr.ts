import type { MailWords } from '../words.ts';

const IGNORE = 'Si cette demande ne vient pas de vous, ignorez cet e-mail : sans le lien, rien ne se passe.';
const TELL = 'prévenez un administrateur de votre organisation';
const WHY_DISABLED = {
  gone: (url: string) => `${url} a répondu 410 Gone : plus rien n’y est envoyé.`,
  failing: (url: string) =>
    `Toutes les livraisons à ${url} échouent depuis plusieurs jours : plus rien n’y est envoyé.`,
  unreadable: (url: string) =>
    `Le secret de signature ou les en-têtes enregistrés pour ${url} ne peuvent plus être déchiffrés : plus rien n’y est envoyé. Remplacez le secret sans période de recouvrement et redéfinissez les en-têtes, ou demandez à l’exploitant du service de remettre la clé.`,
};

export const fr: MailWords = {
  roles: {
    owner: 'propriétaire',
    administrator: 'administrateur',
    analyst: 'analyste',
    viewer: 'lecteur',
  },
  confirmSignUp: (organization) => ({
    subject: 'Confirmez votre adresse pour Touchstone',
    paragraphs: [
      `Quelqu’un, probablement vous, a inscrit l’organisation « ${organization} » avec cette adresse.`,
    ],
    button: 'Confirmer l’adresse',
    closing: ['Le lien ne sert qu’une fois, pendant 24 heures.', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'Vous avez déjà un compte',
    paragraphs: [
      'Quelqu’un, probablement vous, a voulu s’inscrire avec cette adresse. Elle a déjà un compte : rien n’a été modifié.',
      'Connectez-vous comme d’habitude, ou demandez un nouveau mot de passe si vous avez oublié le vôtre.',
    ],
    button: 'Demander un nouveau mot de passe',
  },
  resetPassword: {
    subject: 'Choisissez un nouveau mot de passe',
    paragraphs: ['Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte.'],
    button: 'Choisir un nouveau mot de passe',
    closing: ['Le lien ne sert qu’une fois, dans l’heure qui suit la demande.', IGNORE],
  },
  passwordChanged: {
    subject: 'Votre mot de passe a été modifié',
    paragraphs: [
      'Le mot de passe de votre compte a été modifié, et toutes les autres sessions ont été fermées.',
      `Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe et ${TELL}.`,
    ],
  },
  secondFactorOn: {
    subject: 'Votre second facteur est activé',
    paragraphs: [
      'Désormais, la connexion demande aussi un code de votre application d’authentification.',
      `Si ce n’était pas vous, changez immédiatement votre mot de passe et ${TELL}.`,
    ],
  },
  secondFactorOff: {
    subject: 'Votre second facteur est désactivé',
    paragraphs: [
      'Désormais, votre mot de passe suffit pour vous connecter.',
      `Si ce n’était pas vous, changez immédiatement votre mot de passe et ${TELL}.`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: 'Une session a été fermée par sécurité',
    paragraphs: [
      'L’une de vos sessions a été renouvelée avec un jeton qui avait déjà servi, ce qui arrive quand un jeton a été copié. La session a été fermée.',
      'Reconnectez-vous. Si cela se reproduit, changez votre mot de passe.',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `Invitation à rejoindre ${organization}`,
    paragraphs: [
      `${invitedBy} vous invite à rejoindre l’organisation « ${organization} ». Votre rôle : ${role}.`,
    ],
    button: 'Accepter l’invitation',
    closing: [
      'Le lien ne sert qu’une fois, pendant sept jours.',
      'Si vous ne connaissez pas l’expéditeur, ignorez cet e-mail.',
    ],
  }),
  securityNotice: (organization, entries) => ({
    subject: `Sécurité de l’organisation ${organization} : ${entries === 1 ? '1 entrée' : `${entries} entrées`}`,
    paragraphs: [
      `Vous êtes le contact de sécurité de l’organisation « ${organization} ». Voici ce que signale son journal d’audit :`,
    ],
    closing: [`Si ce n’était pas voulu, ${TELL} sans attendre.`],
  }),
  securityActions: {
    createApiKey: 'Une clé d’API a été créée',
    rotateApiKey: 'Le secret d’une clé d’API a été remplacé',
    revokeApiKey: 'Une clé d’API a été révoquée',
    invite: 'Une personne a été invitée dans l’organisation',
    acceptInvitation: 'Une invitation a été acceptée',
    updateUser: 'Le rôle d’une personne a été modifié, ou cette personne a été bloquée ou réadmise',
    removeUser: 'Une personne a été retirée',
    disableTotp: 'Une personne a désactivé son second facteur',
    resetPassword: 'Une personne a choisi un nouveau mot de passe par un lien reçu par e-mail',
    sessionReplayed: 'Une session a été fermée, car son jeton avait été copié',
    signInLimited: 'Trop d’essais ont été faits pour deviner le mot de passe d’une personne',
    secondFactorFailed: 'Quelqu’un avait le mot de passe d’une personne, mais pas son second facteur',
    rotateWebhookSecret: 'Le secret de signature d’un point de réception de webhooks a été remplacé',
    disableWebhookEndpoint: 'Un point de réception de webhooks a été désactivé',
    updateOrganization: 'Le contact de sécurité a été modifié',
    setInternalNetworks: 'Les réseaux propres à l’organisation ont été modifiés',
    setDomain: 'Le domaine de l’organisation a été modifié',
    removeDomain: 'Le domaine de l’organisation a été retiré',
    lapseDomain: 'Le domaine de l’organisation ne compte plus : son enregistrement est introuvable',
    setSingleSignOn:
      'L’authentification unique de l’organisation a été modifiée : les personnes se connectent par le fournisseur indiqué',
    removeSingleSignOn:
      'L’authentification unique de l’organisation a été retirée : les personnes se connectent de nouveau par mot de passe',
    joinBySingleSignOn: 'Une personne a rejoint l’organisation par l’authentification unique',
    forgetIdentity:
      'Une personne peut se connecter avec un autre compte chez le fournisseur d’authentification unique',
  },
  actors: {
    user: (name) => `par ${name}`,
    key: (name) => `par la clé d’API « ${name} »`,
    operator: 'par l’exploitant',
    anonymous: 'par quelqu’un qui n’était pas connecté',
    service: 'par le service lui-même',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : ` (${resource})`} : ${by}${ip === null ? '' : `, depuis l’adresse ${ip}`}, le ${at}.`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`Du nouveau chez « ${organization} » attend que quelqu’un s’en occupe :`],
      button: 'Ouvrir la vue d’ensemble',
      closing: [
        every === 'hourly'
          ? 'Vous recevez au plus un e-mail de ce type par heure. Choisissez la fréquence, ou désactivez ces e-mails, dans les paramètres de votre compte :'
          : 'Vous recevez au plus un e-mail de ce type par jour. Choisissez la fréquence, ou désactivez ces e-mails, dans les paramètres de votre compte :',
      ],
    }),
    cases: 'Unités suspectes',
    diversions: 'Unités hors de leurs marchés',
    reports: 'Signalements de faux présumés',
    receipts: 'Réceptions avec écarts',
    noProduct: 'Un code inconnu',
    all: 'Tout voir',
  },
  summary: {
    subject: (organization, days) => `${organization} : la semaine du ${days}`,
    wording: (organization, days) => ({
      paragraphs: [`Voici le bilan de la semaine du ${days} chez « ${organization} » :`],
      button: 'Ouvrir la vue d’ensemble',
      closing: [
        'Vous recevez cet e-mail une fois par semaine. Désactivez-le dans les paramètres de votre compte :',
      ],
    }),
    scans: 'Scans',
    suspicious: 'Suspects',
    diverted: 'Hors de leurs marchés',
    firstScanned: 'Unités scannées pour la première fois',
    cases: 'Nouveaux dossiers',
    reports: 'Nouveaux signalements de faux présumés',
    open: 'Ouverts à ce jour',
    unknownPlace: 'Lieu inconnu',
    doubtful: 'suspects ou hors des marchés',
    countries: 'Pays avec le plus de scans',
    products: 'Produits',
    change: (share) => `${share} par rapport à la semaine précédente`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'Un point de réception de webhooks échoue sans cesse',
    paragraphs: [
      `Toutes les livraisons à ${url} échouent depuis le ${since}.`,
      `Les événements sont conservés et renvoyés. Si rien ne change, le point de réception sera désactivé le ${disablesAt}.`,
      'La liste de ses livraisons montre ce qu’il a répondu.',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'Un point de réception de webhooks a été désactivé',
    paragraphs: [
      WHY_DISABLED[why](url),
      'Les événements sont conservés. Réactivez le point de réception pour les recevoir, ou rattrapez une période.',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `L’enregistrement de ${domain} a disparu`,
    paragraphs: [
      `Touchstone ne trouve plus l’enregistrement TXT par lequel votre organisation montre que ${domain} lui appartient.`,
      `Où il doit se trouver : ${name}`,
      `Ce qu’il doit contenir : ${record}`,
      `Jusqu’au ${lapsesAt}, les pages que voient les consommateurs continuent d’indiquer le domaine. Si l’enregistrement n’est pas revenu d’ici là, elles cessent de le faire.`,
    ],
    closing: ['Si le domaine ne doit plus être indiqué, retirez-le dans les paramètres.'],
  }),
  domainLapsed: (domain) => ({
    subject: `${domain} n’est plus indiqué`,
    paragraphs: [
      `L’enregistrement TXT par lequel votre organisation montre que ${domain} lui appartient est introuvable depuis trop longtemps. Les pages que voient les consommateurs n’indiquent plus le domaine.`,
      'Remettez l’enregistrement : les paramètres disent ce qu’il doit contenir, et permettent de le rechercher de nouveau.',
    ],
  }),
};
