import type { Messages } from '../messages.ts';

export const zh: Messages = {
  verdicts: {
    genuine: {
      title: '真实编码',
      lead: '此编码由{brand}签发，未发现异常。',
      leadMedium: '此编码由{brand}为该产品签发。',
      steps: ['请将手中的产品与下方信息对照。', '请检查封口和包装是否完好。'],
    },
    suspicious: {
      title: '可能被复制',
      lead: '此编码有记录，但其扫描情况表明它可能被复制到了其他产品上。您手中的这一件仍可能是正品。',
      leadConfirmed: '品牌已调查此编码，并确认它被滥用。您手中的这件产品仍可能是正品。',
      steps: [
        '在确认来源之前，请勿使用该产品。',
        '请向卖家询问进货渠道。',
        '请在下方举报：这有助于{brand}发现复制品。',
      ],
    },
    diverted: {
      title: '供其他市场销售',
      lead: '{brand}为一件并非供您所在地销售的产品签发了此编码。',
      steps: ['请确认保修在您所在的国家或地区适用；说明书和成分可能有所不同。', '请向卖家询问产品来源。'],
    },
    suspended: {
      title: '暂时停用',
      lead: '{brand}已暂停此编码，等待核实。',
      steps: ['请暂时不要购买或使用该产品。', '请咨询{brand}或卖家。'],
    },
    recalled: {
      title: '已召回',
      lead: '{brand}已召回该产品。',
      steps: ['请停止使用，也不要转给他人。', '请退还给卖家或联系{brand}。'],
    },
    expired: {
      title: '已过有效期',
      lead: '{brand}签发了此编码，但该产品已过有效期。',
      steps: ['请不要再使用。', '如果刚刚购买，请退还给卖家。'],
    },
    inactive: {
      title: '未获准销售',
      lead: '{brand}签发了此编码，但未将该产品投放销售。',
      steps: ['请不要购买：它不应出现在商店里。', '请在下方告知您在哪里发现它。'],
    },
    unknown: {
      title: '无法识别的编码',
      lead: '我们没有此编码的记录。可能是读取有误，也可能从未在此签发。',
      steps: ['请在光线充足处重新扫描。', '如果仍无法识别，请不要信赖该产品，并在下方举报。'],
    },
  },
  productCode: {
    title: '此编码仅标明产品种类',
    lead: '许多同款产品都带有此编码，它不能说明您手中的这一件是否为正品。',
    steps: [
      '请在产品及其包装上寻找另一个仅属于这一件的编码。',
      '请扫描那个编码：只有它可以查验。',
      '如果没有，请咨询{brand}或卖家。',
    ],
  },
  evidence: '真实的编码是有力的线索，但不是证明：被复制的编码起初看起来一样。',
  next: '接下来怎么做',
  why: '判断依据',
  noticed: '发现的情况',
  reasons: {
    clone: {
      places: '此编码在同一件产品不可能到过的多个地点被扫描。',
      'not-shipped': '根据品牌的记录，该产品尚未到达任何商店。',
      consumed: '该产品已被记录为用完，此后又有其他人扫描了它的编码。',
      confirmed: '品牌已调查此编码，并确认它被滥用。',
    },
    impossible_travel: '此编码在过短的时间内于相距很远的地点被扫描。',
    excessive_scanning: '扫描此编码的人数异常多。',
  },
  product: {
    heading: '产品',
    brand: '品牌',
    gtin: '商品编号（GTIN）',
    serial: '序列号',
    lot: '批号',
    expires: '有效期至',
  },
  scans: {
    heading: '此编码的查验记录',
    count: { other: '已查验{count}次' },
    visitors: '不同访问者数',
    first: '首次查验',
    now: '本次查验',
    country: '国家或地区（估计）',
    internal: '本次查验来自品牌自己的网络，不计入次数。',
  },
  address: {
    heading: '这个页面是真的吗？',
    text: '浏览器顶部的网址必须以下列内容开头，一字不差：',
    note: '仿冒页面的网址与此不同。',
  },
  issuer: {
    confirmed: '已确认：{domain}',
    unconfirmed: '名称未经确认',
    heading: '此编码由谁发出？',
    holds: '{brand}已证明域名{domain}归其所有。请核对这是否为该品牌自己的域名，例如查看包装。',
    unchecked: '没有人核实过{brand}的真实身份。如有疑问，请通过您已知的联系方式向该品牌本身询问。',
  },
  position: {
    heading: '帮助发现复制品',
    text: '您可以为本次查验添加您的位置。它有助于发现被复制的编码和流出指定市场的产品，品牌方可以看到。只有在您按下按钮后才会发送。',
    button: '添加我的位置',
    done: '谢谢，您的位置已添加。',
    failed: '未能成功，您的查验仍然有效。',
  },
  report: {
    heading: '举报该产品',
    what: '哪里不对？',
    where: '您在哪里得到它？（选填）',
    email: '您的电子邮箱，便于联系（选填）',
    send: '提交举报',
    thanksTitle: '谢谢',
    thanksText: '您的举报已收到，将由人工查看。',
  },
  front: {
    title: '查验产品',
    text: '请用手机相机扫描产品上的代码。它会在此网址打开一个页面，说明有关该代码的已知信息。',
    typed: '或输入代码，或其旁边印刷的网址',
    check: '查验',
    incomplete: '这不是完整的代码。代码由 24 个字母和数字组成；仅有序列号是不够的。请扫描代码，或询问卖家。',
    brands: '品牌方：登录',
  },
  problems: {
    wait: {
      title: '请稍候',
      text: '来自您网络的请求过多。请等待一分钟后再试。',
    },
    away: {
      title: '暂时无法答复',
      text: '问题出在我们这边，与您无关。请稍后再试。',
    },
    address: {
      title: '此页面不存在',
      text: '地址不完整或已被更改。请用您得到的编码或链接重新打开。',
    },
    unread: {
      title: '无法读取',
      text: '没有保存任何内容。请返回上一页重试。',
    },
    neutral: '这与产品的真伪无关。',
    again: '重试',
  },
  from: '来自{brand}',
  contact: '联系{brand}',
  privacy: '本次查验已连同时间、大致地点以及（限期保存的）您的网络地址一并记录，不含您的姓名。',
  language: '语言',
};
