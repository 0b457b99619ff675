import type { MailTexts } from './index'

export const de: MailTexts = {
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  fallback: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  help: 'Hilfe',
  footer: (tenant) =>
    `${tenant} sendet Ihnen diese Nachricht, weil es Vorgänge in Ihrem Konto gab. Antworten an diese Adresse werden nicht gelesen.`,
  blocked_account: (tenant) => ({
    subject: `${tenant}: Wir haben die Anmeldung in Ihrem Konto angehalten`,
    preview: 'Es gab zu viele fehlgeschlagene Anmeldeversuche.',
    title: 'Wir haben die Anmeldung in Ihrem Konto angehalten',
    lead: `Es gab zu viele fehlgeschlagene Versuche, sich in Ihrem Konto bei ${tenant} anzumelden. Vielleicht versucht jemand, Ihr Passwort zu erraten. Deshalb nehmen wir von der unten genannten Netzwerkadresse keine Versuche mehr an.`,
    address: 'Netzwerkadresse',
    intro:
      'Waren Sie es selbst, können Sie Ihr Konto jetzt entsperren. Der Link öffnet eine Seite mit einer Schaltfläche; es passiert nichts, bis Sie darauf drücken.',
    action: 'Mein Konto entsperren',
    closing:
      'Waren Sie es nicht, müssen Sie nichts tun: Die Sperre schützt Sie. Achten Sie darauf, dass Sie dieses Passwort nirgendwo sonst verwenden.',
  }),
}
