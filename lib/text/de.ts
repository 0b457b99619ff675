import type { Catalogue } from './catalogue'

export const de: Catalogue = {
  'common.document_title': '{title} · {tenant}',
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
  'notice.missing_database': 'Wählen Sie das Verzeichnis Ihres Kontos.',
  'notice.missing_identifier.email': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'notice.missing_identifier.username': 'Geben Sie Ihren Benutzernamen ein.',
  'notice.missing_identifier.either': 'Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.',
  'notice.missing_password': 'Geben Sie Ihr Passwort ein.',
  'notice.missing_credentials': 'Füllen Sie bitte beide Felder aus.',
  'notice.session_changed':
    'In einem anderen Tab hat sich etwas geändert. Prüfen Sie, ob alles noch stimmt, und fahren Sie fort.',
  'notice.reauthentication': 'Zum Schutz Ihres Kontos melden Sie sich bitte noch einmal an.',
  'notice.session_old':
    'Diese App braucht eine frische Anmeldung, und Ihre ist eine Weile her. Bitte melden Sie sich noch einmal an.',
  'notice.session_ended':
    'Ihre letzte Anmeldung ist beendet: Sie ist abgelaufen oder wurde anderswo beendet. Bitte melden Sie sich wieder an.',
  'notice.step_up':
    'Sie sind angemeldet. Was Sie geöffnet haben, braucht einen zweiten Schritt, damit sicher ist, dass Sie es sind.',
  'notice.unblock_sent':
    'Falls unter diesem Namen ein Konto gesperrt ist, ist ein Link zum Entsperren unterwegs. Er gilt einmal.',
  'locked.title': 'Die Anmeldung ist gesperrt',
  'locked.lead': 'Nach zu vielen Fehlversuchen haben wir die Anmeldung angehalten.',
  'locked.why':
    'Mit diesem Namen sind aus Ihrem Netz zu viele Versuche fehlgeschlagen. Bis die Sperre endet, wird auch das richtige Passwort nicht geprüft.',
  'locked.mail':
    'Öffnen Sie den Link in unserer E-Mail, um die Sperre sofort aufzuheben. Wenn Sie sie nicht verursacht haben, wählen Sie danach ein stärkeres Passwort.',
  'locked.reset': 'Legen Sie ein neues Passwort fest. Auch das hebt die Sperre auf.',
  'locked.wait': 'Warten Sie, oder nutzen Sie ein anderes Netz, aus dem Sie sich schon angemeldet haben.',
  'locked.send': 'Link noch einmal senden',
  'locked.back': 'Mit einem anderen Namen anmelden',
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
  'notice.password_leaked':
    'Dieses Passwort ist aus einem Datenleck bei einem anderen Dienst bekannt und gilt deshalb nicht mehr. Wählen Sie „Passwort vergessen?“, um ein neues zu setzen.',
  'notice.captcha_missing':
    'Hier wird auf Roboter geprüft. Warten Sie, bis die Prüfung unten fertig ist, und senden Sie das Formular dann noch einmal.',
  'notice.captcha_wrong':
    'Die Prüfung auf Roboter hat nicht geklappt. Versuchen Sie es noch einmal, oder lassen Sie sich einen Code mailen.',
  'notice.captcha_sent':
    'Wenn Ihre Angabe per E-Mail erreichbar ist, ist ein Code unterwegs. Geben Sie ihn unten ein und fahren Sie fort.',
  'notice.captcha_code':
    'Dieser Code stimmt nicht oder gilt nicht mehr. Geben Sie den neuesten ein, oder fordern Sie einen weiteren an.',
  'captcha.code': 'Code aus der E-Mail',
  'captcha.again': 'Weiteren Code senden',
  'captcha.no_script':
    'Dieser Browser führt kein JavaScript aus und kann die Prüfung auf Roboter nicht machen. Geben Sie oben Ihre Adresse ein, und lassen Sie sich stattdessen einen Code mailen.',
  'captcha.mail': 'Code per E-Mail erhalten',
  'captcha.working': 'Wir prüfen, dass Sie kein Roboter sind …',
  'captcha.done': 'Prüfung abgeschlossen.',
  'notice.reset_sent':
    'Gehört zu dieser Adresse ein Konto, haben wir einen Link für ein neues Passwort dorthin geschickt. Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  'notice.code_exhausted': 'Das war ein Versuch zu viel für diesen Code. Senden Sie einen neuen.',
  'notice.wait_for_code':
    'Gerade erst wurde ein Code gesendet. Warten Sie noch etwas, bevor Sie einen weiteren anfordern.',
  'notice.link_waiting': 'Der Link wurde noch nicht geöffnet und bestätigt.',
  'notice.link_rejected':
    'Die Anmeldung wurde dort abgelehnt, wo der Link geöffnet wurde. Wenn Sie das nicht waren, kann jemand anderes Ihre E-Mails lesen.',
  'notice.link_over': 'Der Link ist nicht mehr gültig. Senden Sie einen neuen.',
  'notice.wrong_operator_token': 'Das ist nicht das Betreiber-Token dieses Servers.',
  'notice.wrong_user_code':
    'Dieser Code gilt nicht. Vergleichen Sie ihn mit Ihrem Gerät oder lassen Sie dort einen neuen anzeigen.',
  'notice.wrong_code': 'Dieser Code stimmt nicht oder gilt nicht mehr. Geben Sie den neuesten ein.',
  'notice.code_sent': 'Schon unterwegs. Das kann eine Minute dauern.',
  'notice.too_many_codes':
    'Das waren zu viele Versuche. Warten Sie ein paar Minuten oder nehmen Sie einen anderen Weg.',
  'notice.too_many_messages':
    'Fürs Erste haben wir genug Nachrichten geschickt. Nehmen Sie die neueste, warten Sie eine Weile oder wählen Sie einen anderen Weg.',
  'notice.invalid_phone': 'Geben Sie eine erreichbare Telefonnummer mit Ländervorwahl ein.',
  'notice.unserved_phone': 'An Nummern aus diesem Land senden wir nichts mehr. Wählen Sie einen anderen Weg.',
  'notice.push_waiting': 'Ihr Telefon hat noch nicht geantwortet.',
  'notice.push_rejected':
    'Die Anmeldung wurde auf Ihrem Telefon abgelehnt. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
  'notice.push_expired': 'Die Anfrage ist abgelaufen. Senden Sie eine neue.',
  'notice.key_failed': 'Das hat nicht funktioniert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  'notice.upstream_failed':
    'Die Anmeldung bei diesem Anbieter hat nicht geklappt. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen Weg.',
  'notice.unreached.host_unknown':
    '{provider} ist nicht erreichbar: Der Hostname wurde nicht gefunden. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen Weg.',
  'notice.unreached.refused':
    '{provider} ist nicht erreichbar: Die Verbindung wurde abgelehnt. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen Weg.',
  'notice.unreached.untrusted':
    '{provider} ist nicht erreichbar: Dem TLS-Zertifikat wird hier nicht vertraut. Wählen Sie einen anderen Weg oder fragen Sie den Betreiber der App.',
  'notice.unreached.timeout':
    '{provider} ist nicht erreichbar: Es kam nicht rechtzeitig eine Antwort. Versuchen Sie es gleich noch einmal oder wählen Sie einen anderen Weg.',
  'notice.upstream_denied':
    'Die Anmeldung dort wurde abgebrochen. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  'notice.upstream_no_account':
    'Zu dieser Anmeldung gibt es hier kein Konto. Wählen Sie einen anderen Weg oder fragen Sie den Betreiber der App.',
  'notice.unknown_domain':
    'Mit einer solchen Adresse können Sie sich hier nicht anmelden. Prüfen Sie sie oder wählen Sie einen anderen Weg.',
  'notice.unknown_organization': 'Diese Organisation gibt es nicht. Prüfen Sie die Eingabe.',
  'notice.no_organization_found': 'Keine Ihrer Organisationen heißt so.',
  'notice.link_other_account':
    'Das ist ein anderes Konto. Melden Sie sich an dem vorgeschlagenen an oder gehen Sie zurück.',
  'notice.link_failed':
    'Die Konten konnten nicht verknüpft werden. Versuchen Sie es noch einmal oder lassen Sie sie getrennt.',
  'notice.link_last_owner':
    'Eines davon ist das einzige Konto, das diesen Server verwalten kann. Deshalb können sie nicht verknüpft werden. Lassen Sie sie getrennt.',

  'login.title': 'Anmelden',
  'login.title_invited': 'Anmelden',
  'login.lead': 'und weiter zu {client}',
  'login.changes_sign_in': 'Damit erlauben Sie {client} auch, Ihre Anmeldung zu ändern.',
  'login.lead_organization': 'und weiter zu {client} für {organization}',
  'login.lead_invited': '{inviter} hat Sie zu {organization} eingeladen',
  'login.identifier.email': 'E-Mail-Adresse',
  'login.identifier.username': 'Benutzername',
  'login.identifier.either': 'E-Mail oder Benutzername',
  'login.database': 'Verzeichnis',
  'login.database_choose': 'Verzeichnis wählen',
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
  'login.next': 'Weiter',
  'login.or': 'oder',
  'login.with': 'Weiter mit {provider}',

  'login.last_used': 'Hier zuletzt genutzt',
  'login.accounts': 'Gespeichertes Konto auswählen',
  'account.signed_in': 'Angemeldet',
  'account.forget': 'Dieses Konto aus diesem Browser entfernen',
  'account.title': 'Konto wählen',
  'account.title_one': 'Willkommen zurück',
  'account.lead': 'und weiter zu {client}',
  'account.list': 'Konten in diesem Browser',
  'account.continue': 'Weiter',
  'account.continue_as': 'Weiter als {user}',
  'account.switch': 'Anderes Konto verwenden',

  'notice.passkey_failed':
    'Der Passkey hat hier nicht funktioniert. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  'notice.passkey_unknown': 'Dieser Passkey öffnet hier kein Konto mehr. Melden Sie sich auf einem anderen Weg an.',
  'notice.passkey_not_added':
    'Der Passkey wurde nicht gespeichert. Versuchen Sie es noch einmal oder machen Sie ohne ihn weiter.',
  'notice.passkey_name': 'Der Name eines Passkeys hat 1 bis 100 Zeichen.',
  'notice.passkey_model':
    'Passkeys dieser Art sind hier nicht zugelassen. Nehmen Sie ein anderes Gerät oder einen anderen Sicherheitsschlüssel.',
  'passkey.sign_in': 'Mit Passkey anmelden',
  'passkey.sign_up': 'Konto mit Passkey erstellen',
  'passkey.cancelled':
    'Das wurde abgebrochen oder hat zu lange gedauert. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  'passkey.title': 'Ohne Passwort anmelden?',
  'passkey.lead.none-yet': 'Beim nächsten Mal melden Fingerabdruck, Gesicht oder Displaysperre Sie als {user} an.',
  'passkey.lead.other-device': 'Beim nächsten Mal meldet dieses Gerät Sie als {user} an, ohne das andere.',
  'passkey.what':
    'Ein Passkey liegt auf Ihrem Gerät oder in Ihrem Passwortmanager. Fingerabdruck und Gesicht verlassen es nie.',
  'passkey.create': 'Passkey erstellen',
  'passkey.skip': 'Jetzt nicht',

  'organization.title': 'Welche Organisation?',
  'organization.field': 'Organisation',
  'organization.name': 'Name der Organisation',
  'organization.either': 'Name der Organisation oder E-Mail-Adresse',
  'organization.pick_title': 'Organisation wählen',
  'organization.list': 'Ihre Organisationen',
  'organization.search': 'Ihre Organisationen durchsuchen',
  'organization.search_submit': 'Suchen',

  'link.title': 'Konten verknüpfen?',
  'link.lead': 'Sie haben noch ein Konto mit {email}.',
  'link.ways': 'So melden Sie sich dort an',
  'link.way.password': 'mit einem Passwort',
  'link.way.email': 'mit einem Code oder Link per E-Mail',
  'link.way.sms': 'mit einem Code per SMS',
  'link.what':
    'Verknüpft werden sie ein Konto: Das ältere bleibt, und Sie melden sich auf beide Arten daran an. Was beim neueren gespeichert ist, wird nicht übernommen.',
  'link.submit': 'Verknüpfen',
  'link.keep_apart': 'Getrennt lassen',
  'link.prove_title': 'Melden Sie sich am anderen Konto an',
  'link.prove_lead': 'Das zeigt, dass beide Konten Ihnen gehören. Danach verknüpfen wir sie.',
  'link.back': 'Zurück',

  'consent.title': '{client} bittet um Zugriff',
  'consent.lead': 'Entscheiden Sie, was die App wissen und in Ihrem Namen tun darf.',
  'consent.third_party':
    '{client} wird nicht von {tenant} betrieben. Erlauben Sie den Zugriff nur, wenn Sie der App vertrauen.',
  'consent.changes_sign_in': 'Wenn Sie das erlauben, kann {client} ändern, wie Sie sich als {user} anmelden.',
  'consent.returns_to': 'In beiden Fällen geht es danach weiter zu {place}.',
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

  'doctor.title': 'Serverprüfung',
  'doctor.lead':
    'Sieht sich Adresse, Proxy, TLS, Uhr, Datenbank, Redis, E-Mail, Schlüssel und Weiterleitungsadressen dieses Servers an und ändert nichts.',
  'doctor.token': 'Betreiber-Token',
  'doctor.submit': 'Untersuchen',
  'doctor.well': 'Alles funktioniert',
  'doctor.doubtful': 'Einige Punkte brauchen Aufmerksamkeit',
  'doctor.ill': 'Einige Punkte müssen behoben werden',

  'unblock.title': 'Konto entsperren',
  'unblock.body':
    'Nach mehreren falschen Passwörtern haben wir die Anmeldung angehalten. Waren Sie das selbst, entsperren Sie Ihr Konto und versuchen Sie es noch einmal.',
  'unblock.submit': 'Mein Konto entsperren',
  'unblock.done_title': 'Ihr Konto ist entsperrt',
  'unblock.done_body':
    'Gehen Sie zurück zur App und melden Sie sich an. Sind Sie beim Passwort unsicher, setzen Sie es zurück.',

  'signup.title': 'Konto erstellen',
  'signup.title_invited': 'Konto erstellen',
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
  'forgot.code_body':
    'Gehört zu dieser Adresse ein Konto, haben wir einen Code dorthin geschickt. Geben Sie ihn hier ein, um ein neues Passwort zu wählen. Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  'forgot.nothing': 'Nichts angekommen?',
  'forgot.again': 'Noch einmal versuchen',

  'reset.title': 'Neues Passwort wählen',
  'reset.body': 'für {user}',
  'reset.password': 'Neues Passwort',
  'reset.submit': 'Passwort speichern',
  'reset.everywhere': 'Damit werden Sie auf allen Geräten abgemeldet.',
  'reset.elsewhere': 'Damit werden Sie auf allen anderen Geräten abgemeldet.',
  'reset.done_title': 'Ihr Passwort ist geändert',
  'reset.done_body': 'Sie sind überall abgemeldet. Melden Sie sich ab jetzt mit dem neuen Passwort an.',
  'reset.continue': 'Weiter zur Anmeldung',

  'verify.title': 'E-Mail-Adresse bestätigen',
  'verify.body': 'Bestätigen Sie, dass {email} Ihnen gehört. So kommen Sie immer wieder in Ihr Konto.',
  'verify.submit': 'Adresse bestätigen',
  'restore.title': 'Änderung Ihrer E-Mail-Adresse rückgängig machen?',
  'restore.body':
    'Das Konto erhält {email} zurück. Was seit der Änderung hinzugefügt wurde, wird entfernt. Alle werden abgemeldet, und das Passwort gilt nicht mehr.',
  'restore.submit': 'Änderung rückgängig machen',
  'restore.taken':
    'Ein anderes Konto meldet sich jetzt mit {email} an. Löschen Sie zuerst jenes Konto oder ändern Sie seine Adresse; dieser Link bleibt gültig.',
  'restore.done_title': 'Ihre E-Mail-Adresse ist zurück',
  'restore.done_reset': 'Wir haben an {email} einen Link gesendet, mit dem Sie ein neues Passwort wählen.',
  'restore.done_body': 'Alle sind abgemeldet. Melden Sie sich als {email} wieder an.',
  'verify.done_title': 'Ihre E-Mail-Adresse ist bestätigt',
  'verify.done_body': 'Vielen Dank. Jetzt wissen wir, dass {email} Ihnen gehört. Sie können diese Seite schließen.',

  'mfa.title': 'Bestätigen Sie, dass Sie es sind',
  'mfa.factor.otp': 'Authenticator-App',
  'mfa.factor.push': 'Bestätigung auf Ihrem Telefon',
  'mfa.factor.sms': 'SMS',
  'mfa.factor.voice': 'Anruf',
  'mfa.factor.email': 'E-Mail',
  'mfa.factor.webauthn-roaming': 'Sicherheitsschlüssel',
  'mfa.factor.webauthn-platform': 'Fingerabdruck, Gesicht oder Displaysperre',
  'mfa.factor.recovery-code': 'Notfallcode',
  'mfa.lead.otp': 'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
  'mfa.lead.push': 'Bestätigen Sie diese Anmeldung auf Ihrem Telefon.',
  'mfa.lead.sms': 'Geben Sie den Code aus unserer SMS an {name} ein.',
  'mfa.lead.voice': 'Geben Sie den Code ein, den wir Ihnen im Anruf an {name} ansagen.',
  'mfa.lead.email': 'Geben Sie den Code aus unserer E-Mail an {name} ein.',
  'mfa.lead.webauthn-roaming': 'Bestätigen Sie mit Ihrem Sicherheitsschlüssel, dass Sie es sind.',
  'mfa.lead.webauthn-platform':
    'Bestätigen Sie mit Fingerabdruck, Gesicht oder Displaysperre dieses Geräts, dass Sie es sind.',
  'mfa.lead.recovery-code':
    'Geben Sie den Notfallcode ein, den Sie aufbewahrt haben. Er gilt einmal; danach bekommen Sie einen neuen.',
  'mfa.ask.push': 'Wir bitten Ihr Telefon, diese Anmeldung zu bestätigen.',
  'mfa.ask.sms': 'Wir senden einen Code per SMS an {name}.',
  'mfa.ask.voice': 'Wir rufen {name} an und sagen Ihnen einen Code.',
  'mfa.ask.email': 'Wir senden einen Code per E-Mail an {name}.',
  'mfa.send.code': 'Code senden',
  'mfa.send.call': 'Anrufen lassen',
  'mfa.send.push': 'Mein Telefon fragen',
  'mfa.number': 'Ihr Telefon fragt nach dieser Zahl:',
  'mfa.waiting': 'Warten auf Ihr Telefon …',
  'mfa.answered': 'Ihr Telefon hat geantwortet.',
  'mfa.push_done': 'Ich habe am Telefon geantwortet',
  'mfa.remember': 'In diesem Browser {days} Tage lang nicht mehr fragen',
  'mfa.other': 'Einen anderen Weg nehmen',
  'mfa.lost': 'Gerät verloren?',
  'mfa.lost_body':
    'Wenn Ihnen nichts davon mehr bleibt, bitten Sie {tenant} um Hilfe. Sobald dort klar ist, dass Sie es sind, kann der zweite Schritt von Ihrem Konto genommen werden.',

  'enroll.title': 'Zweiten Schritt einrichten',
  'enroll.lead':
    'Damit reicht ein gestohlenes Passwort nicht, um in Ihr Konto zu kommen. Wie möchten Sie Anmeldungen bestätigen?',
  'enroll.hint.otp': 'Codes aus einer App. Geht auch ohne Netz.',
  'enroll.hint.push': 'Jede Anmeldung auf dem Telefon bestätigen.',
  'enroll.hint.sms': 'Wir senden Codes an Ihr Mobiltelefon.',
  'enroll.hint.voice': 'Wir rufen an und sagen Ihnen einen Code.',
  'enroll.hint.email': 'Wir senden Codes an Ihre E-Mail-Adresse.',
  'enroll.other': 'Etwas anderes wählen',
  'enroll.otp.title': 'Authenticator-App einrichten',
  'enroll.otp.lead': 'Scannen Sie das mit der App auf Ihrem Telefon.',
  'enroll.qr': 'QR-Code',
  'enroll.otp.open': 'App auf diesem Gerät öffnen',
  'enroll.otp.key': 'Oder geben Sie dort diesen Schlüssel ein:',
  'enroll.otp.code': 'Code, den die App anzeigt',
  'enroll.phone.title': 'Wie lautet Ihre Nummer?',
  'enroll.phone.label': 'Telefonnummer',
  'enroll.phone.hint': 'Mit Ländervorwahl: +49 30 1234567',
  'enroll.code.title': 'Code eingeben',
  'enroll.push.title': 'Telefon verbinden',
  'enroll.push.lead': 'Scannen Sie das mit der Kamera Ihres Telefons und bestätigen Sie dort.',
  'enroll.push.open': 'Sie sind am Telefon? Öffnen Sie diesen Link',
  'enroll.title.webauthn-roaming': 'Sicherheitsschlüssel hinzufügen',
  'enroll.hint.webauthn-roaming':
    'Halten Sie den Schlüssel bereit. Ihr Browser bittet Sie, ihn einzustecken oder zu berühren.',
  'enroll.title.webauthn-platform': 'Dieses Gerät verwenden',
  'enroll.hint.webauthn-platform': 'Ihr Browser fragt nach Fingerabdruck, Gesicht oder Displaysperre.',
  'webauthn.missing':
    'Dafür braucht es einen Browser mit JavaScript, der Sicherheitsschlüssel unterstützt. Wählen Sie einen anderen Weg.',
  'enroll.done.title': 'Ihr zweiter Schritt ist eingerichtet',
  'enroll.done.lead': 'Sie können diese Seite schließen.',
  'enroll.occasion.each':
    'Ist ein zweiter Schritt eingerichtet, fragen wir bei jeder Anmeldung danach, außer in einem Browser, den Sie sich merken lassen.',
  'enroll.occasion.risky':
    'Ist ein zweiter Schritt eingerichtet, fragen wir danach, wenn eine Anmeldung ungewöhnlich ist, etwa in einem Browser, den wir nicht kennen.',
  'enroll.occasion.never':
    'Eine Anmeldung fragt zurzeit nicht nach einem zweiten Schritt, es sei denn, eine App verlangt einen.',
  'copy.copy': 'Kopieren',
  'copy.copied': 'Kopiert',

  'recovery.title': 'Bewahren Sie Ihren Notfallcode auf',
  'recovery.lead':
    'Er lässt Sie hinein, wenn Ihr Telefon verloren oder kaputt ist. Wir zeigen ihn nur dieses eine Mal.',
  'recovery.keep': 'Ein Passwortmanager ist ein guter Ort, oder Papier in der Schublade. Nicht das Telefon selbst.',
  'recovery.file': 'Notfallcode für {user} bei {tenant}',
  'recovery.download': 'Herunterladen',
  'recovery.print': 'Drucken',
  'recovery.submit': 'Aufbewahrt, weiter',

  'push.connect_title': 'Anmeldungen mit diesem Gerät bestätigen?',
  'push.connect_lead': 'Machen Sie nur weiter, wenn Sie das gerade selbst einrichten, auf Ihrem eigenen Telefon.',
  'push.connect_for': 'Konto: {user}. Anwendung: {client}.',
  'push.connect_replaces':
    'Dieser Browser ist seit dem {date} für {user} verbunden. Diese Verbindung wird ersetzt: Jene Anmeldungen lassen sich hier dann nicht mehr bestätigen.',
  'push.connect': 'Dieses Gerät verbinden',
  'push.connected_title': 'Dieses Gerät ist verbunden',
  'push.connected_body':
    'Gehen Sie zurück zu Ihrer Anmeldung. Was zu bestätigen ist, erscheint auf der Seite unten: Legen Sie sie auf den Startbildschirm.',
  'push.open': 'Anmeldungen zum Bestätigen öffnen',
  'push.idle_title': 'Nichts zu bestätigen',
  'push.idle_body': 'Anmeldungen als {user} erscheinen hier.',
  'push.check': 'Noch einmal nachsehen',
  'push.prompt_title': 'Melden Sie sich gerade an?',
  'push.prompt_lead': 'Bei {client}, als {user}',
  'push.ip': 'Netzadresse',
  'push.number': 'Zahl auf dem anderen Bildschirm',
  'push.warning': 'Wenn nicht, kennt jemand Ihr Passwort. Lehnen Sie ab und wählen Sie ein neues.',
  'push.approve': 'Bestätigen',
  'push.reject': 'Ablehnen',
  'push.approved_title': 'Bestätigt',
  'push.approved_body': 'Gehen Sie zurück zum anderen Bildschirm und machen Sie dort weiter.',
  'push.rejected_title': 'Abgelehnt',
  'push.rejected_body': 'Die Anmeldung wurde abgelehnt. Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort.',

  'passwordless.identifier.email': 'E-Mail-Adresse',
  'passwordless.identifier.phone': 'Telefonnummer',
  'passwordless.identifier.either': 'E-Mail oder Telefonnummer',
  'passwordless.hint': 'Wir senden Ihnen einen Code. Sie brauchen kein Passwort.',
  'passwordless.code_lead': 'Geben Sie den Code ein, den wir an {address} gesendet haben. Das kann eine Minute dauern.',
  'passwordless.again': 'Neuen Code senden',
  'passwordless.again_in': 'Ein neuer Code kann in {seconds} s gesendet werden.',
  'passwordless.other_address': 'Andere Adresse verwenden',
  'passwordless.with_password': 'Mit Passwort anmelden',
  'passwordless.instead': 'Stattdessen mit einem Code anmelden',
  'passwordless.hint_link': 'Wir senden Ihnen einen Link. Sie brauchen kein Passwort.',
  'passwordless.link_sent_title': 'Sehen Sie in Ihre E-Mails',
  'passwordless.link_sent':
    'Wir haben einen Link an {address} gesendet. Das kann eine Minute dauern. Öffnen Sie ihn in diesem Browser oder auf einem anderen Gerät.',
  'passwordless.both_sent':
    'Geben Sie den Code ein, den wir an {address} gesendet haben, oder öffnen Sie den Link daneben. Das kann eine Minute dauern.',
  'passwordless.number': 'Auf einem anderen Gerät fragt der Link nach dieser Zahl:',
  'passwordless.waiting': 'Warten auf den Link …',
  'passwordless.answered': 'Die Anmeldung wurde bestätigt.',
  'passwordless.approved': 'Ich habe dort bestätigt',
  'passwordless.link_again': 'Neuen Link senden',
  'passwordless.link_again_in': 'Ein neuer Link kann in {seconds} s gesendet werden.',
  'passwordless.elsewhere':
    'Nur wenn Sie das selbst begonnen haben: Geben Sie die Zahl ein, die Ihr anderer Bildschirm zeigt, und machen Sie dort weiter. Auf diesem Gerät werden Sie nicht angemeldet.',
  'passwordless.not_me': 'Das war ich nicht',
  'passwordless.rejected_body': 'Die Anmeldung wurde abgelehnt, und der Link gilt nicht mehr.',
  'passwordless.link_title': 'Bei {client} anmelden?',
  'passwordless.confirm_lead':
    'Sie werden als {user} angemeldet. Machen Sie nur weiter, wenn Sie sich gerade selbst hier anmelden wollten.',
  'passwordless.replaces': 'Sie sind jetzt als {user} angemeldet. Wenn Sie weitermachen, endet diese Anmeldung.',
  'passwordless.link_lead':
    'Sie werden als {email} angemeldet. Machen Sie nur weiter, wenn Sie diesen Link selbst angefordert haben.',

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
  'error.other_address.title': 'Bitte verwenden Sie die eigene Adresse dieses Servers',
  'error.other_address.body':
    'Die Anmeldung begann unter einer anderen Adresse, etwa einer IP-Adresse, einem anderen Namen oder Port oder http statt https, und Ihr Browser merkt sich Cookies nur für eine Adresse. Beginnen Sie unter der unten stehenden Adresse neu. Wenn eine App Sie hierher geführt hat, muss ihr Betreiber diese Adresse dort eintragen.',
  'error.bookmarked.title': 'Beginnen Sie in der App',
  'error.bookmarked.body':
    'Diese Seite funktioniert nur, wenn eine App Sie hierher schickt. Öffnen Sie die App und melden Sie sich dort an. Setzen Sie das Lesezeichen besser auf die App als auf diese Seite.',
  'error.no_device.title': 'Dieses Gerät ist noch nicht verbunden',
  'error.no_device.body':
    'Um damit Anmeldungen zu bestätigen, wählen Sie „Bestätigung auf Ihrem Telefon“, wenn eine Anmeldung nach dem zweiten Schritt fragt, und scannen Sie das Bild, das dort erscheint.',
  'error.logout_url.title': 'Von hier können wir Sie nicht weiterleiten',
  'error.logout_url.body':
    'Die Adresse nach dem Abmelden ist nicht registriert, deshalb haben wir hier angehalten. Der Betreiber der App kann sie bei den erlaubten Logout-URLs eintragen.',
  'error.logout_hint.title': 'So können wir Sie nicht abmelden',
  'error.logout_hint.body':
    'Die App hat einen Nachweis Ihrer Anmeldung gesendet, der nicht von uns stammt, deshalb ist nichts geschehen. Gehen Sie zurück zur App und versuchen Sie es noch einmal. Hilft das nicht, wenden Sie sich an deren Betreiber.',
  'error.link_expired.title': 'Dieser Link gilt nicht mehr',
  'error.link_expired.body':
    'Er ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an und nehmen Sie die neueste Nachricht.',
  'error.access_denied.title': 'Sie haben keinen Zugang',
  'error.access_denied.body':
    'Ihr Konto ist hierfür nicht freigegeben. Sollte es das sein, wenden Sie sich an den Betreiber der App.',
  'error.foreign_page.title': 'Das kam nicht von unserer Seite',
  'error.foreign_page.body':
    'Eine andere Website hat Ihren Browser dieses Formular senden lassen, deshalb ist nichts geschehen. Gehen Sie zurück zur App und beginnen Sie dort.',
  'error.connection_unavailable.title': 'Diese Art der Anmeldung gibt es hier nicht',
  'error.connection_unavailable.body':
    'Die App hat eine Anmeldeart verlangt, die für sie nicht eingeschaltet ist. Gehen Sie zurück und wählen Sie eine andere.',
  'error.upstream_answer.title': 'Diese Anmeldung lässt sich nicht abschließen',
  'error.upstream_answer.body':
    'Die Antwort des anderen Dienstes gehört zu keiner Anmeldung in diesem Browser oder wurde schon benutzt. Gehen Sie zurück zur App und melden Sie sich neu an.',
  'error.upstream_unfit.title': 'Diese Anmeldung lässt sich nicht abschließen',
  'error.upstream_unfit.body':
    'Die Antwort des anderen Dienstes lässt sich nicht annehmen: Seine Einstellungen oder seine Uhr weichen von dem ab, was hier erwartet wird. Gehen Sie zurück zur App und melden Sie sich neu an. Wenn es wieder geschieht, fragen Sie Ihre Administration.',
  'error.cause.next':
    'Gehen Sie zurück zur App und melden Sie sich neu an. Wenn es wieder geschieht, geben Sie Ihrer Administration die Referenz unten.',
  'error.cause.upstream_audience':
    'Die Antwort des anderen Dienstes ist für einen anderen Empfänger bestimmt: Sie nennt eine andere Audience.',
  'error.cause.upstream_expired':
    'Die Antwort des anderen Dienstes ist abgelaufen, oder seine Uhr weicht von unserer ab.',
  'error.cause.upstream_early': 'Die Antwort des anderen Dienstes gilt noch nicht: Seine Uhr weicht von unserer ab.',
  'error.cause.upstream_issuer':
    'Die Antwort kommt von einem anderen Aussteller als dem, der für diese Anmeldung eingerichtet ist.',
  'error.cause.upstream_address': 'Die Antwort des anderen Dienstes war für eine andere Adresse bestimmt.',
  'error.cause.upstream_other_request':
    'Die Antwort des anderen Dienstes gehört zu einer anderen Anmeldung als der in diesem Browser.',
  'error.cause.upstream_replayed': 'Die Antwort des anderen Dienstes wurde schon benutzt.',
  'error.cause.signature_missing': 'Die Antwort des anderen Dienstes ist nicht signiert, muss es aber sein.',
  'error.cause.signature_invalid':
    'Die Antwort des anderen Dienstes ist nicht mit einem Zertifikat signiert, das hier bekannt ist.',
  'error.cause.signature_algorithm':
    'Die Antwort des anderen Dienstes ist mit einem Verfahren signiert, das hier nicht angenommen wird.',
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

  'mail.greeting': 'Guten Tag {name},',
  'mail.greeting_unnamed': 'Guten Tag,',
  'mail.fallback': 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  'mail.help': 'Hilfe',
  'mail.footer':
    '{tenant} sendet Ihnen diese Nachricht, weil es Vorgänge in Ihrem Konto gab. Antworten an diese Adresse werden nicht gelesen.',
  'mail.address': 'Netzwerkadresse',
  'mail.code': 'Code',
  'mail.organization': 'Organisation',
  'mail.invited_by': 'Eingeladen von',
  'mail.added': 'Hinzugefügt',
  'mail.changed': 'Geändert',
  'mail.refused': 'Abgelehnt',
  'mail.unprocessed': 'Nicht verarbeitet',

  'mail.blocked_account.subject': '{tenant}: Wir haben die Anmeldung in Ihrem Konto angehalten',
  'mail.blocked_account.preview': 'Es gab zu viele fehlgeschlagene Anmeldeversuche.',
  'mail.blocked_account.title': 'Wir haben die Anmeldung in Ihrem Konto angehalten',
  'mail.blocked_account.lead':
    'Es gab zu viele fehlgeschlagene Versuche, sich in Ihrem Konto bei {tenant} anzumelden. Vielleicht versucht jemand, Ihr Passwort zu erraten. Deshalb nehmen wir von der unten genannten Netzwerkadresse keine Versuche mehr an.',
  'mail.blocked_account.intro':
    'Waren Sie es selbst, können Sie Ihr Konto jetzt entsperren. Der Link öffnet eine Seite mit einer Schaltfläche; es passiert nichts, bis Sie darauf drücken.',
  'mail.blocked_account.action': 'Mein Konto entsperren',
  'mail.blocked_account.closing':
    'Waren Sie es nicht, müssen Sie nichts tun: Die Sperre schützt Sie. Achten Sie darauf, dass Sie dieses Passwort nirgendwo sonst verwenden.',

  'mail.verify_email.subject': '{tenant}: Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verify_email.preview': 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört.',
  'mail.verify_email.title': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verify_email.lead': 'Mit dieser E-Mail-Adresse wurde ein Konto bei {tenant} angelegt.',
  'mail.verify_email.intro':
    'Waren Sie es selbst, bestätigen Sie bitte, dass die Adresse Ihnen gehört. Der Link öffnet eine Seite mit einer Schaltfläche und gilt fünf Tage.',
  'mail.verify_email.action': 'Meine Adresse bestätigen',
  'mail.verify_email.closing':
    'Waren Sie es nicht, können Sie diese Nachricht ignorieren. Die Adresse bleibt dann unbestätigt.',

  'mail.reset_password.subject': '{tenant}: Passwort zurücksetzen',
  'mail.reset_password.preview': 'Hier ist der Link für ein neues Passwort.',
  'mail.reset_password.title': 'Passwort zurücksetzen',
  'mail.reset_password.lead': 'Wir haben eine Anfrage erhalten, das Passwort Ihres Kontos bei {tenant} zurückzusetzen.',
  'mail.reset_password.code':
    'Geben Sie diesen Code innerhalb von zehn Minuten auf der Seite ein, auf der Sie ihn angefordert haben, oder machen Sie mit der Schaltfläche weiter.',
  'mail.reset_password.intro':
    'Waren Sie es selbst, wählen Sie jetzt ein neues Passwort. Der Link gilt einmal und eine Stunde lang. Sie werden danach überall abgemeldet.',
  'mail.reset_password.action': 'Neues Passwort wählen',
  'mail.reset_password.closing':
    'Waren Sie es nicht, können Sie diese Nachricht ignorieren. Ihr Passwort bleibt, wie es ist.',

  'mail.stolen_credentials.subject': '{tenant}: Ihr Passwort ist aus einem Datenleck bekannt',
  'mail.stolen_credentials.preview': 'Wählen Sie ein neues Passwort, um sich wieder anzumelden.',
  'mail.stolen_credentials.title': 'Wählen Sie ein neues Passwort',
  'mail.stolen_credentials.lead':
    'Mit Ihrem Passwort für {tenant} wollte sich jemand anmelden. Es steht in einer Liste von Passwörtern aus einem Datenleck bei einem anderen Dienst. Wir haben die Anmeldung abgelehnt.',
  'mail.stolen_credentials.intro':
    'Wählen Sie jetzt ein neues Passwort. Der Link gilt einmal und eine Stunde lang. Sie werden danach überall abgemeldet.',
  'mail.stolen_credentials.action': 'Neues Passwort wählen',
  'mail.stolen_credentials.closing':
    'Waren Sie es nicht, kennt eine andere Person Ihr altes Passwort. Ändern Sie es überall, wo Sie es verwenden.',

  'mail.already_registered.subject': '{tenant}: Sie haben bereits ein Konto',
  'mail.already_registered.preview': 'Ihre Adresse wurde bei einer Registrierung angegeben.',
  'mail.already_registered.title': 'Sie haben bereits ein Konto',
  'mail.already_registered.lead':
    'Bei {tenant} ging eine Registrierung mit dieser E-Mail-Adresse ein. Zu ihr gibt es bereits ein Konto; ein zweites wurde nicht angelegt.',
  'mail.already_registered.closing':
    'Waren Sie es selbst, melden Sie sich mit Ihrem bisherigen Passwort an. Falls Sie es nicht mehr wissen, wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Waren Sie es nicht, müssen Sie nichts tun.',

  'mail.password_changed.subject': '{tenant}: Ihr Passwort wurde geändert',
  'mail.password_changed.preview': 'Das Passwort Ihres Kontos wurde soeben geändert.',
  'mail.password_changed.title': 'Ihr Passwort wurde geändert',
  'mail.password_changed.lead':
    'Das Passwort Ihres Kontos bei {tenant} wurde soeben geändert. Sie wurden überall abgemeldet.',
  'mail.password_changed.closing':
    'Waren Sie es selbst, müssen Sie nichts weiter tun: Melden Sie sich mit dem neuen Passwort an. Waren Sie es nicht, setzen Sie Ihr Passwort sofort über die Anmeldeseite zurück und stellen Sie sicher, dass niemand sonst Ihre E-Mails lesen kann.',

  'mail.welcome.subject': '{tenant}: Willkommen',
  'mail.welcome.preview': 'Ihr Konto ist bereit.',
  'mail.welcome.title': 'Willkommen',
  'mail.welcome.lead': 'Ihr Konto bei {tenant} ist bereit.',
  'mail.welcome.closing': 'Falls Sie dieses Konto nicht angelegt haben, wenden Sie sich an {tenant}.',

  'mail.login_code.subject': '{tenant}: Ihr Anmeldecode',
  'mail.login_code.preview': 'Geben Sie diesen Code ein, um sich anzumelden.',
  'mail.login_code.title': 'Ihr Anmeldecode',
  'mail.login_code.lead':
    'Geben Sie diesen Code dort ein, wo Sie sich bei {tenant} anmelden. Er gilt einmal und nur wenige Minuten.',
  'mail.login_code.closing':
    'Wollten Sie sich nicht anmelden, ignorieren Sie diese Nachricht. Nennen Sie den Code niemandem: Von uns fragt Sie niemand danach.',

  'mail.login_link.subject': '{tenant}: Ihr Anmeldelink',
  'mail.login_link.preview': 'Hier ist Ihr Link zum Anmelden.',
  'mail.login_link.title': 'Bei {tenant} anmelden',
  'mail.login_link.lead': 'Wir haben eine Anfrage erhalten, sich mit dieser E-Mail-Adresse bei {tenant} anzumelden.',
  'mail.login_link.intro':
    'Waren Sie es selbst, geht es hier weiter. Der Link öffnet eine Seite mit einer Schaltfläche und gilt einmal und nur wenige Minuten.',
  'mail.login_link.action': 'Anmelden',
  'mail.login_link.closing':
    'Waren Sie es nicht, ignorieren Sie diese Nachricht. Ohne diesen Link ist keine Anmeldung möglich.',

  'mail.enroll_factor.subject': '{tenant}: Richten Sie einen zweiten Schritt ein',
  'mail.enroll_factor.preview': 'Schützen Sie Ihr Konto mit einem zweiten Schritt.',
  'mail.enroll_factor.title': 'Zweiten Schritt einrichten',
  'mail.enroll_factor.lead':
    '{tenant} bittet Sie, Ihr Konto durch einen zweiten Schritt zu schützen, damit ein gestohlenes Passwort nicht ausreicht.',
  'mail.enroll_factor.intro': 'Hier geht es weiter. Der Link funktioniert einmal und nur für begrenzte Zeit.',
  'mail.enroll_factor.action': 'Zweiten Schritt einrichten',
  'mail.enroll_factor.closing':
    'Wenn Sie diese Nachricht nicht erwartet haben, fragen Sie bei {tenant} nach, bevor Sie den Link öffnen.',
  'mail.invitation.subject': '{tenant}: Sie sind eingeladen',
  'mail.invitation.preview': 'Sie wurden in eine Organisation eingeladen.',
  'mail.invitation.title': 'Sie sind eingeladen',
  'mail.invitation.lead': 'Sie sind eingeladen, einer Organisation beizutreten, die {tenant} benutzt.',
  'mail.invitation.intro': 'Um anzunehmen, machen Sie hier weiter. Der Link gilt einmal und für begrenzte Zeit.',
  'mail.invitation.action': 'Einladung annehmen',
  'mail.invitation.closing':
    'Wenn Sie nicht wissen, von wem das kommt, beachten Sie diese Nachricht nicht. Ohne Sie geschieht nichts.',

  'mail.import_ended.subject': '{tenant}: Ihr Benutzerimport ist beendet',
  'mail.import_ended.preview': 'Das hat der Import bewirkt.',
  'mail.import_ended.title': 'Ihr Benutzerimport ist beendet',
  'mail.import_ended.lead': 'Ein Import von Benutzern in {tenant} ist beendet.',
  'mail.import_ended.closing': 'Die Management API nennt sieben Tage lang die abgelehnten Benutzer und die Gründe.',

  'notice.portal_saved': 'Gespeichert.',
  'notice.portal_connected': 'Verbunden. Sie können sich ab jetzt damit anmelden.',
  'notice.connection_taken': 'Dieses Konto gehört hier bereits zu jemand anderem und kann nicht verbunden werden.',
  'notice.connection_failed': 'Es wurde nichts verbunden. Versuchen Sie es gleich noch einmal.',
  'notice.portal_removed': 'Entfernt.',
  'notice.portal_ended': 'Dort abgemeldet.',
  'notice.portal_repeat': 'Sie haben sich erneut angemeldet. Wiederholen Sie jetzt, was Sie tun wollten.',
  'notice.portal_unproven':
    'Um ein neues Passwort zu wählen, melden Sie sich mit dem jetzigen, einem Passkey oder einem zweiten Schritt an.',
  'notice.picture_missing': 'Wählen Sie zuerst eine Datei.',
  'notice.picture_type':
    'Diese Datei ist nicht verwendbar. Wählen Sie ein unbewegtes Bild im Format JPEG, PNG oder WebP.',
  'notice.picture_size':
    'Dieses Bild ist zu groß. Wählen Sie eines mit höchstens 1 MB und höchstens 2048 Pixeln Breite und Höhe.',
  'notice.portal_gone': 'Das ist nicht mehr möglich. Die Seite zeigt den aktuellen Stand.',
  'notice.portal_above': 'Das kann nur eine Administratorin oder ein Administrator dieses Dienstes ändern.',
  'notice.last_owner':
    'Es wurde nichts geändert: Dies ist das einzige Konto, das diesen Server verwalten kann. Ernennen Sie in der Konsole zuerst eine andere Person mit Verwaltungsrechten zum Inhaber.',
  'notice.portal_reset_sent': 'Alle sind abgemeldet. Wir haben Ihnen einen Link für ein neues Passwort geschickt.',
  'notice.portal_invited': 'Wir haben die Einladung verschickt.',
  'notice.portal_provider_failed':
    'Diese Einstellungen funktionieren nicht. Der Anbieter ist unter dieser Adresse nicht lesbar, oder etwas fehlt oder ist ungültig.',
  'notice.invalid_name': 'Namen dürfen höchstens 150 Zeichen und keine Zeilenumbrüche haben.',
  'portal.name': 'Kontoportal',
  'portal.nav': 'Ihr Konto',
  'portal.menu': 'Menü',
  'portal.sign_out': 'Abmelden',
  'portal.save': 'Speichern',
  'portal.rename': 'Umbenennen',
  'portal.remove': 'Entfernen',
  'portal.unverified': 'Sie können einen hinzufügen, sobald Ihre E-Mail-Adresse bestätigt ist.',
  'portal.profile.picture': 'Bild',
  'portal.profile.picture_hint': 'JPEG, PNG oder WebP, höchstens 1 MB. Ort, Zeit und Kamera werden entfernt.',
  'portal.profile.set_picture': 'Bild speichern',
  'portal.profile.remove_picture': 'Bild entfernen',
  'portal.profile.title': 'Profil',
  'portal.profile.name': 'Name',
  'portal.profile.given_name': 'Vorname',
  'portal.profile.family_name': 'Nachname',
  'portal.profile.nickname': 'Spitzname',
  'portal.profile.email': 'E-Mail-Adresse',
  'portal.profile.phone': 'Telefonnummer',
  'portal.profile.verified': 'bestätigt',
  'portal.profile.unverified': 'nicht bestätigt',
  'portal.profile.followed': 'Ihr Name kommt von dem Anbieter, mit dem Sie sich anmelden. Ändern Sie ihn dort.',
  'portal.profile.addresses_followed':
    'Ihre Adressen kommen von dem Anbieter, mit dem Sie sich anmelden. Ändern Sie sie dort.',
  'portal.profile.language': 'Sprache',
  'portal.profile.language_choose': 'Sprache wählen',
  'portal.profile.set_language': 'Sprache festlegen',
  'portal.profile.confirm_email': 'Diese Adresse bestätigen',
  'portal.profile.new_email': 'Neue E-Mail-Adresse',
  'portal.profile.new_phone': 'Neue Telefonnummer',
  'portal.profile.confirm':
    'Geben Sie den Code ein, den wir an {address} gesendet haben. Bis dahin ändert sich nichts.',
  'portal.profile.confirm_action': 'Bestätigen',
  'portal.password.title': 'Passwort',
  'portal.password.lead':
    'Zeigen Sie zuerst, dass Sie es sind: mit Ihrem jetzigen Passwort, einem Passkey oder einem zweiten Schritt. Ein neues Passwort meldet Sie überall sonst ab.',
  'portal.password.none': 'Sie melden sich ohne Passwort an.',
  'portal.password.provider': 'Sie melden sich mit {provider} an. Ändern Sie Ihr Passwort dort.',
  'portal.password.no_address':
    'Ihr Konto hat keine E-Mail-Adresse, deshalb kann sein Passwort hier nicht geändert werden.',
  'portal.password.change': 'Neues Passwort wählen',
  'portal.passkeys.title': 'Passkeys',
  'portal.passkeys.none': 'Sie haben keinen Passkey.',
  'portal.passkeys.off': 'Passkeys sind hier ausgeschaltet.',
  'portal.passkeys.elsewhere': 'Das Konto, mit dem Sie sich anmelden, kann hier keine Passkeys haben.',
  'portal.passkeys.full': 'Sie haben so viele Passkeys, wie ein Konto haben kann.',
  'portal.passkeys.unnamed': 'Passkey',
  'portal.passkeys.name': 'Name des Passkeys',
  'portal.passkeys.added': 'Hinzugefügt:',
  'portal.factors.title': 'Zweite Schritte',
  'portal.factors.lead': 'Sie schützen Ihr Konto, wenn jemand Ihr Passwort erfährt.',
  'portal.factors.none': 'Sie haben keinen zweiten Schritt eingerichtet.',
  'portal.factors.fixed': 'Ihre bestätigte Adresse. Sie muss nicht eingerichtet werden.',
  'portal.factors.add': 'Zweiten Schritt hinzufügen',
  'portal.factors.offer': 'Nach Ihrem zweiten Schritt wird bei der Anmeldung noch nicht gefragt.',
  'portal.factors.ask': 'Jedes Mal danach fragen',
  'portal.factors.off': 'Zweite Schritte sind hier ausgeschaltet.',
  'portal.factors.off_kind': 'Diese Art ist hier ausgeschaltet, deshalb wird nicht danach gefragt.',
  'portal.sessions.title': 'Wo Sie angemeldet sind',
  'portal.sessions.lead': 'Melden Sie sich ab, wo Sie es nicht mehr brauchen oder wo Sie es nicht sind.',
  'portal.sessions.this': 'Dieser Browser',
  'portal.sessions.other': 'Anderer Browser ({number})',
  'portal.sessions.signed_in': 'Angemeldet:',
  'portal.sessions.seen': 'Zuletzt genutzt:',
  'portal.sessions.from': 'Netzwerkadresse:',
  'portal.sessions.end': 'Abmelden',
  'portal.sessions.all': 'Das meldet auch diesen Browser ab, und jede App, die angemeldet bleibt.',
  'portal.sessions.end_all': 'Überall abmelden',
  'portal.sessions.browsers': 'Browser, die Sie sich merken ließen, fragen nicht nach dem zweiten Schritt.',
  'portal.sessions.forget': 'Wieder in jedem Browser fragen',
  'portal.connections.title': 'Verbundene Konten',
  'portal.connections.lead': 'Mit jedem davon können Sie sich anmelden.',
  'portal.connections.main': 'Das ist Ihr Konto selbst.',
  'portal.connections.off': 'Hier kann kein weiteres Konto verbunden werden.',
  'portal.connections.unlink': 'Trennen',
  'portal.connections.connect_lead': 'Weiteres Konto verbinden',
  'portal.connections.connect': 'Verbinden',
  'portal.applications.title': 'Apps mit Zugriff',
  'portal.applications.lead': 'Diese Apps haben Ihre Zustimmung oder bleiben für Sie angemeldet.',
  'portal.applications.none': 'Keine App hat Zugriff.',
  'portal.applications.since': 'Zuletzt genutzt:',
  'portal.applications.revoke': 'Zugriff entziehen',
  'portal.organizations.title': 'Organisationen',
  'portal.organizations.none': 'Sie gehören zu keiner Organisation.',
  'portal.organizations.waiting': 'Einladungen an Sie',
  'portal.organizations.inviter': 'Eingeladen von:',
  'portal.organizations.accept': 'Annehmen',
  'portal.organizations.manage': 'Verwalten',
  'portal.organizations.members': 'Mitglieder von {name}',
  'portal.organizations.self': 'Das sind Sie.',
  'portal.organizations.roles': 'Rollen:',
  'portal.organizations.role': 'Rolle vergeben',
  'portal.organizations.give': 'Rolle geben',
  'portal.organizations.take': 'Rolle „{role}“ entziehen',
  'portal.organizations.invitations': 'Einladungen',
  'portal.organizations.until': 'Gültig bis:',
  'portal.organizations.withdraw': 'Zurückziehen',
  'portal.organizations.no_app': 'Keine App dieser Organisation nimmt Einladungen an.',
  'portal.organizations.email': 'E-Mail-Adresse der Person',
  'portal.organizations.app': 'App',
  'portal.organizations.invite': 'Einladung senden',
  'portal.organizations.provider': 'Ihr Identitätsanbieter',
  'portal.organizations.provider_lead': 'Damit melden sich Personen bei {name} an. Er gilt nur für diese Organisation.',
  'portal.organizations.protocol': 'Protokoll',
  'portal.organizations.provider_address': 'Adresse seines Discovery-Dokuments oder seiner Metadaten',
  'portal.organizations.client_id': 'Client-ID (OpenID Connect)',
  'portal.organizations.client_secret': 'Client-Secret (OpenID Connect); leer behält das gespeicherte',
  'portal.organizations.metadata': 'Oder seine Metadaten als Text (SAML)',
  'portal.organizations.assign': 'Wer sich damit anmeldet, wird Mitglied',
  'portal.organizations.callback': 'Adresse für seine Antworten',
  'portal.organizations.entity': 'Unsere Entity-ID',
  'portal.organizations.connect': 'Anbieter speichern',
  'portal.organizations.disconnect': 'Anbieter und seine Konten entfernen',
  'portal.activity.title': 'Letzte Aktivitäten',
  'portal.activity.lead': 'Was mit Ihrem Konto geschehen ist. Achten Sie auf alles, was nicht von Ihnen war.',
  'portal.activity.none': 'Es wurde noch nichts aufgezeichnet.',
  'portal.activity.signed_in': 'Angemeldet',
  'portal.activity.sign_in_failed': 'Eine Anmeldung ist fehlgeschlagen',
  'portal.activity.blocked': 'Die Anmeldung wurde nach zu vielen Fehlversuchen gesperrt',
  'portal.activity.signed_out': 'Abgemeldet',
  'portal.activity.password_changed': 'Das Passwort wurde geändert',
  'portal.activity.password_reset_sent': 'Ein Link für ein neues Passwort wurde verschickt',
  'portal.activity.address_verified': 'Die E-Mail-Adresse wurde bestätigt',
  'portal.activity.factor_added': 'Ein zweiter Schritt wurde hinzugefügt',
  'portal.activity.factor_removed': 'Ein zweiter Schritt wurde entfernt',
  'portal.activity.factor_failed': 'Ein zweiter Schritt ist fehlgeschlagen',
  'portal.activity.tokens_revoked': 'Einer App wurde der Zugriff entzogen',
  'portal.activity.account_changed': 'Das Konto wurde geändert',
  'portal.activity.signed_up': 'Das Konto wurde angelegt',
  'portal.activity.not_me_lead':
    'Wenn etwas hier nicht von Ihnen war, melden wir alle ab und schicken Ihnen einen Link für ein neues Passwort.',
  'portal.activity.not_me': 'Das war ich nicht',
  'portal.data.title': 'Ihre Daten',
  'portal.data.lead': 'Laden Sie herunter, was über Sie gespeichert ist, als Datei, die Programme lesen können.',
  'portal.data.download': 'Herunterladen',
  'portal.data.delete_lead':
    'Löschen Sie Ihr Konto und was damit gespeichert ist. Bis es gelöscht ist, können Sie es behalten.',
  'portal.data.delete_on': 'Wenn Sie es jetzt verlangen, wird Ihr Konto gelöscht:',
  'portal.data.delete_after': 'Tage von der Freigabe bis zur Löschung Ihres Kontos: {days}',
  'portal.data.delete': 'Mein Konto löschen',
  'portal.data.delete_sure': 'Wollen Sie Ihr Konto löschen?',
  'portal.data.delete_yes': 'Ja, mein Konto löschen',
  'portal.data.delete_no': 'Nein, zurück',
  'portal.data.approval_lead': 'Der Betreiber muss zuerst zustimmen.',
  'portal.data.requested_at': 'Sie haben die Löschung Ihres Kontos verlangt. Sie wartet auf eine Freigabe seit:',
  'portal.data.deletes_at': 'Ihr Konto wird gelöscht:',
  'portal.data.keep': 'Mein Konto behalten',

  'mail.deletion_requested.subject': '{tenant}: Ihr Antrag auf Löschung',
  'mail.deletion_requested.preview': 'Er wartet auf eine Freigabe.',
  'mail.deletion_requested.title': 'Ihr Antrag auf Löschung',
  'mail.deletion_requested.lead':
    'Wir haben einen Antrag auf Löschung Ihres Kontos bei {tenant} erhalten. Er wartet auf eine Freigabe.',
  'mail.deletion_requested.intro':
    'Sie können Ihr Konto behalten. Melden Sie sich hier an und wählen Sie, es zu behalten.',
  'mail.deletion_requested.action': 'Mein Konto behalten',
  'mail.deletion_requested.closing':
    'Wenn Sie das nicht verlangt haben, wählen Sie auf Ihrer Kontoseite auch ein neues Passwort.',
  'mail.deletion_refused.subject': '{tenant}: Ihr Konto wird nicht gelöscht',
  'mail.deletion_refused.preview': 'Der Antrag wurde nicht genehmigt.',
  'mail.deletion_refused.title': 'Ihr Konto wird nicht gelöscht',
  'mail.deletion_refused.lead':
    'Ihr Antrag auf Löschung Ihres Kontos bei {tenant} wurde nicht genehmigt. Das Konto bleibt bestehen.',
  'mail.deletion_refused.intro': 'Hier sehen Sie, was über Sie gespeichert ist.',
  'mail.deletion_refused.action': 'Meine Daten öffnen',
  'mail.deletion_refused.closing': 'Bei Fragen wenden Sie sich an {tenant}.',
  'mail.deletion_scheduled.subject': '{tenant}: Ihr Konto wird gelöscht',
  'mail.deletion_scheduled.preview': 'Sie können es noch behalten.',
  'mail.deletion_scheduled.title': 'Ihr Konto wird gelöscht',
  'mail.deletion_scheduled.lead':
    'Ihr Konto bei {tenant} wird in einigen Tagen gelöscht, wie nach einer Anmeldung verlangt wurde.',
  'mail.deletion_scheduled.intro':
    'Bis dahin können Sie es behalten. Melden Sie sich hier an und wählen Sie, es zu behalten.',
  'mail.deletion_scheduled.action': 'Mein Konto behalten',
  'mail.deletion_scheduled.closing':
    'Wenn Sie das nicht verlangt haben, wählen Sie auf Ihrer Kontoseite auch ein neues Passwort.',
  'mail.former':
    'Diese Adresse gehörte bis vor Kurzem zu dem Konto. Falls Sie das nicht waren, drücken Sie die Schaltfläche unserer Nachricht über die geänderte E-Mail-Adresse: Sie bringt das Konto auf den Stand davor, sieben Tage lang nach jener Änderung.',
  'mail.way.passkey': 'Passkey',
  'mail.way.password': 'Passwort',
  'mail.way.connected-account': 'Verbundenes Konto',
  'mail.way.email-address': 'E-Mail-Adresse',
  'mail.way.phone-number': 'Telefonnummer',
  'mail.way.username': 'Benutzername',
  'mail.change': 'Änderung',
  'mail.time': 'Zeitpunkt',
  'mail.changed_by': 'Geändert von',
  'mail.administrator': 'Verwaltung',
  'mail.browser': 'Browser',
  'mail.sign_in_changed.subject': '{tenant}: Ihre Anmeldung wurde geändert',
  'mail.sign_in_changed.preview': 'Falls Sie das nicht waren, prüfen Sie jetzt Ihr Konto.',
  'mail.sign_in_changed.title': 'Ihre Anmeldung wurde geändert',
  'mail.sign_in_changed.lead': 'Eine Anmeldemöglichkeit Ihres Kontos bei {tenant} wurde geändert oder benutzt.',
  'mail.sign_in_changed.added': 'Hinzugefügt: {ways}',
  'mail.sign_in_changed.removed': 'Entfernt: {ways}',
  'mail.sign_in_changed.replaced': 'Ersetzt durch: {ways}',
  'mail.sign_in_changed.used': 'Zur Anmeldung benutzt, daher gibt es einen neuen: {ways}',
  'mail.sign_in_changed.renewed': 'Erneuert: {ways}',
  'mail.sign_in_changed.changed': 'Geändert: {ways}',
  'mail.sign_in_changed.intro':
    'Falls Sie das nicht waren, öffnen Sie hier Ihre letzten Aktivitäten und wählen Sie „Das war ich nicht“. Dann werden Sie überall abgemeldet, und Ihr Passwort wird zurückgesetzt. Entfernen Sie danach, was nicht Ihnen gehört.',
  'mail.sign_in_changed.action': 'Mein Konto prüfen',
  'mail.sign_in_changed.closing': 'Wenn Sie das waren, müssen Sie nichts tun.',
  'mail.email_changed.subject': '{tenant}: Ihre E-Mail-Adresse wurde geändert',
  'mail.email_changed.preview': 'Falls Sie das nicht waren, können Sie es rückgängig machen.',
  'mail.email_changed.title': 'Ihre E-Mail-Adresse wurde geändert',
  'mail.email_changed.lead':
    'Ihr Konto bei {tenant} hat jetzt eine andere E-Mail-Adresse. Diese Adresse gehört nicht mehr dazu.',
  'mail.email_changed.intro':
    'Falls Sie das nicht waren, machen Sie es hier rückgängig. Dann werden alle abgemeldet, und Sie wählen ein neues Passwort. Der Link gilt sieben Tage.',
  'mail.email_changed.action': 'Änderung rückgängig machen',
  'mail.email_changed.closing': 'Wenn Sie das waren, müssen Sie nichts tun.',
  'mail.address_code.subject': '{tenant}: Bestätigen Sie Ihre neue E-Mail-Adresse',
  'mail.address_code.preview': 'Geben Sie diesen Code auf Ihrer Kontoseite ein.',
  'mail.address_code.title': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'mail.address_code.lead':
    'Geben Sie diesen Code auf der Kontoseite von {tenant} ein, auf der Sie diese Adresse eingegeben haben. Er gilt zehn Minuten und nur einmal.',
  'mail.address_code.closing':
    'Wenn Sie diese Adresse dort nicht eingegeben haben, ignorieren Sie diese Nachricht. Geben Sie den Code nicht weiter: Wir werden Sie nie danach fragen.',

  'phone.text_message': '{code} ist Ihr Bestätigungscode für {tenant}. Nennen Sie ihn niemandem.',
  'phone.number_changed':
    '{tenant}: Ihr Konto hat eine neue Telefonnummer; diese gehört nicht mehr dazu. Falls Sie das nicht waren, melden Sie sich an und prüfen Sie Ihr Konto.',
  'phone.call': 'Ihr Bestätigungscode für {tenant} lautet: {code}. Noch einmal: {code}.',
}
