import type { MailWords } from '../words.ts';

const IGNORE = 'Si no lo ha pedido usted, ignore este correo: sin el enlace no ocurre nada.';
const TELL = 'avise a un administrador de su organización';
const WHY_DISABLED = {
  gone: (url: string) => `${url} respondió 410 Gone, así que ya no se le envía nada.`,
  failing: (url: string) =>
    `Todas las entregas a ${url} fallan desde hace días, así que ya no se le envía nada.`,
  unreadable: (url: string) =>
    `El secreto de firma o las cabeceras guardadas para ${url} ya no se pueden descifrar, así que ya no se le envía nada. Cambie el secreto sin periodo de solapamiento y vuelva a poner las cabeceras, o pida a quien opera el servicio que restituya la clave.`,
};

export const es: MailWords = {
  roles: {
    owner: 'propietario',
    administrator: 'administrador',
    analyst: 'analista',
    viewer: 'lector',
  },
  confirmSignUp: (organization) => ({
    subject: 'Confirme su dirección para Touchstone',
    paragraphs: [
      `Alguien, probablemente usted, ha registrado la organización «${organization}» con esta dirección.`,
    ],
    button: 'Confirmar la dirección',
    closing: ['El enlace sirve una sola vez, durante 24 horas.', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'Ya tiene una cuenta',
    paragraphs: [
      'Alguien, probablemente usted, ha intentado registrarse con esta dirección. Ya tiene una cuenta, así que no se ha cambiado nada.',
      'Inicie sesión como siempre o, si ha olvidado la contraseña, pida una nueva.',
    ],
    button: 'Pedir una contraseña nueva',
  },
  resetPassword: {
    subject: 'Elija una contraseña nueva',
    paragraphs: ['Alguien, probablemente usted, ha pedido una contraseña nueva para su cuenta.'],
    button: 'Elegir una contraseña nueva',
    closing: ['El enlace sirve una sola vez, hasta una hora después de pedirlo.', IGNORE],
  },
  passwordChanged: {
    subject: 'Se ha cambiado su contraseña',
    paragraphs: [
      'Se ha cambiado la contraseña de su cuenta y se han cerrado todas las demás sesiones.',
      `Si no ha sido usted, pida enseguida una contraseña nueva y ${TELL}.`,
    ],
  },
  secondFactorOn: {
    subject: 'Su segundo factor está activado',
    paragraphs: [
      'A partir de ahora, para iniciar sesión hace falta también un código de su aplicación de autenticación.',
      `Si no ha sido usted, cambie enseguida su contraseña y ${TELL}.`,
    ],
  },
  secondFactorOff: {
    subject: 'Su segundo factor está desactivado',
    paragraphs: [
      'A partir de ahora, para iniciar sesión basta con su contraseña.',
      `Si no ha sido usted, cambie enseguida su contraseña y ${TELL}.`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: 'Se ha cerrado una sesión por seguridad',
    paragraphs: [
      'Una de sus sesiones se renovó con un token que ya se había usado, lo que ocurre cuando alguien ha copiado un token. La sesión se ha cerrado.',
      'Vuelva a iniciar sesión. Si se repite, cambie su contraseña.',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `Invitación a ${organization}`,
    paragraphs: [`${invitedBy} le invita a la organización «${organization}». Su rol: ${role}.`],
    button: 'Aceptar la invitación',
    closing: [
      'El enlace sirve una sola vez, durante siete días.',
      'Si no conoce al remitente, ignore este correo.',
    ],
  }),
  securityNotice: (organization, entries) => ({
    subject: `Seguridad de ${organization}: ${entries === 1 ? '1 entrada' : `${entries} entradas`}`,
    paragraphs: [
      `Usted es el contacto de seguridad de «${organization}». Esto es lo que consta en su registro de auditoría:`,
    ],
    closing: [`Si no era lo previsto, ${TELL} enseguida.`],
  }),
  securityActions: {
    createApiKey: 'Se creó una clave de API',
    rotateApiKey: 'Se cambió el secreto de una clave de API',
    revokeApiKey: 'Se revocó una clave de API',
    invite: 'Se invitó a una persona a la organización',
    acceptInvitation: 'Se aceptó una invitación',
    updateUser: 'Se cambió el rol de una persona, o se la bloqueó o readmitió',
    removeUser: 'Se quitó a una persona',
    disableTotp: 'Una persona desactivó su segundo factor',
    resetPassword: 'Una persona eligió una contraseña nueva con el enlace de un correo',
    sessionReplayed: 'Se cerró una sesión porque se había copiado su token',
    signInLimited: 'Hubo demasiados intentos de adivinar la contraseña de una persona',
    secondFactorFailed: 'Alguien tenía la contraseña de una persona, pero no su segundo factor',
    rotateWebhookSecret: 'Se cambió el secreto de firma de un destino de webhooks',
    disableWebhookEndpoint: 'Se desactivó un destino de webhooks',
    updateOrganization: 'Se cambió el contacto de seguridad',
    setInternalNetworks: 'Se cambiaron las redes propias de la organización',
    setDomain: 'Se cambió el dominio de la organización',
    removeDomain: 'Se quitó el dominio de la organización',
    lapseDomain: 'El dominio de la organización ya no cuenta: no se encuentra su registro',
    setSingleSignOn:
      'Se cambió el inicio de sesión único de la organización: las personas entran por el proveedor indicado',
    removeSingleSignOn:
      'Se quitó el inicio de sesión único de la organización: las personas vuelven a entrar con contraseña',
    joinBySingleSignOn: 'Alguien se unió por el inicio de sesión único',
    forgetIdentity: 'Una persona puede entrar con otra cuenta del proveedor de inicio de sesión único',
  },
  actors: {
    user: (name) => `por ${name}`,
    key: (name) => `por la clave de API «${name}»`,
    operator: 'por el operador',
    anonymous: 'por alguien que no había iniciado sesión',
    service: 'por el propio servicio',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : ` (${resource})`}: ${by}${ip === null ? '' : `, desde la dirección ${ip}`}, el ${at}.`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`Hay novedades en «${organization}» pendientes de que alguien las atienda:`],
      button: 'Abrir el resumen',
      closing: [
        every === 'hourly'
          ? 'Recibe como máximo un correo de este tipo por hora. Elija la frecuencia, o desactive estos correos, en los ajustes de su cuenta:'
          : 'Recibe como máximo un correo de este tipo al día. Elija la frecuencia, o desactive estos correos, en los ajustes de su cuenta:',
      ],
    }),
    cases: 'Unidades sospechosas',
    diversions: 'Unidades fuera de sus mercados',
    reports: 'Avisos de posibles falsificaciones',
    receipts: 'Recepciones con discrepancias',
    noProduct: 'Un código desconocido',
    all: 'Ver todo',
  },
  summary: {
    subject: (organization, days) => `${organization}: la semana del ${days}`,
    wording: (organization, days) => ({
      paragraphs: [`Esto es lo que dejó la semana del ${days} en «${organization}»:`],
      button: 'Abrir el resumen',
      closing: ['Recibe este correo una vez por semana. Puede desactivarlo en los ajustes de su cuenta:'],
    }),
    scans: 'Escaneos',
    suspicious: 'Sospechosos',
    diverted: 'Fuera de sus mercados',
    firstScanned: 'Unidades escaneadas por primera vez',
    cases: 'Casos nuevos',
    reports: 'Avisos nuevos de posibles falsificaciones',
    open: 'Abiertos ahora',
    unknownPlace: 'Lugar desconocido',
    doubtful: 'sospechosos o fuera de los mercados',
    countries: 'Países con más escaneos',
    products: 'Productos',
    change: (share) => `${share} respecto a la semana anterior`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'Un destino de webhooks no deja de fallar',
    paragraphs: [
      `Todas las entregas a ${url} fallan desde el ${since}.`,
      `Los eventos se guardan y se reintentan. Si nada cambia, el destino se desactivará el ${disablesAt}.`,
      'En la lista de sus entregas se ve qué respondió.',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'Se ha desactivado un destino de webhooks',
    paragraphs: [
      WHY_DISABLED[why](url),
      'Los eventos se guardan. Vuelva a activar el destino para que se entreguen, o recupere un periodo.',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `Falta el registro de ${domain}`,
    paragraphs: [
      `Touchstone ya no encuentra el registro TXT con el que su organización demuestra que ${domain} es suyo.`,
      `Dónde debe estar: ${name}`,
      `Qué debe decir: ${record}`,
      `Hasta el ${lapsesAt}, las páginas que ven los consumidores seguirán mostrando el dominio. Si para entonces el registro no ha vuelto, dejarán de hacerlo.`,
    ],
    closing: ['Si ya no quiere que se muestre el dominio, quítelo en los ajustes.'],
  }),
  domainLapsed: (domain) => ({
    subject: `${domain} ya no se muestra`,
    paragraphs: [
      `El registro TXT con el que su organización demuestra que ${domain} es suyo no se encuentra desde hace demasiado tiempo. Las páginas que ven los consumidores ya no muestran el dominio.`,
      'Vuelva a crear el registro: en los ajustes se indica qué debe decir y se puede buscar de nuevo.',
    ],
  }),
};
