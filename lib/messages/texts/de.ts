import type { MailTexts } from './index'

export const de: MailTexts = {
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  fallback: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  help: 'Hilfe',
  footer: (tenant) =>
    `${tenant} sendet Ihnen diese Nachricht, weil es Vorgänge in Ihrem Konto gab. Antworten an diese Adresse werden nicht gelesen.`,
  address: 'Netzwerkadresse',
  blocked_account: (tenant) => ({
    subject: `${tenant}: Wir haben die Anmeldung in Ihrem Konto angehalten`,
    preview: 'Es gab zu viele fehlgeschlagene Anmeldeversuche.',
    title: 'Wir haben die Anmeldung in Ihrem Konto angehalten',
    lead: `Es gab zu viele fehlgeschlagene Versuche, sich in Ihrem Konto bei ${tenant} anzumelden. Vielleicht versucht jemand, Ihr Passwort zu erraten. Deshalb nehmen wir von der unten genannten Netzwerkadresse keine Versuche mehr an.`,
    intro:
      'Waren Sie es selbst, können Sie Ihr Konto jetzt entsperren. Der Link öffnet eine Seite mit einer Schaltfläche; es passiert nichts, bis Sie darauf drücken.',
    action: 'Mein Konto entsperren',
    closing:
      'Waren Sie es nicht, müssen Sie nichts tun: Die Sperre schützt Sie. Achten Sie darauf, dass Sie dieses Passwort nirgendwo sonst verwenden.',
  }),
  verify_email: (tenant) => ({
    subject: `${tenant}: Bestätigen Sie Ihre E-Mail-Adresse`,
    preview: 'Bitte bestätigen Sie, dass diese Adresse Ihnen gehört.',
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead: `Mit dieser E-Mail-Adresse wurde ein Konto bei ${tenant} angelegt.`,
    intro:
      'Waren Sie es selbst, bestätigen Sie bitte, dass die Adresse Ihnen gehört. Der Link öffnet eine Seite mit einer Schaltfläche und gilt fünf Tage.',
    action: 'Meine Adresse bestätigen',
    closing: 'Waren Sie es nicht, können Sie diese Nachricht ignorieren. Die Adresse bleibt dann unbestätigt.',
  }),
  reset_password: (tenant) => ({
    subject: `${tenant}: Passwort zurücksetzen`,
    preview: 'Hier ist der Link für ein neues Passwort.',
    title: 'Passwort zurücksetzen',
    lead: `Jemand möchte das Passwort Ihres Kontos bei ${tenant} zurücksetzen.`,
    intro:
      'Waren Sie es selbst, wählen Sie jetzt ein neues Passwort. Der Link gilt einmal und eine Stunde lang. Sie werden danach überall abgemeldet.',
    action: 'Neues Passwort wählen',
    closing: 'Waren Sie es nicht, können Sie diese Nachricht ignorieren. Ihr Passwort bleibt, wie es ist.',
  }),
  already_registered: (tenant) => ({
    subject: `${tenant}: Sie haben bereits ein Konto`,
    preview: 'Jemand wollte sich mit Ihrer Adresse registrieren.',
    title: 'Sie haben bereits ein Konto',
    lead: `Jemand wollte sich bei ${tenant} mit dieser E-Mail-Adresse registrieren. Zu ihr gibt es bereits ein Konto; ein zweites wurde nicht angelegt.`,
    closing:
      'Waren Sie es selbst, melden Sie sich mit Ihrem bisherigen Passwort an. Falls Sie es nicht mehr wissen, wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Waren Sie es nicht, müssen Sie nichts tun.',
  }),
  password_changed: (tenant) => ({
    subject: `${tenant}: Ihr Passwort wurde geändert`,
    preview: 'Das Passwort Ihres Kontos wurde soeben geändert.',
    title: 'Ihr Passwort wurde geändert',
    lead: `Das Passwort Ihres Kontos bei ${tenant} wurde soeben geändert. Sie wurden überall abgemeldet.`,
    closing:
      'Waren Sie es selbst, müssen Sie nichts weiter tun: Melden Sie sich mit dem neuen Passwort an. Waren Sie es nicht, setzen Sie Ihr Passwort sofort über die Anmeldeseite zurück und stellen Sie sicher, dass niemand sonst Ihre E-Mails lesen kann.',
  }),
  code: 'Code',
  login_code: (tenant) => ({
    subject: `${tenant}: Ihr Anmeldecode`,
    preview: 'Geben Sie diesen Code ein, um sich anzumelden.',
    title: 'Ihr Anmeldecode',
    lead: `Geben Sie diesen Code dort ein, wo Sie sich bei ${tenant} anmelden. Er gilt einmal und nur wenige Minuten.`,
    closing:
      'Wollten Sie sich nicht anmelden, ignorieren Sie diese Nachricht. Nennen Sie den Code niemandem: Von uns fragt Sie niemand danach.',
  }),
  login_link: (tenant) => ({
    subject: `${tenant}: Ihr Anmeldelink`,
    preview: 'Hier ist Ihr Link zum Anmelden.',
    title: `Bei ${tenant} anmelden`,
    lead: `Jemand möchte sich mit dieser E-Mail-Adresse bei ${tenant} anmelden.`,
    intro:
      'Waren Sie es selbst, geht es hier weiter. Der Link öffnet eine Seite mit einer Schaltfläche und gilt einmal und nur wenige Minuten.',
    action: 'Anmelden',
    closing: 'Waren Sie es nicht, ignorieren Sie diese Nachricht. Ohne diesen Link kommt niemand hinein.',
  }),
  organization: 'Organisation',
  invited_by: 'Eingeladen von',
  invitation: (tenant) => ({
    subject: `${tenant}: Sie sind eingeladen`,
    preview: 'Jemand hat Sie in eine Organisation eingeladen.',
    title: 'Sie sind eingeladen',
    lead: `Jemand hat Sie eingeladen, einer Organisation beizutreten, die ${tenant} benutzt.`,
    intro: 'Um anzunehmen, machen Sie hier weiter. Der Link gilt einmal und für begrenzte Zeit.',
    action: 'Einladung annehmen',
    closing: 'Wenn Sie nicht wissen, von wem das kommt, beachten Sie diese Nachricht nicht. Ohne Sie geschieht nichts.',
  }),
  text_message: (code, tenant) => `${code} ist Ihr Bestätigungscode für ${tenant}. Nennen Sie ihn niemandem.`,
  call: (code, tenant) => `Ihr Bestätigungscode für ${tenant} lautet: ${code}. Noch einmal: ${code}.`,
}
