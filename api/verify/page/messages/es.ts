import type { Messages } from '../messages.ts';

export const es: Messages = {
  verdicts: {
    genuine: {
      title: 'Código auténtico',
      lead: '{brand} emitió este código y no se ha detectado nada sospechoso.',
      leadMedium: '{brand} emitió este código para este producto.',
      steps: [
        'Compare el producto que tiene en la mano con los datos de abajo.',
        'Compruebe que el precinto y el envase estén intactos.',
      ],
    },
    suspicious: {
      title: 'Posiblemente copiado',
      lead: 'El código es conocido, pero la forma en que se ha escaneado indica que pudo copiarse en otros productos. El que tiene en la mano puede ser, aun así, el original.',
      leadConfirmed:
        'La marca ha investigado este código y ha comprobado que se usa de forma indebida. El producto que tiene en la mano puede ser, aun así, el original.',
      steps: [
        'No use el producto hasta estar seguro de su procedencia.',
        'Pregunte al vendedor dónde lo compró.',
        'Comuníquelo abajo: así ayuda a {brand} a encontrar copias.',
      ],
    },
    diverted: {
      title: 'Destinado a otro mercado',
      lead: '{brand} emitió este código para un producto que no estaba destinado a venderse donde usted está.',
      steps: [
        'Compruebe si la garantía es válida en su país; las instrucciones y los ingredientes pueden ser distintos.',
        'Pregunte al vendedor de dónde viene el producto.',
      ],
    },
    suspended: {
      title: 'Bloqueado por ahora',
      lead: '{brand} ha bloqueado este código mientras se aclara una cuestión.',
      steps: ['Por el momento, no compre ni use el producto.', 'Consulte a {brand} o al vendedor.'],
    },
    recalled: {
      title: 'Retirado del mercado',
      lead: '{brand} ha retirado este producto del mercado.',
      steps: [
        'Deje de usar el producto y no se lo dé a nadie.',
        'Devuélvalo al vendedor o contacte con {brand}.',
      ],
    },
    expired: {
      title: 'Caducado',
      lead: '{brand} emitió este código, pero el producto ha superado su fecha de caducidad.',
      steps: ['No lo use más.', 'Si acaba de comprarlo, devuélvalo al vendedor.'],
    },
    inactive: {
      title: 'No autorizado para la venta',
      lead: '{brand} emitió este código, pero no ha autorizado la venta de este producto.',
      steps: ['No lo compre: no debería estar en una tienda.', 'Indique abajo dónde lo encontró.'],
    },
    unknown: {
      title: 'Código no reconocido',
      lead: 'No conocemos este código. Quizá se leyó mal o nunca se emitió aquí.',
      steps: [
        'Escanee el código otra vez, con buena luz.',
        'Si sigue siendo desconocido, no se fíe del producto y comuníquelo abajo.',
      ],
    },
  },
  productCode: {
    title: 'Este código solo indica el producto',
    lead: 'Muchas unidades del producto llevan este mismo código. El código no indica si la que tiene en la mano es auténtica.',
    steps: [
      'Busque en el producto y en su envase otro código que pertenezca solo a esta unidad.',
      'Escanéelo: solo ese se puede comprobar.',
      'Si no hay ninguno, consulte a {brand} o al vendedor.',
    ],
  },
  evidence:
    'Un código auténtico es un buen indicio, pero no una prueba: al principio, un código copiado se ve igual.',
  next: 'Qué hacer ahora',
  why: 'Por qué lo decimos',
  noticed: 'Lo que se ha observado',
  reasons: {
    clone: {
      places:
        'Los lugares y momentos en que se escaneó el código se explican mejor con varios productos que con uno solo.',
      'not-shipped': 'Según los registros de la marca, este producto todavía no ha llegado a ninguna tienda.',
      consumed:
        'Este producto consta como ya consumido, y desde entonces otra persona ha escaneado su código.',
      'hidden-code':
        'Varias personas distintas han introducido el código oculto del envase, que solo el comprador debería haber destapado.',
      'nfc-tap':
        'Varias personas distintas han llegado con una respuesta del chip que ya se había usado, como la dan las copias del chip.',
      confirmed: 'La marca ha investigado este código y ha comprobado que se usa de forma indebida.',
    },
    impossible_travel: 'El código se escaneó en lugares muy alejados entre sí en demasiado poco tiempo.',
    excessive_scanning: 'Un número inusual de personas distintas ha escaneado el código.',
  },
  product: {
    heading: 'Producto',
    brand: 'Marca',
    gtin: 'Número de artículo (GTIN)',
    serial: 'Número de serie',
    lot: 'Lote',
    expires: 'Caduca el',
  },
  scans: {
    heading: 'Comprobaciones de este código',
    count: {
      one: 'Comprobado {count} vez',
      many: 'Comprobado {count} de veces',
      other: 'Comprobado {count} veces',
    },
    visitors: 'Visitantes distintos',
    first: 'Primera comprobación',
    now: 'Esta comprobación',
    country: 'País (estimado)',
    internal: 'Esta comprobación se hizo desde una red propia de la marca y no se cuenta.',
  },
  address: {
    heading: '¿Es auténtica esta página?',
    text: 'En la parte superior del navegador, la dirección debe empezar exactamente así:',
    note: 'Las imitaciones de esta página tienen otra dirección.',
  },
  issuer: {
    confirmed: 'Confirmado: {domain}',
    unconfirmed: 'Nombre sin confirmar',
    heading: '¿Quién está detrás de este código?',
    holds:
      '{brand} ha demostrado que el dominio {domain} es suyo. Compruebe que sea el de la marca, por ejemplo en el envase.',
    unchecked:
      'Nadie ha comprobado que {brand} sea quien dice ser. En caso de duda, pregunte a la propia marca, en una dirección que usted conozca.',
  },
  position: {
    heading: 'Ayude a encontrar copias',
    text: 'Puede añadir su ubicación a esta comprobación. Ayuda a detectar códigos copiados y productos fuera de su mercado; la marca puede verla. Solo se envía si pulsa el botón.',
    button: 'Añadir mi ubicación',
    done: 'Gracias. Se ha añadido su ubicación.',
    failed: 'No ha funcionado. Su comprobación cuenta igualmente.',
  },
  hiddenCode: {
    heading: '¿Hay un código oculto?',
    text: 'Algunos envases llevan un segundo código bajo una capa que se rasca o se despega. Destápelo cuando el producto ya sea suyo: ayuda a saber si tiene el original.',
    label: 'Código oculto',
    check: 'Comprobar el código oculto',
    first: {
      title: 'Código oculto: correcto',
      text: 'Nadie más lo ha introducido antes. Si la capa estaba intacta hasta que usted la retiró, es un indicio sólido de que es el original.',
    },
    repeated: {
      title: 'Código oculto: ya introducido',
      text: 'Es correcto, pero ya se había introducido antes, por primera vez el {date}. Si no fue usted ni nadie que conozca, el producto que tiene en la mano puede ser una copia.',
    },
    wrong: {
      title: 'Código oculto: no es correcto',
      text: 'Compárelo carácter por carácter e inténtelo de nuevo. Si sigue sin ser correcto, el producto que tiene en la mano puede ser una copia: comuníquelo abajo.',
    },
  },
  nfc: {
    heading: 'Compruebe el chip del envase',
    text: 'El envase del original lleva un chip NFC, difícil de copiar. Acerque a él la parte superior del teléfono, con la pantalla encendida, y abra la dirección que aparezca.',
    counter:
      'Esta fue la lectura número {count} del chip. Acerque el teléfono otra vez: si el número sigue igual, el chip puede ser una copia.',
    fresh: {
      title: 'Chip: respuesta correcta y nueva',
      text: 'Solo el chip de este producto puede dar esta respuesta, y nadie más la ha usado antes. Si el chip está donde corresponde y nadie lo ha trasladado ahí, es un indicio sólido de que es el original.',
    },
    replayed: {
      title: 'Chip: respuesta ya usada',
      text: 'La respuesta es correcta, pero se había usado ya el {date}: el chip da una nueva cada vez que se le acerca un teléfono. Si acaba de acercar el suyo al envase, hágalo otra vez. Si vuelve a aparecer esto, el producto que tiene en la mano puede ser una copia. Si alguien le envió este enlace, no dice nada sobre ningún envase.',
    },
    invalid: {
      title: 'Chip: respuesta incorrecta',
      text: 'Esta respuesta no procede del chip de este producto. Si acaba de acercar el teléfono al envase, hágalo otra vez. Si vuelve a aparecer esto, el producto que tiene en la mano puede ser una copia: comuníquelo abajo. Si alguien le envió este enlace, no dice nada sobre ningún envase.',
    },
  },
  report: {
    heading: 'Informar de un problema',
    what: '¿Qué parece estar mal?',
    where: '¿Dónde lo consiguió? (opcional)',
    email: 'Su correo electrónico, por si hay preguntas (opcional)',
    send: 'Enviar aviso',
    thanksTitle: 'Gracias',
    thanksText: 'Su aviso ha llegado y lo revisará una persona.',
  },
  front: {
    title: 'Comprobar un producto',
    text: 'Escanee el código del producto con la cámara de su teléfono. Abre en esta dirección una página que dice lo que se sabe del código.',
    typed: 'O escriba el código, o la dirección impresa junto a él',
    check: 'Comprobar',
    incomplete:
      'No es un código completo. Un código tiene 24 letras y cifras; el número de serie solo no basta. Escanee el código o pregunte al vendedor.',
    brands: 'Para marcas: iniciar sesión',
  },
  problems: {
    wait: {
      title: 'Un momento, por favor',
      text: 'Han llegado demasiadas peticiones desde su conexión. Espere un minuto y vuelva a intentarlo.',
    },
    away: {
      title: 'Sin respuesta por ahora',
      text: 'El fallo es nuestro, no suyo. Vuelva a intentarlo dentro de un momento.',
    },
    address: {
      title: 'Esta página no existe',
      text: 'La dirección está incompleta o se ha cambiado. Abra la página otra vez con el código o el enlace que recibió.',
    },
    unread: {
      title: 'No se ha podido leer',
      text: 'No se ha guardado nada. Vuelva a la página anterior e inténtelo de nuevo.',
    },
    neutral: 'Esto no dice nada sobre el producto.',
    again: 'Volver a intentarlo',
  },
  from: 'De {brand}',
  contact: 'Contactar con {brand}',
  privacy:
    'Esta comprobación se registró con la hora, el lugar aproximado y, durante un tiempo limitado, su dirección de red, sin su nombre.',
  language: 'Idioma',
};
