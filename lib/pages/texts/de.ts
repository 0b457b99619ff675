import type { Catalogue } from './messages'

export const de: Catalogue = {
  'common.cancel': 'Abbrechen',
  'common.signed_in_as': 'Angemeldet als {user}',
  'common.reference': 'Vorgangsnummer',
  'common.details': 'Einzelheiten für den Betreiber der App',
  'common.help': 'Hilfe',
  'common.restart': 'Neu beginnen',
  'common.back': 'Zurück zur App',
  'common.continue': 'Weiter',

  'code.label': 'Code',

  'title.error': 'Fehler: {title}',
  'notice.heading': 'Bitte prüfen Sie zuerst',
  'notice.wrong_credentials': 'Zu diesen Angaben gibt es kein Konto. Prüfen Sie sie und versuchen Sie es noch einmal.',
  'notice.too_many_attempts':
    'Nach zu vielen Fehlversuchen haben wir die Anmeldung angehalten. Gehört das Konto Ihnen, finden Sie in Ihrem Postfach einen Link zum Entsperren. Oder versuchen Sie es später noch einmal.',
  'notice.missing_identifier':
    '{kind, select, email {Geben Sie Ihre E-Mail-Adresse ein.} username {Geben Sie Ihren Benutzernamen ein.} other {Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.}}',
  'notice.missing_password': 'Geben Sie Ihr Passwort ein.',
  'notice.missing_credentials': 'Füllen Sie bitte beide Felder aus.',
  'notice.session_changed':
    'In einem anderen Tab hat sich etwas geändert. Prüfen Sie, ob alles noch stimmt, und fahren Sie fort.',
  'notice.reauthentication': 'Zum Schutz Ihres Kontos melden Sie sich bitte noch einmal an.',
  'notice.missing_fields': 'Ergänzen Sie, was noch fehlt.',
  'notice.invalid_email':
    'Geben Sie eine E-Mail-Adresse an, die Nachrichten empfangen kann, zum Beispiel name@example.com.',
  'notice.invalid_username': 'Wählen Sie einen anderen Benutzernamen: kurz, ohne Leerzeichen und keine E-Mail-Adresse.',
  'notice.invalid_signup':
    'Mit diesen Angaben konnten wir kein Konto erstellen. Haben Sie schon eines, melden Sie sich an oder setzen Sie Ihr Passwort zurück.',
  'notice.weak_password': 'Wählen Sie ein anderes Passwort. Die Liste unter dem Feld zeigt, was diesem fehlt.',
  'notice.username_taken': 'Dieser Benutzername ist vergeben. Wählen Sie einen anderen.',
  'notice.user_exists':
    'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich damit an oder setzen Sie das Passwort zurück.',
  'notice.verify_first':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Wir haben Ihnen einen Link geschickt. Melden Sie sich danach hier an.',
  'notice.reset_sent':
    'Gehört zu dieser Adresse ein Konto, haben wir einen Link für ein neues Passwort dorthin geschickt. Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  'notice.wrong_user_code':
    'Dieser Code gilt nicht. Vergleichen Sie ihn mit Ihrem Gerät oder lassen Sie dort einen neuen anzeigen.',

  'login.title': 'Anmelden',
  'login.lead': 'und weiter zu {client}',
  'login.identifier': '{kind, select, email {E-Mail-Adresse} username {Benutzername} other {E-Mail oder Benutzername}}',
  'login.password': 'Passwort',
  'login.show_password': 'Anzeigen',
  'login.hide_password': 'Verbergen',
  'login.show_password_label': 'Passwort anzeigen',
  'login.hide_password_label': 'Passwort verbergen',
  'login.caps_lock': 'Die Feststelltaste ist aktiv.',
  'login.submit': 'Anmelden',
  'login.forgot': 'Passwort vergessen?',
  'login.no_account': 'Noch kein Konto?',
  'login.sign_up': 'Konto erstellen',

  'account.title': 'Konto wählen',
  'account.title_one': 'Willkommen zurück',
  'account.lead': 'und weiter zu {client}',
  'account.list': 'In diesem Browser angemeldete Konten',
  'account.continue': 'Weiter',
  'account.continue_as': 'Weiter als {user}',
  'account.switch': 'Anderes Konto verwenden',

  'consent.title': '{client} bittet um Zugriff',
  'consent.lead': 'Entscheiden Sie, was die App wissen und in Ihrem Namen tun darf.',
  'consent.third_party':
    '{client} wird nicht von {tenant} betrieben. Erlauben Sie den Zugriff nur, wenn Sie der App vertrauen.',
  'consent.list_profile': 'Die App darf dann',
  'consent.list_api': 'In {api} darf sie dann',
  'consent.accept': 'Erlauben',
  'consent.deny': 'Nicht erlauben',
  'consent.homepage': 'Mehr über {client}',
  'consent.policy': 'Datenschutzhinweise von {client}',
  'consent.terms': 'Nutzungsbedingungen von {client}',
  'scope.openid': 'Sie wiedererkennen, wenn Sie zurückkommen',
  'scope.profile': 'Ihren Namen und Ihr Profilbild sehen',
  'scope.email': 'Ihre E-Mail-Adresse sehen',
  'scope.phone': 'Ihre Telefonnummer sehen',
  'scope.address': 'Ihre Postanschrift sehen',
  'scope.offline_access': 'den Zugriff behalten, während Sie nicht da sind',

  'logged_out.title': 'Sie sind abgemeldet',
  'logged_out.body': 'Schließen Sie an einem gemeinsam genutzten Gerät auch dieses Fenster.',
  'logged_out.return': 'Zurück zur App',
  'confirm_logout.title': 'Abmelden?',
  'confirm_logout.body': 'Sie werden in diesem Browser von {tenant} abgemeldet.',
  'confirm_logout.body_client': '{client} möchte Sie in diesem Browser von {tenant} abmelden.',
  'confirm_logout.submit': 'Abmelden',
  'confirm_logout.stay': 'Angemeldet bleiben',

  'activate.title': 'Gerät verbinden',
  'activate.lead': 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  'activate.code': 'Code',
  'activate.confirm_title': '{client} verbinden?',
  'activate.confirm_lead': 'Prüfen Sie, ob Ihr Gerät genau diesen Code anzeigt:',
  'activate.confirm_warning':
    'Fahren Sie nur fort, wenn Sie das selbst begonnen haben, auf einem Gerät, das bei Ihnen ist. Bestätigen Sie nie einen Code, den Ihnen jemand geschickt hat.',
  'activate.confirm': 'Verbinden',
  'activate.deny': 'Nicht verbinden',
  'activate.done_title': 'Ihr Gerät ist verbunden',
  'activate.done_body': 'Kehren Sie zu Ihrem Gerät zurück. Sie können diese Seite schließen.',
  'activate.refused_title': 'Das Gerät wurde nicht verbunden',
  'activate.refused_body': 'Es hat keinen Zugriff erhalten. Sie können diese Seite schließen.',

  'unblock.title': 'Konto entsperren',
  'unblock.body':
    'Nach mehreren falschen Passwörtern haben wir die Anmeldung angehalten. Waren Sie das selbst, entsperren Sie Ihr Konto und versuchen Sie es noch einmal.',
  'unblock.submit': 'Mein Konto entsperren',
  'unblock.done_title': 'Ihr Konto ist entsperrt',
  'unblock.done_body':
    'Gehen Sie zurück zur App und melden Sie sich an. Sind Sie beim Passwort unsicher, setzen Sie es zurück.',

  'signup.title': 'Konto erstellen',
  'signup.submit': 'Konto erstellen',
  'signup.have_account': 'Schon ein Konto?',
  'signup.optional': '{label} (freiwillig)',
  'signup.legal': 'Mit dem Erstellen des Kontos akzeptieren Sie:',
  'signup.terms': 'Nutzungsbedingungen',
  'signup.privacy': 'Datenschutzerklärung',

  'password.rules': 'Ein gutes Passwort:',
  'password.unmet': 'Nicht erfüllt:',
  'password.missing': 'Noch offen:',
  'password.done': 'Das sieht gut aus.',
  'password.rule.length': 'hat mindestens {count} Zeichen',
  'password.rule.lower': 'enthält einen Kleinbuchstaben',
  'password.rule.upper': 'enthält einen Großbuchstaben',
  'password.rule.digit': 'enthält eine Ziffer',
  'password.rule.special': 'enthält ein Sonderzeichen, etwa ! oder #',
  'password.rule.classes':
    'enthält mindestens {count} von diesen: Kleinbuchstaben, Großbuchstaben, Ziffern, Sonderzeichen',
  'password.rule.identical': 'hat höchstens {count} gleiche Zeichen hintereinander',
  'password.rule.common': 'wird nicht von vielen anderen verwendet',
  'password.rule.breached': 'ist aus keinem Datenleck bekannt',
  'password.rule.personal': 'enthält weder Ihren Namen noch Ihre E-Mail-Adresse',
  'password.rule.history': 'ist keines Ihrer letzten {count}',
  'password.rule.max': 'hat höchstens {count} Zeichen',

  'forgot.title': 'Passwort zurücksetzen',
  'forgot.body':
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  'forgot.submit': 'Link senden',
  'forgot.back': 'Zurück zur Anmeldung',
  'forgot.sent_title': 'Sehen Sie in Ihr Postfach',
  'forgot.nothing': 'Nichts angekommen?',
  'forgot.again': 'Noch einmal versuchen',

  'reset.title': 'Neues Passwort wählen',
  'reset.body': 'für {user}',
  'reset.password': 'Neues Passwort',
  'reset.submit': 'Passwort speichern',
  'reset.everywhere': 'Damit werden Sie auf allen Geräten abgemeldet.',
  'reset.done_title': 'Ihr Passwort ist geändert',
  'reset.done_body': 'Sie sind überall abgemeldet. Melden Sie sich ab jetzt mit dem neuen Passwort an.',
  'reset.continue': 'Weiter zur Anmeldung',

  'verify.title': 'E-Mail-Adresse bestätigen',
  'verify.body': 'Bestätigen Sie, dass {email} Ihnen gehört. So kommen Sie immer wieder in Ihr Konto.',
  'verify.submit': 'Adresse bestätigen',
  'verify.done_title': 'Ihre E-Mail-Adresse ist bestätigt',
  'verify.done_body': 'Vielen Dank. Jetzt wissen wir, dass {email} Ihnen gehört. Sie können diese Seite schließen.',

  'error.unknown_client.title': 'Diese App kennen wir nicht',
  'error.unknown_client.body':
    'Der Link nennt eine App, die hier nicht registriert ist. Gehen Sie zurück zur App und versuchen Sie es noch einmal. Hilft das nicht, wenden Sie sich an deren Betreiber.',
  'error.callback_mismatch.title': 'Diese Rücksprungadresse ist nicht erlaubt',
  'error.callback_mismatch.body':
    'Die App wollte Sie an eine Adresse schicken, die sie nicht registriert hat. Deshalb haben wir hier angehalten; es wurde nichts weitergegeben. Der Betreiber kann die Adresse bei den erlaubten Callback-URLs eintragen.',
  'error.invalid_request.title': 'Diese Anfrage verstehen wir nicht',
  'error.invalid_request.body':
    'Die App hat etwas Unvollständiges oder Widersprüchliches geschickt. Gehen Sie zurück zur App und beginnen Sie von vorn. Hilft das nicht, wenden Sie sich an deren Betreiber.',
  'error.expired_transaction.title': 'Diese Anmeldung ist abgelaufen',
  'error.expired_transaction.body':
    'Zu Ihrer Sicherheit gilt eine Anmeldeseite nur eine Zeit lang. Gehen Sie zurück zur App und beginnen Sie von vorn. Es ist nichts verloren.',
  'error.finished_transaction.title': 'Diese Anmeldung ist schon abgeschlossen',
  'error.finished_transaction.body':
    'Die Seite wurde bereits verwendet, vielleicht in einem anderen Tab. Gehen Sie zurück zur App, womöglich sind Sie schon angemeldet.',
  'error.cookies_off.title': 'Ihr Browser blockiert Cookies',
  'error.cookies_off.body':
    'Wir brauchen ein Cookie, um diese Anmeldung Ihrem Browser zuzuordnen. Erlauben Sie Cookies für diese Website, gehen Sie zurück zur App und beginnen Sie von vorn.',
  'error.other_browser.title': 'Diese Anmeldung begann in einem anderen Browser',
  'error.other_browser.body':
    'Zu Ihrer Sicherheit kann sie nur dort beendet werden, wo sie begonnen hat. Wechseln Sie zu jenem Browser oder beginnen Sie hier von vorn.',
  'error.bookmarked.title': 'Beginnen Sie in der App',
  'error.bookmarked.body':
    'Diese Seite funktioniert nur, wenn eine App Sie hierher schickt. Öffnen Sie die App und melden Sie sich dort an. Setzen Sie das Lesezeichen besser auf die App als auf diese Seite.',
  'error.logout_url.title': 'Von hier können wir Sie nicht weiterleiten',
  'error.logout_url.body':
    'Die Adresse nach dem Abmelden ist nicht registriert, deshalb haben wir hier angehalten. Der Betreiber der App kann sie bei den erlaubten Logout-URLs eintragen.',
  'error.link_expired.title': 'Dieser Link gilt nicht mehr',
  'error.link_expired.body':
    'Er ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an und nehmen Sie die neueste Nachricht.',
  'error.access_denied.title': 'Sie haben keinen Zugang',
  'error.access_denied.body':
    'Ihr Konto ist hierfür nicht freigegeben. Sollte es das sein, wenden Sie sich an den Betreiber der App.',
  'error.connection_unavailable.title': 'Diese Art der Anmeldung gibt es hier nicht',
  'error.connection_unavailable.body':
    'Die App hat eine Anmeldeart verlangt, die für sie nicht eingeschaltet ist. Gehen Sie zurück und wählen Sie eine andere.',
  'error.method_not_allowed.title': 'So lässt sich diese Seite nicht öffnen',
  'error.method_not_allowed.body': 'Gehen Sie zurück zur App und beginnen Sie dort von vorn.',
  'error.too_many_requests.title': 'Das war etwas zu schnell',
  'error.too_many_requests.body':
    'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  'error.busy.title': 'Gerade ist sehr viel los',
  'error.busy.body': 'Warten Sie ein paar Sekunden und laden Sie die Seite neu.',
  'error.not_found.title': 'Hier ist nichts',
  'error.not_found.body':
    'Vielleicht ist die Adresse vertippt oder die Seite umgezogen. Gehen Sie zurück zur App und beginnen Sie dort.',
  'error.server_error.title': 'Bei uns ist etwas schiefgegangen',
  'error.server_error.body': 'Es lag nicht an Ihnen. Versuchen Sie es gleich noch einmal.',
}
