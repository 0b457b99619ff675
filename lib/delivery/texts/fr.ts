import type { MailTexts } from './index'

export const fr: MailTexts = {
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  fallback: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  help: 'Obtenir de l’aide',
  footer: (tenant) =>
    `${tenant} vous envoie ce message en raison d’une activité sur votre compte. Les réponses à cette adresse ne sont pas lues.`,
  blocked_account: (tenant) => ({
    subject: `${tenant} : nous avons suspendu la connexion à votre compte`,
    preview: 'Il y a eu trop de tentatives de connexion infructueuses.',
    title: 'Nous avons suspendu la connexion à votre compte',
    lead: `Il y a eu trop de tentatives infructueuses de connexion à votre compte ${tenant}. Quelqu’un essaie peut-être de deviner votre mot de passe. Nous n’acceptons donc plus de tentatives depuis l’adresse réseau ci-dessous.`,
    address: 'Adresse réseau',
    intro:
      'Si c’était vous, vous pouvez débloquer votre compte dès maintenant. Le lien ouvre une page avec un bouton ; rien ne se passe tant que vous n’appuyez pas dessus.',
    action: 'Débloquer mon compte',
    closing:
      'Si ce n’était pas vous, vous n’avez rien à faire : cette suspension vous protège. Veillez à n’utiliser ce mot de passe nulle part ailleurs.',
  }),
}
