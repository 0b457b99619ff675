import type { Catalogue } from './messages'

export const fr: Catalogue = {
  'common.cancel': 'Annuler',
  'common.signed_in_as': 'Connecté en tant que {user}',
  'common.reference': 'Référence',
  'common.details': 'Détails pour les responsables de l’application',
  'common.help': 'Obtenir de l’aide',
  'common.restart': 'Recommencer',
  'common.back': 'Revenir à l’application',
  'common.continue': 'Continuer',

  'code.label': 'Code',

  'title.error': 'Erreur : {title}',
  'notice.heading': 'À vérifier d’abord',
  'notice.wrong_credentials': 'Ces informations ne correspondent à aucun compte. Vérifiez-les, puis réessayez.',
  'notice.too_many_attempts':
    'Après trop d’essais infructueux, nous avons suspendu la connexion. Si ce compte est le vôtre, cherchez notre e-mail avec un lien pour le débloquer, ou réessayez plus tard.',
  'notice.missing_identifier':
    '{kind, select, email {Saisissez votre adresse e-mail.} username {Saisissez votre nom d’utilisateur.} other {Saisissez votre adresse e-mail ou votre nom d’utilisateur.}}',
  'notice.missing_password': 'Saisissez votre mot de passe.',
  'notice.missing_credentials': 'Remplissez les deux champs pour vous connecter.',
  'notice.session_changed':
    'Quelque chose a changé dans un autre onglet. Vérifiez que tout vous convient, puis continuez.',
  'notice.reauthentication': 'Pour protéger votre compte, veuillez vous connecter encore une fois.',
  'notice.missing_fields': 'Complétez ce qui manque.',
  'notice.invalid_email': 'Saisissez une adresse e-mail qui peut recevoir des messages, par exemple nom@example.com.',
  'notice.invalid_username': 'Choisissez un autre nom d’utilisateur : court, sans espace, et pas une adresse e-mail.',
  'notice.invalid_signup':
    'Nous n’avons pas pu créer de compte avec ces informations. Si vous en avez déjà un, connectez-vous ou réinitialisez votre mot de passe.',
  'notice.weak_password': 'Choisissez un autre mot de passe. La liste sous le champ indique ce qui manque à celui-ci.',
  'notice.username_taken': 'Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.',
  'notice.user_exists': 'Un compte existe déjà pour cette adresse. Connectez-vous ou réinitialisez son mot de passe.',
  'notice.verify_first':
    'Confirmez d’abord votre adresse e-mail : nous vous avons envoyé un lien. Connectez-vous ensuite ici.',
  'notice.reset_sent':
    'Si un compte correspond à cette adresse, nous y avons envoyé un lien pour choisir un nouveau mot de passe. Cela peut prendre une minute. Pensez à regarder dans les indésirables.',
  'notice.wrong_user_code':
    'Ce code n’est pas valable. Comparez-le avec celui de votre appareil, ou demandez-en un nouveau sur celui-ci.',

  'login.title': 'Se connecter',
  'login.lead': 'pour continuer vers {client}',
  'login.identifier':
    '{kind, select, email {Adresse e-mail} username {Nom d’utilisateur} other {E-mail ou nom d’utilisateur}}',
  'login.password': 'Mot de passe',
  'login.show_password': 'Afficher',
  'login.hide_password': 'Masquer',
  'login.show_password_label': 'Afficher le mot de passe',
  'login.hide_password_label': 'Masquer le mot de passe',
  'login.caps_lock': 'Le verrouillage des majuscules est activé.',
  'login.submit': 'Se connecter',
  'login.forgot': 'Mot de passe oublié ?',
  'login.no_account': 'Première visite ?',
  'login.sign_up': 'Créer un compte',

  'account.title': 'Choisissez un compte',
  'account.title_one': 'Heureux de vous revoir',
  'account.lead': 'pour continuer vers {client}',
  'account.list': 'Comptes connectés dans ce navigateur',
  'account.continue': 'Continuer',
  'account.continue_as': 'Continuer en tant que {user}',
  'account.switch': 'Utiliser un autre compte',

  'consent.title': '{client} demande un accès',
  'consent.lead': 'À vous de décider ce que l’application peut savoir et faire en votre nom.',
  'consent.third_party': '{client} n’est pas géré par {tenant}. N’acceptez que si vous lui faites confiance.',
  'consent.list_profile': 'L’application pourra',
  'consent.list_api': 'Dans {api}, elle pourra',
  'consent.accept': 'Autoriser',
  'consent.deny': 'Ne pas autoriser',
  'consent.homepage': 'À propos de {client}',
  'consent.policy': 'Politique de confidentialité de {client}',
  'consent.terms': 'Conditions d’utilisation de {client}',
  'scope.openid': 'Vous reconnaître quand vous revenez',
  'scope.profile': 'Voir votre nom et votre photo de profil',
  'scope.email': 'Voir votre adresse e-mail',
  'scope.phone': 'Voir votre numéro de téléphone',
  'scope.address': 'Voir votre adresse postale',
  'scope.offline_access': 'Garder cet accès en votre absence',

  'logged_out.title': 'Vous êtes déconnecté',
  'logged_out.body': 'Sur un ordinateur partagé, fermez aussi cette fenêtre.',
  'logged_out.return': 'Revenir à l’application',
  'confirm_logout.title': 'Se déconnecter ?',
  'confirm_logout.body': 'Vous serez déconnecté de {tenant} dans ce navigateur.',
  'confirm_logout.body_client': '{client} souhaite vous déconnecter de {tenant} dans ce navigateur.',
  'confirm_logout.submit': 'Se déconnecter',
  'confirm_logout.stay': 'Rester connecté',

  'activate.title': 'Connecter un appareil',
  'activate.lead': 'Saisissez le code affiché par votre appareil.',
  'activate.code': 'Code',
  'activate.confirm_title': 'Connecter {client} ?',
  'activate.confirm_lead': 'Vérifiez que votre appareil affiche exactement ce code :',
  'activate.confirm_warning':
    'Continuez seulement si vous avez vous-même lancé cette connexion, sur un appareil que vous avez avec vous. Ne confirmez jamais un code que quelqu’un vous a envoyé.',
  'activate.confirm': 'Connecter',
  'activate.deny': 'Ne pas connecter',
  'activate.done_title': 'Votre appareil est connecté',
  'activate.done_body': 'Retournez à votre appareil. Vous pouvez fermer cette page.',
  'activate.refused_title': 'L’appareil n’a pas été connecté',
  'activate.refused_body': 'Il n’a reçu aucun accès. Vous pouvez fermer cette page.',

  'unblock.title': 'Débloquer votre compte',
  'unblock.body':
    'Après plusieurs mots de passe erronés, nous avons suspendu la connexion. Si c’était vous, débloquez votre compte et réessayez.',
  'unblock.submit': 'Débloquer mon compte',
  'unblock.done_title': 'Votre compte est débloqué',
  'unblock.done_body':
    'Revenez à l’application et connectez-vous. En cas de doute sur votre mot de passe, réinitialisez-le.',

  'signup.title': 'Créer un compte',
  'signup.submit': 'Créer le compte',
  'signup.have_account': 'Vous avez déjà un compte ?',
  'signup.optional': '{label} (facultatif)',
  'signup.legal': 'En créant un compte, vous acceptez :',
  'signup.terms': 'Conditions d’utilisation',
  'signup.privacy': 'Politique de confidentialité',

  'password.rules': 'Un bon mot de passe :',
  'password.unmet': 'Non respecté :',
  'password.missing': 'Il manque encore :',
  'password.done': 'C’est bon.',
  'password.rule.length': 'compte au moins {count} caractères',
  'password.rule.lower': 'contient une minuscule',
  'password.rule.upper': 'contient une majuscule',
  'password.rule.digit': 'contient un chiffre',
  'password.rule.special': 'contient un caractère spécial, comme ! ou #',
  'password.rule.classes':
    'contient au moins {count} de ces types : minuscules, majuscules, chiffres, caractères spéciaux',
  'password.rule.identical': 'a au plus {count} caractères identiques à la suite',
  'password.rule.common': 'n’est pas de ceux que beaucoup utilisent',
  'password.rule.breached': 'n’est connu d’aucune fuite de données',
  'password.rule.personal': 'ne contient ni votre nom ni votre adresse e-mail',
  'password.rule.history': 'n’est aucun de vos {count} derniers',
  'password.rule.max': 'compte au plus {count} caractères',

  'forgot.title': 'Réinitialiser votre mot de passe',
  'forgot.body':
    'Saisissez l’adresse e-mail de votre compte. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  'forgot.submit': 'Envoyer le lien',
  'forgot.back': 'Retour à la connexion',
  'forgot.sent_title': 'Consultez votre messagerie',
  'forgot.nothing': 'Rien reçu ?',
  'forgot.again': 'Réessayer',

  'reset.title': 'Choisir un nouveau mot de passe',
  'reset.body': 'pour {user}',
  'reset.password': 'Nouveau mot de passe',
  'reset.submit': 'Enregistrer le mot de passe',
  'reset.everywhere': 'Vous serez déconnecté de tous vos appareils.',
  'reset.done_title': 'Votre mot de passe est modifié',
  'reset.done_body': 'Vous êtes déconnecté partout. Utilisez désormais le nouveau mot de passe.',
  'reset.continue': 'Continuer vers la connexion',

  'verify.title': 'Confirmer votre adresse e-mail',
  'verify.body': 'Confirmez que {email} vous appartient, pour pouvoir toujours retrouver l’accès à votre compte.',
  'verify.submit': 'Confirmer mon adresse',
  'verify.done_title': 'Votre adresse e-mail est confirmée',
  'verify.done_body': 'Merci. Nous savons maintenant que {email} vous appartient. Vous pouvez fermer cette page.',

  'error.unknown_client.title': 'Nous ne connaissons pas cette application',
  'error.unknown_client.body':
    'Le lien que vous avez suivi désigne une application qui n’est pas enregistrée ici. Revenez à l’application et réessayez. Si cela ne suffit pas, prévenez ses responsables.',
  'error.callback_mismatch.title': 'Cette adresse de retour n’est pas autorisée',
  'error.callback_mismatch.body':
    'L’application voulait vous envoyer à une adresse qu’elle n’a pas enregistrée ; nous nous sommes arrêtés là. Rien n’a été transmis. Ses responsables peuvent ajouter l’adresse aux URL de retour autorisées.',
  'error.invalid_request.title': 'Cette demande est illisible',
  'error.invalid_request.body':
    'L’application a envoyé une demande incomplète ou contradictoire. Revenez à l’application et recommencez. Si cela ne suffit pas, prévenez ses responsables.',
  'error.expired_transaction.title': 'Cette connexion a expiré',
  'error.expired_transaction.body':
    'Pour votre sécurité, une page de connexion n’est valable qu’un certain temps. Revenez à l’application et recommencez. Rien n’est perdu.',
  'error.finished_transaction.title': 'Cette connexion est déjà terminée',
  'error.finished_transaction.body':
    'La page a déjà servi, peut-être dans un autre onglet. Revenez à l’application : vous y êtes peut-être déjà connecté.',
  'error.cookies_off.title': 'Votre navigateur bloque les cookies',
  'error.cookies_off.body':
    'Il nous faut un cookie pour lier cette connexion à votre navigateur. Autorisez les cookies pour ce site, puis revenez à l’application et recommencez.',
  'error.other_browser.title': 'Cette connexion a commencé dans un autre navigateur',
  'error.other_browser.body':
    'Pour votre sécurité, elle ne peut être terminée que là où elle a commencé. Retournez dans ce navigateur ou recommencez ici.',
  'error.bookmarked.title': 'Partez de l’application souhaitée',
  'error.bookmarked.body':
    'Cette page ne fonctionne que lorsqu’une application vous y envoie. Ouvrez l’application et connectez-vous depuis celle-ci. Mieux vaut mettre l’application en favori que cette page.',
  'error.logout_url.title': 'Nous ne pouvons pas vous rediriger',
  'error.logout_url.body':
    'L’adresse prévue après la déconnexion n’est pas enregistrée ; nous nous sommes arrêtés là. Les responsables de l’application peuvent l’ajouter aux URL de déconnexion autorisées.',
  'error.link_expired.title': 'Ce lien ne fonctionne plus',
  'error.link_expired.body': 'Il a expiré ou a déjà servi. Demandez-en un nouveau et utilisez le dernier message reçu.',
  'error.access_denied.title': 'Vous n’avez pas accès',
  'error.access_denied.body':
    'Votre compte n’est pas autorisé ici. Si vous pensez qu’il devrait l’être, adressez-vous aux responsables de l’application.',
  'error.connection_unavailable.title': 'Ce mode de connexion n’est pas disponible',
  'error.connection_unavailable.body':
    'L’application a demandé un mode de connexion qui n’est pas activé pour elle. Revenez en arrière et choisissez-en un autre.',
  'error.method_not_allowed.title': 'Cette page ne s’ouvre pas ainsi',
  'error.method_not_allowed.body': 'Revenez à l’application et recommencez depuis celle-ci.',
  'error.too_many_requests.title': 'Un peu trop vite',
  'error.too_many_requests.body':
    'Nous avons reçu trop de demandes depuis votre réseau. Patientez une minute, puis réessayez.',
  'error.busy.title': 'Il y a foule en ce moment',
  'error.busy.body': 'Patientez quelques secondes, puis rechargez cette page.',
  'error.not_found.title': 'Il n’y a rien ici',
  'error.not_found.body':
    'L’adresse est peut-être mal saisie, ou la page a changé de place. Revenez à l’application et repartez de là.',
  'error.server_error.title': 'Un problème est survenu de notre côté',
  'error.server_error.body': 'Vous n’y êtes pour rien. Réessayez dans un instant.',
}
