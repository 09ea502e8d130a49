import type { Messages } from '../messages.ts';

export const pt: Messages = {
  verdicts: {
    genuine: {
      title: 'Código autêntico',
      lead: '{brand} emitiu este código e nada indica um problema.',
      leadMedium: '{brand} emitiu este código para este produto.',
      steps: [
        'Compare o produto que tem na mão com os dados abaixo.',
        'Verifique se o selo e a embalagem estão intactos.',
      ],
    },
    suspicious: {
      title: 'Possivelmente copiado',
      lead: 'O código é conhecido, mas a forma como foi lido sugere que foi copiado para outros produtos. O que tem na mão ainda pode ser o original.',
      leadConfirmed:
        'A marca investigou este código e verificou que é usado indevidamente. O produto que tem na mão ainda pode ser o original.',
      steps: [
        'Não use o produto até ter a certeza da sua origem.',
        'Pergunte ao vendedor onde o comprou.',
        'Comunique-o abaixo: isso ajuda {brand} a encontrar cópias.',
      ],
    },
    diverted: {
      title: 'Destinado a outro mercado',
      lead: '{brand} emitiu este código para um produto que não se destinava à venda no lugar onde está.',
      steps: [
        'Verifique se a garantia é válida no seu país; as instruções e os ingredientes podem ser diferentes.',
        'Pergunte ao vendedor de onde vem o produto.',
      ],
    },
    suspended: {
      title: 'Bloqueado por enquanto',
      lead: '{brand} bloqueou este código enquanto se esclarece uma questão.',
      steps: ['Por enquanto, não compre nem use o produto.', 'Pergunte a {brand} ou ao vendedor.'],
    },
    recalled: {
      title: 'Recolhido do mercado',
      lead: '{brand} recolheu este produto do mercado.',
      steps: [
        'Pare de usar o produto e não o passe a ninguém.',
        'Devolva-o ao vendedor ou contacte {brand}.',
      ],
    },
    expired: {
      title: 'Fora do prazo de validade',
      lead: '{brand} emitiu este código, mas o produto ultrapassou a data de validade.',
      steps: ['Não o use mais.', 'Se acabou de comprá-lo, devolva-o ao vendedor.'],
    },
    inactive: {
      title: 'Não autorizado para venda',
      lead: '{brand} emitiu este código, mas não autorizou a venda deste produto.',
      steps: ['Não o compre: não deveria estar numa loja.', 'Informe abaixo onde o encontrou.'],
    },
    unknown: {
      title: 'Código não reconhecido',
      lead: 'Não conhecemos este código. Talvez tenha sido mal lido ou nunca tenha sido emitido aqui.',
      steps: [
        'Leia o código outra vez, com boa luz.',
        'Se continuar desconhecido, não confie no produto e comunique-o abaixo.',
      ],
    },
  },
  productCode: {
    title: 'Este código só indica o produto',
    lead: 'Muitas unidades do produto têm este mesmo código. O código não indica se a que tem na mão é autêntica.',
    steps: [
      'Procure no produto e na embalagem outro código, que pertença só a esta unidade.',
      'Leia esse: só ele pode ser verificado.',
      'Se não houver nenhum, pergunte a {brand} ou ao vendedor.',
    ],
  },
  evidence:
    'Um código autêntico é um bom indício, mas não uma prova: no início, um código copiado parece igual.',
  next: 'O que fazer agora',
  why: 'Por que motivo dizemos isto',
  noticed: 'O que foi observado',
  reasons: {
    clone: {
      places:
        'Os lugares e os momentos em que o código foi lido explicam-se melhor com vários produtos do que com um só.',
      'not-shipped': 'Segundo os dados da marca, este produto ainda não chegou a nenhuma loja.',
      consumed: 'Este produto consta como já consumido, e desde então outra pessoa leu o seu código.',
      'hidden-code':
        'Várias pessoas diferentes introduziram o código oculto na embalagem, que só o comprador deveria ter descoberto.',
      'nfc-tap':
        'Várias pessoas diferentes chegaram com uma resposta do chip que já tinha sido usada, como a dão as cópias do chip.',
      confirmed: 'A marca investigou este código e verificou que é usado indevidamente.',
    },
    impossible_travel: 'O código foi lido em lugares muito distantes entre si, em muito pouco tempo.',
    excessive_scanning: 'Um número invulgar de pessoas diferentes leu o código.',
  },
  product: {
    heading: 'Produto',
    brand: 'Marca',
    gtin: 'Número do artigo (GTIN)',
    serial: 'Número de série',
    lot: 'Lote',
    expires: 'Validade',
  },
  scans: {
    heading: 'Verificações deste código',
    count: {
      one: 'Verificado {count} vez',
      many: 'Verificado {count} de vezes',
      other: 'Verificado {count} vezes',
    },
    visitors: 'Visitantes diferentes',
    first: 'Primeira verificação',
    now: 'Esta verificação',
    country: 'País (estimado)',
    internal: 'Esta verificação foi feita a partir de uma rede da própria marca e não é contada.',
  },
  address: {
    heading: 'Esta página é verdadeira?',
    text: 'No topo do navegador, o endereço deve começar exatamente assim:',
    note: 'As imitações desta página têm outro endereço.',
  },
  issuer: {
    confirmed: 'Confirmado: {domain}',
    unconfirmed: 'Nome não confirmado',
    heading: 'Quem está por trás deste código?',
    holds:
      '{brand} demonstrou que o domínio {domain} lhe pertence. Verifique se é o da marca, por exemplo na embalagem.',
    unchecked:
      'Ninguém verificou se {brand} é mesmo quem diz ser. Em caso de dúvida, pergunte à própria marca, num endereço que conheça.',
  },
  position: {
    heading: 'Ajude a encontrar cópias',
    text: 'Pode adicionar a sua localização a esta verificação. Ajuda a detetar códigos copiados e produtos fora do seu mercado; a marca pode vê-la. Só é enviada se premir o botão.',
    button: 'Adicionar a minha localização',
    done: 'Obrigado. A sua localização foi adicionada.',
    failed: 'Não funcionou. A sua verificação conta mesmo assim.',
  },
  hiddenCode: {
    heading: 'Há um código oculto?',
    text: 'Algumas embalagens têm um segundo código sob uma camada para raspar ou descolar. Descubra-o quando o produto já for seu: ajuda a saber se tem o original.',
    label: 'Código oculto',
    check: 'Verificar o código oculto',
    first: {
      title: 'Código oculto: correto',
      text: 'Ninguém mais o introduziu antes. Se a camada estava intacta até a retirar, isso é um forte indício de que é o original.',
    },
    repeated: {
      title: 'Código oculto: já introduzido',
      text: 'Está correto, mas já tinha sido introduzido, pela primeira vez em {date}. Se não foi você nem ninguém que conheça, o produto que tem na mão pode ser uma cópia.',
    },
    wrong: {
      title: 'Código oculto: incorreto',
      text: 'Compare-o carácter a carácter e tente de novo. Se continuar errado, o produto que tem na mão pode ser uma cópia: comunique-o abaixo.',
    },
  },
  nfc: {
    heading: 'Verifique o chip na embalagem',
    text: 'A embalagem do original tem um chip NFC, difícil de copiar. Encoste-lhe a parte superior do telemóvel, com o ecrã ligado, e abra o endereço que aparecer.',
    counter:
      'Esta foi a leitura número {count} do chip. Encoste o telemóvel outra vez: se o número continuar igual, o chip pode ser uma cópia.',
    fresh: {
      title: 'Chip: resposta correta e nova',
      text: 'Só o chip deste produto pode dar esta resposta, e ninguém mais a usou antes. Se o chip está no lugar certo e não foi mudado para lá, isso é um forte indício de que é o original.',
    },
    replayed: {
      title: 'Chip: resposta já usada',
      text: 'A resposta está correta, mas já tinha sido usada em {date}: o chip dá uma nova a cada leitura. Se acabou de encostar o telemóvel à embalagem, faça-o outra vez. Se isto voltar a aparecer, o produto que tem na mão pode ser uma cópia. Se alguém lhe enviou este link, ele não diz nada sobre nenhuma embalagem.',
    },
    invalid: {
      title: 'Chip: resposta incorreta',
      text: 'Esta resposta não vem do chip deste produto. Se acabou de encostar o telemóvel à embalagem, faça-o outra vez. Se isto voltar a aparecer, o produto que tem na mão pode ser uma cópia: comunique-o abaixo. Se alguém lhe enviou este link, ele não diz nada sobre nenhuma embalagem.',
    },
  },
  report: {
    heading: 'Comunicar um problema',
    what: 'O que parece errado?',
    where: 'Onde o obteve? (opcional)',
    email: 'O seu e-mail, para perguntas (opcional)',
    send: 'Enviar',
    thanksTitle: 'Obrigado',
    thanksText: 'A sua comunicação chegou e será analisada por uma pessoa.',
  },
  front: {
    title: 'Verificar um produto',
    text: 'Leia o código do produto com a câmara do telemóvel. Abre, neste endereço, uma página que diz o que se sabe sobre o código.',
    typed: 'Ou escreva o código, ou o endereço impresso junto dele',
    check: 'Verificar',
    incomplete:
      'Este código não está completo. Um código tem 24 letras e algarismos; o número de série não basta. Leia o código ou pergunte ao vendedor.',
    brands: 'Para marcas: iniciar sessão',
  },
  problems: {
    wait: {
      title: 'Um momento, por favor',
      text: 'Chegaram demasiados pedidos da sua ligação. Espere um minuto e tente de novo.',
    },
    away: {
      title: 'Sem resposta de momento',
      text: 'A falha é nossa, não sua. Tente de novo daqui a pouco.',
    },
    address: {
      title: 'Esta página não existe',
      text: 'O endereço está incompleto ou foi alterado. Abra a página outra vez com o código ou a ligação que recebeu.',
    },
    unread: {
      title: 'Não foi possível ler',
      text: 'Nada foi guardado. Volte à página anterior e tente de novo.',
    },
    neutral: 'Isto não diz nada sobre o produto.',
    again: 'Tentar de novo',
  },
  from: 'De {brand}',
  contact: 'Contactar {brand}',
  privacy:
    'Esta verificação foi registada com a hora, o lugar aproximado e, por tempo limitado, o seu endereço de rede, sem o seu nome.',
  language: 'Idioma',
};
