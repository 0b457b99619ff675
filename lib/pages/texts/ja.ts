import type { Catalogue } from './messages'

export const ja: Catalogue = {
  'common.cancel': 'キャンセル',
  'common.signed_in_as': '{user} としてログイン中',
  'common.reference': '参照番号',
  'common.details': 'アプリ管理者向けの詳細',
  'common.help': 'ヘルプ',
  'common.restart': '最初からやり直す',
  'common.back': 'アプリに戻る',
  'common.continue': '続ける',

  'code.label': 'コード',

  'title.error': 'エラー：{title}',
  'notice.heading': 'ご確認ください',
  'notice.wrong_credentials': '入力内容に一致するアカウントが見つかりません。ご確認のうえ、もう一度お試しください。',
  'notice.too_many_attempts':
    'ログインの失敗が続いたため、一時的に停止しました。ご本人の場合は、ロック解除のリンクを記載したメールをご確認いただくか、しばらくしてからもう一度お試しください。',
  'notice.missing_identifier':
    '{kind, select, email {メールアドレスを入力してください。} username {ユーザー名を入力してください。} other {メールアドレスまたはユーザー名を入力してください。}}',
  'notice.missing_password': 'パスワードを入力してください。',
  'notice.missing_credentials': '両方の項目を入力してください。',
  'notice.session_changed': '別のタブで変更がありました。内容をご確認のうえ、続けてください。',
  'notice.reauthentication': 'アカウントを守るため、もう一度ログインしてください。',
  'notice.missing_fields': '未入力の項目を入力してください。',
  'notice.invalid_email': '受信できるメールアドレスを入力してください（例：name@example.com）。',
  'notice.invalid_username':
    '別のユーザー名を選んでください。短く、空白を含まず、メールアドレスではないものにしてください。',
  'notice.invalid_signup':
    'この内容ではアカウントを作成できませんでした。すでにアカウントをお持ちの場合は、ログインするかパスワードを再設定してください。',
  'notice.weak_password': '別のパスワードを選んでください。満たしていない条件は、入力欄の下に表示しています。',
  'notice.username_taken': 'このユーザー名はすでに使われています。別のものを選んでください。',
  'notice.user_exists': 'このアドレスのアカウントはすでにあります。ログインするか、パスワードを再設定してください。',
  'notice.verify_first':
    '先にメールアドレスをご確認ください。リンクをお送りしました。その後、ここでログインしてください。',
  'notice.reset_sent':
    'このアドレスのアカウントがある場合は、新しいパスワードを設定するためのリンクをお送りしました。届くまで少しかかることがあります。迷惑メールフォルダもご確認ください。',
  'notice.wrong_user_code':
    'このコードは無効です。デバイスの表示と比べるか、デバイスで新しいコードを表示してください。',

  'login.title': 'ログイン',
  'login.lead': '{client} に進みます',
  'login.identifier':
    '{kind, select, email {メールアドレス} username {ユーザー名} other {メールアドレスまたはユーザー名}}',
  'login.password': 'パスワード',
  'login.show_password': '表示',
  'login.hide_password': '隠す',
  'login.show_password_label': 'パスワードを表示',
  'login.hide_password_label': 'パスワードを隠す',
  'login.caps_lock': 'Caps Lock がオンになっています。',
  'login.submit': 'ログイン',
  'login.forgot': 'パスワードをお忘れですか？',
  'login.no_account': 'はじめての方は',
  'login.sign_up': 'アカウントを作成',

  'account.title': 'アカウントを選択',
  'account.title_one': 'おかえりなさい',
  'account.lead': '{client} に進みます',
  'account.list': 'このブラウザーでログイン中のアカウント',
  'account.continue': '続ける',
  'account.continue_as': '{user} として続ける',
  'account.switch': '別のアカウントを使う',

  'consent.title': '{client} がアクセスを求めています',
  'consent.lead': 'このアプリに許可する内容をお選びください。',
  'consent.third_party': '{client} は {tenant} が運営するアプリではありません。信頼できる場合のみ許可してください。',
  'consent.list_profile': '許可すると、このアプリは次のことができます',
  'consent.list_api': '{api} で次のことができます',
  'consent.accept': '許可する',
  'consent.deny': '許可しない',
  'consent.homepage': '{client} について',
  'consent.policy': '{client} のプライバシーポリシー',
  'consent.terms': '{client} の利用規約',
  'scope.openid': '次回もあなたであることを確認する',
  'scope.profile': '名前とプロフィール写真を見る',
  'scope.email': 'メールアドレスを見る',
  'scope.phone': '電話番号を見る',
  'scope.address': '住所を見る',
  'scope.offline_access': 'あなたがいない間もアクセスを続ける',

  'logged_out.title': 'ログアウトしました',
  'logged_out.body': '共用のパソコンをお使いの場合は、このウィンドウも閉じてください。',
  'logged_out.return': 'アプリに戻る',
  'confirm_logout.title': 'ログアウトしますか？',
  'confirm_logout.body': 'このブラウザーで {tenant} からログアウトします。',
  'confirm_logout.body_client': '{client} が、このブラウザーで {tenant} からのログアウトを求めています。',
  'confirm_logout.submit': 'ログアウト',
  'confirm_logout.stay': 'ログインしたままにする',

  'activate.title': 'デバイスを接続',
  'activate.lead': 'デバイスに表示されているコードを入力してください。',
  'activate.code': 'コード',
  'activate.confirm_title': '{client} を接続しますか？',
  'activate.confirm_lead': 'デバイスに次のコードが表示されていることを確認してください。',
  'activate.confirm_warning':
    '手元のデバイスでご自身が始めた場合にだけ続けてください。他の人から送られてきたコードは決して承認しないでください。',
  'activate.confirm': '接続する',
  'activate.deny': '接続しない',
  'activate.done_title': 'デバイスが接続されました',
  'activate.done_body': 'デバイスに戻ってください。このページは閉じてかまいません。',
  'activate.refused_title': 'デバイスは接続されませんでした',
  'activate.refused_body': 'アクセスは許可されていません。このページは閉じてかまいません。',

  'unblock.title': 'アカウントのロックを解除',
  'unblock.body':
    'パスワードの間違いが続いたため、ログインを一時的に停止しました。ご本人による操作の場合は、ロックを解除してもう一度お試しください。',
  'unblock.submit': 'ロックを解除する',
  'unblock.done_title': 'ロックを解除しました',
  'unblock.done_body': 'アプリに戻ってログインしてください。パスワードに自信がない場合は、再設定してください。',

  'signup.title': 'アカウントを作成',
  'signup.submit': 'アカウントを作成',
  'signup.have_account': 'すでにアカウントをお持ちですか？',
  'signup.optional': '{label}（任意）',
  'signup.legal': 'アカウントを作成すると、次に同意したことになります：',
  'signup.terms': '利用規約',
  'signup.privacy': 'プライバシーポリシー',

  'password.rules': 'パスワードの条件：',
  'password.unmet': '満たしていません：',
  'password.missing': 'まだ満たしていない条件：',
  'password.done': '問題ありません。',
  'password.rule.length': '{count} 文字以上',
  'password.rule.lower': '英小文字を含む',
  'password.rule.upper': '英大文字を含む',
  'password.rule.digit': '数字を含む',
  'password.rule.special': '! や # などの記号を含む',
  'password.rule.classes': '英小文字・英大文字・数字・記号のうち {count} 種類以上を含む',
  'password.rule.identical': '同じ文字の連続は {count} 文字まで',
  'password.rule.common': 'よく使われるものではない',
  'password.rule.breached': '情報漏えいで知られているものではない',
  'password.rule.personal': 'ご自分の名前やメールアドレスを含まない',
  'password.rule.history': '最近の {count} 回で使ったものではない',
  'password.rule.max': '{count} 文字以下',

  'forgot.title': 'パスワードを再設定',
  'forgot.body': 'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。',
  'forgot.submit': 'リンクを送信',
  'forgot.back': 'ログインに戻る',
  'forgot.sent_title': 'メールをご確認ください',
  'forgot.nothing': '届きませんか？',
  'forgot.again': 'もう一度送る',

  'reset.title': '新しいパスワードを設定',
  'reset.body': '{user} のパスワード',
  'reset.password': '新しいパスワード',
  'reset.submit': 'パスワードを保存',
  'reset.everywhere': '保存すると、すべての端末からログアウトします。',
  'reset.done_title': 'パスワードを変更しました',
  'reset.done_body': 'すべての端末からログアウトしました。これからは新しいパスワードでログインしてください。',
  'reset.continue': 'ログインへ進む',

  'verify.title': 'メールアドレスを確認',
  'verify.body': '{email} がご自分のものであることを確認してください。いつでもアカウントに戻れるようになります。',
  'verify.submit': 'アドレスを確認する',
  'verify.done_title': 'メールアドレスを確認しました',
  'verify.done_body': 'ありがとうございます。{email} がご本人のものと確認できました。このページは閉じてかまいません。',

  'error.unknown_client.title': 'このアプリは登録されていません',
  'error.unknown_client.body':
    'お使いのリンクは、ここに登録されていないアプリを指しています。アプリに戻ってもう一度お試しください。解決しない場合は、アプリの管理者にお知らせください。',
  'error.callback_mismatch.title': 'この戻り先は許可されていません',
  'error.callback_mismatch.body':
    'アプリが登録されていない戻り先を指定したため、処理を中止しました。情報は何も共有されていません。アプリの管理者は、許可するコールバック URL にこのアドレスを追加できます。',
  'error.invalid_request.title': 'リクエストを読み取れません',
  'error.invalid_request.body':
    'アプリから届いた内容が不完全か、矛盾しています。アプリに戻って最初からやり直してください。解決しない場合は、アプリの管理者にお知らせください。',
  'error.expired_transaction.title': 'ログインの有効期限が切れました',
  'error.expired_transaction.body':
    '安全のため、ログインページには有効期限があります。アプリに戻って最初からやり直してください。失われた情報はありません。',
  'error.finished_transaction.title': 'このログインはすでに完了しています',
  'error.finished_transaction.body':
    'このページは、別のタブなどですでに使用されています。アプリに戻ってください。すでにログインしている可能性があります。',
  'error.cookies_off.title': 'ブラウザーが Cookie をブロックしています',
  'error.cookies_off.body':
    'ログインをお使いのブラウザーに結び付けるために Cookie が必要です。このサイトの Cookie を許可し、アプリに戻って最初からやり直してください。',
  'error.other_browser.title': 'このログインは別のブラウザーで始まりました',
  'error.other_browser.body':
    '安全のため、始めたブラウザーでのみ完了できます。そのブラウザーに戻るか、ここで最初からやり直してください。',
  'error.bookmarked.title': '使いたいアプリから始めてください',
  'error.bookmarked.body':
    'このページは、アプリから移動してきたときにだけ使えます。アプリを開き、そこからログインしてください。ブックマークにはこのページではなくアプリを登録してください。',
  'error.logout_url.title': 'この先に移動できません',
  'error.logout_url.body':
    'ログアウト後の移動先が登録されていないため、処理を中止しました。アプリの管理者は、許可するログアウト URL に追加できます。',
  'error.link_expired.title': 'このリンクは使用できません',
  'error.link_expired.body':
    '有効期限が切れたか、すでに使用されています。新しいリンクを取得し、最新のメッセージをお使いください。',
  'error.access_denied.title': 'アクセスできません',
  'error.access_denied.body':
    'お使いのアカウントには許可がありません。必要な場合は、アプリの管理者にお問い合わせください。',
  'error.connection_unavailable.title': 'このログイン方法は利用できません',
  'error.connection_unavailable.body':
    'アプリが、有効になっていないログイン方法を指定しました。戻って別の方法をお試しください。',
  'error.method_not_allowed.title': 'この方法ではページを開けません',
  'error.method_not_allowed.body': 'アプリに戻って最初からやり直してください。',
  'error.too_many_requests.title': 'アクセスが集中しています',
  'error.too_many_requests.body':
    'お使いのネットワークからのリクエストが多すぎます。1 分ほど待ってから、もう一度お試しください。',
  'error.busy.title': 'ただいま混み合っています',
  'error.busy.body': '数秒待ってから、ページを再読み込みしてください。',
  'error.not_found.title': 'ページが見つかりません',
  'error.not_found.body':
    'アドレスが間違っているか、ページが移動した可能性があります。アプリに戻って最初からやり直してください。',
  'error.server_error.title': 'こちら側で問題が発生しました',
  'error.server_error.body': 'お客様の操作が原因ではありません。少し待ってから、もう一度お試しください。',
}
