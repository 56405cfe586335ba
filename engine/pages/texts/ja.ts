import type { Texts } from './page-texts.js';

export const JA: Texts = {
  status: {
    not_found: { title: 'リンクが見つかりません', text: 'このアドレスにリンクはありません。入力に誤りがないかご確認ください。' },
    disabled: { title: 'リンクは利用できません', text: 'このアドレスのリンクは現在ありません。' },
    expired: { title: 'リンクの有効期限切れ', text: 'このリンクの有効期限は終了しました。' },
    deleted: { title: 'リンクは削除されました', text: 'このリンクは所有者によって削除されました。' },
    blocked: {
      title: 'リンクはブロックされています',
      text: 'リンク先のページが危険な可能性があるため、このリンクはブロックされています。',
    },
    method_not_allowed: { title: '許可されていないメソッド', text: 'リンクは開くことだけができます。' },
    unavailable: { title: 'しばらくしてからもう一度お試しください', text: '現在このリンクを確認できませんでした。' },
    failed: { title: '問題が発生しました', text: 'このリンクを開けませんでした。しばらくしてからもう一度お試しください。' },
    no_destination: {
      title: 'アプリで開いてください',
      text: 'このリンクは {project} アプリ用です。アプリが入っている端末で開いてください。',
    },
  },
  open: { title: '{project} アプリで続ける', text: 'ボタンをタップすると、このリンクがアプリで開きます。' },
  get: { title: '{project} アプリを入手', text: 'このリンクはアプリで開きます。' },
  open_button: 'アプリを開く',
  get_button: 'アプリを入手',
  web_link: 'ブラウザで続ける',
  support_link: 'サポート',
  in_app_hint:
    '別のアプリ内のブラウザで表示しているため、アプリを開けないことがあります。メニューから「ブラウザで開く」を選び、ボタンをタップしてください。',
  password: {
    title: 'パスワードを入力してください',
    text: 'このリンクは保護されています。パスワードはリンクの送信者にお問い合わせください。',
    label: 'パスワード',
    button: '続ける',
    wrong: 'パスワードが違います。もう一度お試しください。',
    throttled: '試行回数が多すぎます。1分待ってからもう一度お試しください。',
  },
};
