import type { MailTexts } from './index'

export const fr: MailTexts = {
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  fallback: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  help: 'Obtenir de l’aide',
  footer: (tenant) =>
    `${tenant} vous envoie ce message en raison d’une activité sur votre compte. Les réponses à cette adresse ne sont pas lues.`,
  address: 'Adresse réseau',
  blocked_account: (tenant) => ({
    subject: `${tenant} : nous avons suspendu la connexion à votre compte`,
    preview: 'Il y a eu trop de tentatives de connexion infructueuses.',
    title: 'Nous avons suspendu la connexion à votre compte',
    lead: `Il y a eu trop de tentatives infructueuses de connexion à votre compte ${tenant}. Quelqu’un essaie peut-être de deviner votre mot de passe. Nous n’acceptons donc plus de tentatives depuis l’adresse réseau ci-dessous.`,
    intro:
      'Si c’était vous, vous pouvez débloquer votre compte dès maintenant. Le lien ouvre une page avec un bouton ; rien ne se passe tant que vous n’appuyez pas dessus.',
    action: 'Débloquer mon compte',
    closing:
      'Si ce n’était pas vous, vous n’avez rien à faire : cette suspension vous protège. Veillez à n’utiliser ce mot de passe nulle part ailleurs.',
  }),
  verify_email: (tenant) => ({
    subject: `${tenant} : confirmez votre adresse e-mail`,
    preview: 'Confirmez que cette adresse est bien la vôtre.',
    title: 'Confirmez votre adresse e-mail',
    lead: `Un compte ${tenant} a été créé avec cette adresse e-mail.`,
    intro:
      'Si c’était vous, confirmez que cette adresse est la vôtre. Le lien ouvre une page avec un bouton et reste valable cinq jours.',
    action: 'Confirmer mon adresse',
    closing: 'Si ce n’était pas vous, ignorez ce message. L’adresse restera non confirmée.',
  }),
  reset_password: (tenant) => ({
    subject: `${tenant} : réinitialisez votre mot de passe`,
    preview: 'Voici le lien pour choisir un nouveau mot de passe.',
    title: 'Réinitialisez votre mot de passe',
    lead: `Quelqu’un a demandé à réinitialiser le mot de passe de votre compte ${tenant}.`,
    intro:
      'Si c’était vous, choisissez maintenant un nouveau mot de passe. Le lien fonctionne une seule fois, pendant une heure. Vous serez déconnecté de tous vos appareils.',
    action: 'Choisir un nouveau mot de passe',
    closing: 'Si ce n’était pas vous, ignorez ce message. Votre mot de passe reste inchangé.',
  }),
  already_registered: (tenant) => ({
    subject: `${tenant} : vous avez déjà un compte`,
    preview: 'Quelqu’un a essayé de s’inscrire avec votre adresse.',
    title: 'Vous avez déjà un compte',
    lead: `Quelqu’un a essayé de s’inscrire sur ${tenant} avec cette adresse e-mail, qui possède déjà un compte. Aucun second compte n’a été créé.`,
    closing:
      'Si c’était vous, connectez-vous avec votre mot de passe habituel. Si vous l’avez oublié, choisissez « Mot de passe oublié ? » sur la page de connexion. Si ce n’était pas vous, vous n’avez rien à faire.',
  }),
  password_changed: (tenant) => ({
    subject: `${tenant} : votre mot de passe a été modifié`,
    preview: 'Le mot de passe de votre compte vient d’être modifié.',
    title: 'Votre mot de passe a été modifié',
    lead: `Le mot de passe de votre compte ${tenant} vient d’être modifié et vous avez été déconnecté de tous vos appareils.`,
    closing:
      'Si c’était vous, vous n’avez rien d’autre à faire : connectez-vous avec le nouveau mot de passe. Sinon, réinitialisez immédiatement votre mot de passe depuis la page de connexion et vérifiez que personne d’autre n’a accès à vos e-mails.',
  }),
  code: 'Code',
  login_code: (tenant) => ({
    subject: `${tenant} : votre code de connexion`,
    preview: 'Saisissez ce code pour vous connecter.',
    title: 'Votre code de connexion',
    lead: `Saisissez ce code là où vous vous connectez à ${tenant}. Il est valable une seule fois, pendant quelques minutes.`,
    closing:
      'Si vous ne vouliez pas vous connecter, ignorez ce message. Ne donnez ce code à personne : aucun membre de notre équipe ne vous le demandera.',
  }),
  login_link: (tenant) => ({
    subject: `${tenant} : votre lien de connexion`,
    preview: 'Voici votre lien pour vous connecter.',
    title: `Se connecter à ${tenant}`,
    lead: `Quelqu’un souhaite se connecter à ${tenant} avec cette adresse e-mail.`,
    intro:
      'Si c’est vous, continuez ici. Le lien ouvre une page avec un bouton ; il est valable une seule fois, pendant quelques minutes.',
    action: 'Se connecter',
    closing: 'Si ce n’est pas vous, ignorez ce message. Personne ne peut entrer sans ce lien.',
  }),
  organization: 'Organisation',
  invited_by: 'Invitation de',
  invitation: (tenant) => ({
    subject: `${tenant} : vous êtes invité`,
    preview: 'Quelqu’un vous a invité dans une organisation.',
    title: 'Vous êtes invité',
    lead: `Quelqu’un vous a invité à rejoindre une organisation qui utilise ${tenant}.`,
    intro: 'Pour accepter, continuez ici. Le lien ne sert qu’une fois et pour une durée limitée.',
    action: 'Accepter l’invitation',
    closing: 'Si vous ne savez pas de qui il s’agit, ignorez ce message. Rien ne se passera sans vous.',
  }),
  text_message: (code, tenant) => `${code} est votre code de vérification pour ${tenant}. Ne le donnez à personne.`,
  call: (code, tenant) => `Votre code de vérification pour ${tenant} est : ${code}. Je répète : ${code}.`,
}
