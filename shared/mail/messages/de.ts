import type { MailWords } from '../words.ts';

const IGNORE = 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.';
const TELL = 'informieren Sie einen Administrator Ihrer Organisation';
const WHY_DISABLED = {
  gone: (url: string) => `${url} hat mit 410 Gone geantwortet; deshalb wird nichts mehr dorthin gesendet.`,
  failing: (url: string) =>
    `Seit Tagen ist jede Zustellung an ${url} gescheitert; deshalb wird nichts mehr dorthin gesendet.`,
  unreadable: (url: string) =>
    `Das Signaturgeheimnis oder die Kopfzeilen, die für ${url} gespeichert sind, lassen sich nicht mehr entschlüsseln; deshalb wird nichts mehr dorthin gesendet. Ersetzen Sie das Geheimnis ohne Übergangszeit und setzen Sie die Kopfzeilen neu, oder lassen Sie den Betreiber des Dienstes den Schlüssel zurücklegen.`,
};

export const de: MailWords = {
  roles: { owner: 'Eigentümer', administrator: 'Administrator', analyst: 'Analyst', viewer: 'Leser' },
  confirmSignUp: (organization) => ({
    subject: 'Bestätigen Sie Ihre Adresse für Touchstone',
    paragraphs: [
      `Jemand, vermutlich Sie selbst, hat mit dieser Adresse die Organisation „${organization}“ registriert.`,
    ],
    button: 'Adresse bestätigen',
    closing: ['Der Link gilt einmal, 24 Stunden lang.', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'Sie haben schon ein Konto',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, wollte sich mit dieser Adresse registrieren. Sie hat schon ein Konto; es wurde nichts geändert.',
      'Melden Sie sich wie gewohnt an, oder fordern Sie ein neues Passwort an, wenn Sie Ihres vergessen haben.',
    ],
    button: 'Neues Passwort anfordern',
  },
  resetPassword: {
    subject: 'Wählen Sie ein neues Passwort',
    paragraphs: ['Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto angefordert.'],
    button: 'Neues Passwort wählen',
    closing: ['Der Link gilt einmal, bis eine Stunde nach der Anforderung.', IGNORE],
  },
  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      'Das Passwort Ihres Kontos wurde geändert, und alle anderen Sitzungen wurden beendet.',
      `Wenn Sie das nicht waren, fordern Sie sofort ein neues Passwort an und ${TELL}.`,
    ],
  },
  secondFactorOn: {
    subject: 'Ihr zweiter Faktor ist eingeschaltet',
    paragraphs: [
      'Von jetzt an brauchen Sie zum Anmelden auch einen Code Ihrer Authenticator-App.',
      `Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und ${TELL}.`,
    ],
  },
  secondFactorOff: {
    subject: 'Ihr zweiter Faktor ist abgeschaltet',
    paragraphs: [
      'Von jetzt an genügt zum Anmelden Ihr Passwort.',
      `Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und ${TELL}.`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: 'Eine Sitzung wurde zur Sicherheit beendet',
    paragraphs: [
      'Eine Ihrer Sitzungen wurde mit einem Token erneuert, das schon benutzt worden war. Das geschieht, wenn ein Token kopiert wurde. Die Sitzung wurde beendet.',
      'Melden Sie sich wieder an. Wenn sich das wiederholt, ändern Sie Ihr Passwort.',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `Einladung zu ${organization}`,
    paragraphs: [`${invitedBy} lädt Sie in die Organisation „${organization}“ ein. Ihre Rolle: ${role}.`],
    button: 'Einladung annehmen',
    closing: [
      'Der Link gilt einmal, sieben Tage lang.',
      'Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail.',
    ],
  }),
  securityNotice: (organization, entries) => ({
    subject: `Sicherheit von ${organization}: ${entries === 1 ? '1 Eintrag' : `${entries} Einträge`}`,
    paragraphs: [
      `Sie sind der Sicherheitskontakt von „${organization}“. Das steht im Protokoll der Organisation:`,
    ],
    closing: [
      'Wenn das nicht so gewollt war, informieren Sie sofort einen Administrator Ihrer Organisation.',
    ],
  }),
  securityActions: {
    createApiKey: 'Ein API-Schlüssel wurde angelegt',
    rotateApiKey: 'Das Geheimnis eines API-Schlüssels wurde ersetzt',
    revokeApiKey: 'Ein API-Schlüssel wurde widerrufen',
    invite: 'Jemand wurde in die Organisation eingeladen',
    acceptInvitation: 'Eine Einladung wurde angenommen',
    updateUser: 'Die Rolle einer Person wurde geändert, oder sie wurde gesperrt oder wieder zugelassen',
    removeUser: 'Eine Person wurde entfernt',
    disableTotp: 'Jemand hat den eigenen zweiten Faktor abgeschaltet',
    resetPassword: 'Jemand hat über den Link in einer E-Mail ein neues Passwort gewählt',
    sessionReplayed: 'Eine Sitzung wurde beendet, weil ihr Token kopiert worden war',
    signInLimited: 'Zu oft wurde versucht, das Passwort einer Person zu erraten',
    secondFactorFailed: 'Jemand hatte das Passwort einer Person, aber nicht den zweiten Faktor',
    rotateWebhookSecret: 'Das Signaturgeheimnis eines Webhook-Endpunkts wurde ersetzt',
    disableWebhookEndpoint: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    updateOrganization: 'Der Sicherheitskontakt wurde geändert',
    setInternalNetworks: 'Die eigenen Netze der Organisation wurden geändert',
    setDomain: 'Die Domain der Organisation wurde geändert',
    removeDomain: 'Die Domain der Organisation wurde entfernt',
    lapseDomain: 'Die Domain der Organisation zählt nicht mehr: ihr Eintrag ist nicht zu finden',
    setSingleSignOn:
      'Das Single Sign-on der Organisation wurde geändert: Personen melden sich über den genannten Anbieter an',
    removeSingleSignOn:
      'Das Single Sign-on der Organisation wurde entfernt: Personen melden sich wieder mit Passwörtern an',
    joinBySingleSignOn: 'Jemand ist über das Single Sign-on beigetreten',
    forgetIdentity: 'Eine Person darf sich mit einem anderen Konto beim Anbieter des Single Sign-on anmelden',
  },
  actors: {
    user: (name) => `von ${name}`,
    key: (name) => `vom API-Schlüssel „${name}“`,
    operator: 'vom Betreiber',
    anonymous: 'von jemandem, der nicht angemeldet war',
    service: 'vom Dienst selbst',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : ` (${resource})`}: ${by}${ip === null ? '' : `, Adresse ${ip}`}, am ${at}.`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`Bei „${organization}“ gibt es Neues, um das sich jemand kümmern sollte:`],
      button: 'Überblick öffnen',
      closing: [
        every === 'hourly'
          ? 'Sie erhalten höchstens eine solche E-Mail pro Stunde. Wie oft, oder ob überhaupt, legen Sie in den Einstellungen Ihres Kontos fest:'
          : 'Sie erhalten höchstens eine solche E-Mail am Tag. Wie oft, oder ob überhaupt, legen Sie in den Einstellungen Ihres Kontos fest:',
      ],
    }),
    cases: 'Verdächtige Einheiten',
    diversions: 'Einheiten außerhalb ihrer Märkte',
    reports: 'Meldungen vermuteter Fälschungen',
    receipts: 'Lieferungen, die mit Abweichungen ankamen',
    noProduct: 'Ein unbekannter Code',
    all: 'Alle ansehen',
  },
  summary: {
    subject: (organization, days) => `${organization}: die Woche vom ${days}`,
    wording: (organization, days) => ({
      paragraphs: [`Das hat die Woche vom ${days} bei „${organization}“ gebracht:`],
      button: 'Überblick öffnen',
      closing: [
        'Sie erhalten diese E-Mail einmal in der Woche. Abschalten können Sie sie in den Einstellungen Ihres Kontos:',
      ],
    }),
    scans: 'Scans',
    suspicious: 'Verdächtig',
    diverted: 'Außerhalb ihrer Märkte',
    firstScanned: 'Zum ersten Mal gescannte Einheiten',
    cases: 'Neue Fälle',
    reports: 'Neue Meldungen vermuteter Fälschungen',
    open: 'Jetzt offen',
    unknownPlace: 'Ort unbekannt',
    doubtful: 'verdächtig oder außerhalb der Märkte',
    countries: 'Länder mit den meisten Scans',
    products: 'Produkte',
    change: (share) => `${share} gegenüber der Vorwoche`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'Alle Zustellungen an einen Webhook-Endpunkt scheitern',
    paragraphs: [
      `Seit dem ${since} ist jede Zustellung an ${url} gescheitert.`,
      `Ereignisse werden aufbewahrt und erneut gesendet. Wenn sich nichts ändert, wird der Endpunkt am ${disablesAt} abgeschaltet.`,
      'Was er geantwortet hat, steht im Verlauf seiner Zustellungen.',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    paragraphs: [
      WHY_DISABLED[why](url),
      'Ereignisse werden aufbewahrt. Schalten Sie den Endpunkt wieder ein, damit sie zugestellt werden, oder holen Sie einen Zeitraum nach.',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `Der Eintrag von ${domain} ist fort`,
    paragraphs: [
      `Touchstone findet den TXT-Eintrag nicht mehr, mit dem Ihre Organisation zeigt, dass ${domain} ihr gehört.`,
      `Wo er stehen muss: ${name}`,
      `Was darin stehen muss: ${record}`,
      `Bis ${lapsesAt} nennen die Seiten, die Verbraucher sehen, die Domain weiterhin. Ist der Eintrag bis dahin nicht wieder da, nennen sie sie nicht mehr.`,
    ],
    closing: ['Soll die Domain nicht mehr genannt werden, entfernen Sie sie in den Einstellungen.'],
  }),
  domainLapsed: (domain) => ({
    subject: `${domain} wird nicht mehr genannt`,
    paragraphs: [
      `Der TXT-Eintrag, mit dem Ihre Organisation zeigt, dass ${domain} ihr gehört, ist seit zu langer Zeit nicht zu finden. Die Seiten, die Verbraucher sehen, nennen die Domain nicht mehr.`,
      'Setzen Sie den Eintrag neu: In den Einstellungen steht, wie er lauten muss, und dort lässt sich erneut nachsehen.',
    ],
  }),
};
