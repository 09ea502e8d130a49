import type { MailWords } from '../words.ts';

const IGNORE =
  'お心当たりがない場合は、このメールを無視してください。リンクを開かないかぎり、何も起こりません。';
const TELL = '組織の管理者に知らせてください';
const WHY_DISABLED = {
  gone: (url: string) => `${url} が 410 Gone を返したため、今後は何も送信されません。`,
  failing: (url: string) => `${url} への配信が何日もすべて失敗したため、今後は何も送信されません。`,
  unreadable: (url: string) =>
    `${url} のために保存されている署名シークレットまたはヘッダーを復号できなくなったため、今後は何も送信されません。重複期間なしでシークレットを更新してヘッダーを設定し直すか、サービスの運用者に鍵を戻してもらってください。`,
};

export const ja: MailWords = {
  roles: { owner: 'オーナー', administrator: '管理者', analyst: 'アナリスト', viewer: '閲覧者' },
  confirmSignUp: (organization) => ({
    subject: 'Touchstone：メールアドレスをご確認ください',
    paragraphs: [
      `このメールアドレスで組織「${organization}」の登録がありました。ご本人による操作と思われます。`,
    ],
    button: 'メールアドレスを確認する',
    closing: ['リンクは 24 時間有効で、1 回だけ使えます。', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'すでにアカウントをお持ちです',
    paragraphs: [
      'このメールアドレスで新規登録の操作がありました。ご本人による操作と思われます。このアドレスにはすでにアカウントがあるため、何も変更していません。',
      'いつもどおりサインインしてください。パスワードをお忘れの場合は、新しいパスワードを設定できます。',
    ],
    button: '新しいパスワードを設定する',
  },
  resetPassword: {
    subject: '新しいパスワードを設定してください',
    paragraphs: [
      'お使いのアカウントについて、パスワードの再設定が求められました。ご本人による操作と思われます。',
    ],
    button: '新しいパスワードを設定する',
    closing: ['リンクは請求から 1 時間有効で、1 回だけ使えます。', IGNORE],
  },
  passwordChanged: {
    subject: 'パスワードが変更されました',
    paragraphs: [
      'お使いのアカウントのパスワードが変更され、ほかのセッションはすべて終了しました。',
      `お心当たりがない場合は、すぐにパスワードを再設定し、${TELL}。`,
    ],
  },
  secondFactorOn: {
    subject: '二段階認証が有効になりました',
    paragraphs: [
      '今後のサインインには、パスワードに加えて認証アプリのコードが必要です。',
      `お心当たりがない場合は、すぐにパスワードを変更し、${TELL}。`,
    ],
  },
  secondFactorOff: {
    subject: '二段階認証が無効になりました',
    paragraphs: [
      '今後は、パスワードだけでサインインできます。',
      `お心当たりがない場合は、すぐにパスワードを変更し、${TELL}。`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: '安全のため、セッションを終了しました',
    paragraphs: [
      'お使いのセッションの 1 つが、すでに使われたトークンで更新されました。トークンが複製されたときに起こることです。そのセッションは終了しました。',
      'もう一度サインインしてください。繰り返し起こる場合は、パスワードを変更してください。',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `${organization} への招待`,
    paragraphs: [
      `${invitedBy} さんから、組織「${organization}」への招待が届いています。役割は「${role}」です。`,
    ],
    button: '招待を受ける',
    closing: [
      'リンクは 7 日間有効で、1 回だけ使えます。',
      '差出人にお心当たりがない場合は、このメールを無視してください。',
    ],
  }),
  securityNotice: (organization, entries) => ({
    subject: `${organization} のセキュリティ：${entries} 件の記録`,
    paragraphs: [`あなたは「${organization}」のセキュリティ連絡先です。監査ログに次の記録があります。`],
    closing: [`意図した操作でない場合は、すぐに${TELL}。`],
  }),
  securityActions: {
    createApiKey: 'API キーが作成されました',
    rotateApiKey: 'API キーのシークレットが更新されました',
    revokeApiKey: 'API キーが失効しました',
    invite: '組織に利用者が招待されました',
    acceptInvitation: '招待が承諾されました',
    updateUser: '利用者の役割が変更されたか、利用者が無効または有効になりました',
    removeUser: '利用者が削除されました',
    disableTotp: '利用者が二段階認証を無効にしました',
    resetPassword: '利用者がメールのリンクからパスワードを再設定しました',
    sessionReplayed: 'トークンが複製されていたため、セッションが終了しました',
    signInLimited: '利用者のパスワードの試行が上限に達しました',
    secondFactorFailed: '利用者の正しいパスワードが入力されましたが、認証コードが誤っていました',
    rotateWebhookSecret: 'Webhook の送信先の署名シークレットが更新されました',
    disableWebhookEndpoint: 'Webhook の送信先が無効になりました',
    updateOrganization: 'セキュリティ連絡先が変更されました',
    setInternalNetworks: '組織の社内ネットワークが変更されました',
    setDomain: '組織のドメインが変更されました',
    removeDomain: '組織のドメインが削除されました',
    lapseDomain: 'レコードが見つからないため、組織のドメインは無効になりました',
    setSingleSignOn:
      '組織のシングルサインオンが変更され、指定されたプロバイダーでサインインするようになりました',
    removeSingleSignOn: '組織のシングルサインオンが削除され、再びパスワードでサインインするようになりました',
    joinBySingleSignOn: 'シングルサインオンで新しいユーザーが参加しました',
    forgetIdentity:
      'ユーザーがシングルサインオンのプロバイダーの別のアカウントでサインインできるようになりました',
  },
  actors: {
    user: (name) => `利用者 ${name}`,
    key: (name) => `API キー「${name}」`,
    operator: '運用者',
    anonymous: 'サインインしていない人',
    service: 'サービス自身',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : `（${resource}）`}。操作：${by}${ip === null ? '' : `、アドレス：${ip}`}、日時：${at}。`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`「${organization}」で新たに対応が必要なものがあります。`],
      button: '概要を開く',
      closing: [
        every === 'hourly'
          ? 'このメールが届くのは、1 時間に最大 1 通です。頻度の変更や停止は、アカウントの設定から行えます。'
          : 'このメールが届くのは、1 日に最大 1 通です。頻度の変更や停止は、アカウントの設定から行えます。',
      ],
    }),
    cases: '疑わしい個体',
    diversions: '販売地域外の個体',
    reports: '偽物の疑いの通報',
    receipts: '相違のある受領',
    noProduct: '登録のないコード',
    all: 'すべて見る',
  },
  summary: {
    subject: (organization, days) => `${organization}：${days}の週のまとめ`,
    wording: (organization, days) => ({
      paragraphs: [`「${organization}」の${days}の週のまとめです。`],
      button: '概要を開く',
      closing: ['このメールは週に 1 回届きます。停止は、アカウントの設定から行えます。'],
    }),
    scans: 'スキャン',
    suspicious: '疑わしいもの',
    diverted: '販売地域外のもの',
    firstScanned: '初めてスキャンされた個体',
    cases: '新しい案件',
    reports: '偽物の疑いの新しい通報',
    open: '現在未解決',
    unknownPlace: '場所不明',
    doubtful: '疑わしい、または販売地域外',
    countries: 'スキャンの多い国',
    products: '製品',
    change: (share) => `前週比 ${share}`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'Webhook の送信先への配信が失敗し続けています',
    paragraphs: [
      `${since} から、${url} への配信がすべて失敗しています。`,
      `イベントは保存され、再送されます。このままの状態が続くと、送信先は ${disablesAt} に無効になります。`,
      '送信先からの応答は、配信の一覧で確認できます。',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'Webhook の送信先が無効になりました',
    paragraphs: [
      WHY_DISABLED[why](url),
      'イベントは保存されます。配信を受けるには、送信先を再び有効にするか、期間を指定して再配信してください。',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `${domain} のレコードが見つかりません`,
    paragraphs: [
      `貴組織が ${domain} を保有していることを示す TXT レコードが見つからなくなりました。`,
      `レコードの場所：${name}`,
      `レコードの内容：${record}`,
      `${lapsesAt} までは、消費者向けのページに引き続きドメインが表示されます。それまでにレコードが戻らない場合、表示されなくなります。`,
    ],
    closing: ['ドメインの表示が不要になった場合は、設定から削除してください。'],
  }),
  domainLapsed: (domain) => ({
    subject: `${domain} は表示されなくなりました`,
    paragraphs: [
      `貴組織が ${domain} を保有していることを示す TXT レコードが長期間見つからないため、消費者向けのページにドメインが表示されなくなりました。`,
      'レコードを設定し直してください。必要な内容は設定画面に表示され、そこから再確認できます。',
    ],
  }),
};
