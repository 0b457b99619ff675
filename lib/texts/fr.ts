import type { Catalogue } from './catalogue'

export const fr: Catalogue = {
  'common.document_title': '{title} · {tenant}',
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
  'notice.missing_identifier.email': 'Saisissez votre adresse e-mail.',
  'notice.missing_identifier.username': 'Saisissez votre nom d’utilisateur.',
  'notice.missing_identifier.either': 'Saisissez votre adresse e-mail ou votre nom d’utilisateur.',
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
  'notice.password_leaked':
    'Ce mot de passe figure dans une fuite de données d’un autre site et ne permet plus de se connecter. Choisissez « Mot de passe oublié ? » pour en définir un nouveau.',
  'notice.reset_sent':
    'Si un compte correspond à cette adresse, nous y avons envoyé un lien pour choisir un nouveau mot de passe. Cela peut prendre une minute. Pensez à regarder dans les indésirables.',
  'notice.code_exhausted': 'C’était une tentative de trop pour ce code. Envoyez-en un nouveau.',
  'notice.wait_for_code': 'Un code vient d’être envoyé. Patientez un peu avant d’en demander un autre.',
  'notice.link_waiting': 'Le lien n’a pas encore été ouvert et approuvé.',
  'notice.link_rejected':
    'La connexion a été refusée là où le lien a été ouvert. Si ce n’était pas vous, quelqu’un d’autre peut lire vos e-mails.',
  'notice.link_over': 'Le lien n’est plus valable. Envoyez-en un nouveau.',
  'notice.wrong_operator_token': 'Ce n’est pas le jeton d’exploitation de ce serveur.',
  'notice.wrong_user_code':
    'Ce code n’est pas valable. Comparez-le avec celui de votre appareil, ou demandez-en un nouveau sur celui-ci.',
  'notice.wrong_code': 'Ce code est incorrect ou n’est plus valable. Saisissez le plus récent.',
  'notice.code_sent': 'C’est parti. Cela peut prendre une minute.',
  'notice.too_many_codes': 'Trop de tentatives. Attendez quelques minutes ou essayez une autre méthode.',
  'notice.too_many_messages':
    'Nous avons envoyé assez de messages pour l’instant. Utilisez le plus récent, patientez ou essayez une autre méthode.',
  'notice.invalid_phone': 'Saisissez un numéro joignable, avec son indicatif de pays.',
  'notice.unserved_phone': 'Nous n’envoyons plus rien aux numéros de ce pays. Essayez une autre méthode.',
  'notice.push_waiting': 'Votre téléphone n’a pas encore répondu.',
  'notice.push_rejected':
    'La connexion a été refusée sur votre téléphone. Si ce n’était pas vous, changez votre mot de passe.',
  'notice.push_expired': 'La demande a expiré. Envoyez-en une nouvelle.',
  'notice.upstream_failed':
    'La connexion avec ce fournisseur n’a pas abouti. Réessayez dans un instant ou choisissez un autre moyen.',
  'notice.upstream_denied': 'La connexion y a été annulée. Réessayez ou choisissez un autre moyen.',
  'notice.upstream_no_account':
    'Aucun compte ne correspond ici à cette connexion. Choisissez un autre moyen ou contactez le responsable de l’application.',
  'notice.unknown_domain':
    'Une telle adresse ne permet pas de se connecter ici. Vérifiez-la ou choisissez un autre moyen.',
  'notice.link_other_account':
    'C’est un autre compte. Connectez-vous à celui que nous avons proposé, ou revenez en arrière.',
  'notice.link_failed': 'Les comptes n’ont pas pu être associés. Réessayez ou gardez-les séparés.',

  'login.title': 'Se connecter',
  'login.lead': 'pour continuer vers {client}',
  'login.identifier.email': 'Adresse e-mail',
  'login.identifier.username': 'Nom d’utilisateur',
  'login.identifier.either': 'E-mail ou nom d’utilisateur',
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
  'login.next': 'Continuer',
  'login.or': 'ou',
  'login.with': 'Continuer avec {provider}',

  'account.title': 'Choisissez un compte',
  'account.title_one': 'Heureux de vous revoir',
  'account.lead': 'pour continuer vers {client}',
  'account.list': 'Comptes connectés dans ce navigateur',
  'account.continue': 'Continuer',
  'account.continue_as': 'Continuer en tant que {user}',
  'account.switch': 'Utiliser un autre compte',

  'notice.passkey_failed': 'La clé d’accès n’a pas fonctionné ici. Réessayez ou choisissez un autre moyen.',
  'notice.passkey_unknown':
    'Cette clé d’accès n’ouvre plus aucun compte ici. Choisissez un autre moyen de vous connecter.',
  'notice.passkey_not_added': 'La clé d’accès n’a pas été enregistrée. Réessayez ou continuez sans elle.',
  'notice.passkey_model':
    'Les clés d’accès de ce type ne sont pas acceptées ici. Utilisez un autre appareil ou une autre clé de sécurité.',
  'passkey.sign_in': 'Se connecter avec une clé d’accès',
  'passkey.sign_up': 'Créer le compte avec une clé d’accès',
  'passkey.cancelled': 'L’opération a été annulée ou a pris trop de temps. Réessayez ou choisissez un autre moyen.',
  'passkey.title': 'Se connecter sans mot de passe ?',
  'passkey.lead.none-yet':
    'La prochaine fois, votre empreinte, votre visage ou le verrouillage de l’écran pourra vous connecter en tant que {user}.',
  'passkey.lead.other-device':
    'La prochaine fois, cet appareil pourra vous connecter en tant que {user}, sans l’autre.',
  'passkey.what':
    'Une clé d’accès reste sur votre appareil ou dans votre gestionnaire de mots de passe. Votre empreinte et votre visage n’en sortent jamais.',
  'passkey.create': 'Créer une clé d’accès',
  'passkey.skip': 'Pas maintenant',
  'webauthn.missing':
    'Il faut un navigateur avec JavaScript qui prend en charge les clés de sécurité. Choisissez un autre moyen.',
  'mfa.factor.webauthn-roaming': 'Clé de sécurité',
  'mfa.factor.webauthn-platform': 'Empreinte, visage ou verrouillage de l’écran',
  'mfa.lead.webauthn-roaming': 'Confirmez votre identité avec votre clé de sécurité.',
  'mfa.lead.webauthn-platform':
    'Confirmez votre identité avec l’empreinte, le visage ou le verrouillage de l’écran de cet appareil.',
  'enroll.webauthn-roaming.title': 'Ajouter une clé de sécurité',
  'enroll.webauthn-roaming.lead':
    'Gardez la clé à portée de main. Votre navigateur vous demandera de la brancher ou de la toucher.',
  'enroll.webauthn-platform.title': 'Utiliser cet appareil',
  'enroll.webauthn-platform.lead':
    'Votre navigateur vous demandera votre empreinte, votre visage ou le verrouillage de l’écran.',

  'link.title': 'Associer vos comptes ?',
  'link.lead': 'Vous avez un autre compte avec {email}.',
  'link.ways': 'Vous vous y connectez avec',
  'link.way.password': 'un mot de passe',
  'link.way.email': 'un code ou un lien par e-mail',
  'link.way.sms': 'un code par SMS',
  'link.what':
    'Associés, ils ne forment plus qu’un compte : le plus ancien reste, et vous vous y connectez d’une façon ou de l’autre. Ce qui est enregistré dans le plus récent n’est pas repris.',
  'link.submit': 'Les associer',
  'link.keep_apart': 'Les garder séparés',
  'link.prove_title': 'Connectez-vous à votre autre compte',
  'link.prove_lead': 'Cela montre que les deux comptes sont à vous. Ensuite, nous les associons.',
  'link.back': 'Retour',

  'consent.title': '{client} demande un accès',
  'consent.lead': 'À vous de décider ce que l’application peut savoir et faire en votre nom.',
  'consent.third_party': '{client} n’est pas géré par {tenant}. N’acceptez que si vous lui faites confiance.',
  'consent.returns_to': 'Dans les deux cas, vous continuerez ensuite sur {place}.',
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

  'doctor.title': 'Vérification du serveur',
  'doctor.lead':
    'Examine l’adresse, le proxy, TLS, l’horloge, la base de données, Redis, la messagerie, les clés et les URI de redirection de ce serveur, sans rien modifier.',
  'doctor.token': 'Jeton d’exploitation',
  'doctor.submit': 'Examiner',
  'doctor.well': 'Tout fonctionne',
  'doctor.doubtful': 'Certains points méritent attention',
  'doctor.ill': 'Certains points doivent être corrigés',

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

  'mfa.title': 'Confirmez que c’est bien vous',
  'mfa.factor.otp': 'Application d’authentification',
  'mfa.factor.push': 'Approbation sur votre téléphone',
  'mfa.factor.sms': 'SMS',
  'mfa.factor.voice': 'Appel téléphonique',
  'mfa.factor.email': 'E-mail',
  'mfa.factor.recovery-code': 'Code de récupération',
  'mfa.lead.otp': 'Saisissez le code affiché par votre application d’authentification.',
  'mfa.lead.push': 'Approuvez cette connexion sur votre téléphone.',
  'mfa.lead.sms': 'Saisissez le code reçu par SMS au {name}.',
  'mfa.lead.voice': 'Saisissez le code que nous vous dictons lors de l’appel au {name}.',
  'mfa.lead.email': 'Saisissez le code reçu par e-mail à {name}.',
  'mfa.lead.recovery-code':
    'Saisissez le code de récupération que vous avez conservé. Il ne sert qu’une fois ; vous en recevrez ensuite un nouveau.',
  'mfa.ask.push': 'Nous demanderons à votre téléphone d’approuver cette connexion.',
  'mfa.ask.sms': 'Nous enverrons un code par SMS au {name}.',
  'mfa.ask.voice': 'Nous appellerons le {name} pour vous dicter un code.',
  'mfa.ask.email': 'Nous enverrons un code par e-mail à {name}.',
  'mfa.send.code': 'Envoyer le code',
  'mfa.send.call': 'Appelez-moi',
  'mfa.send.push': 'Demander à mon téléphone',
  'mfa.number': 'Votre téléphone demande ce nombre :',
  'mfa.waiting': 'En attente de votre téléphone…',
  'mfa.answered': 'Votre téléphone a répondu.',
  'mfa.push_done': 'J’ai répondu sur mon téléphone',
  'mfa.remember': 'Ne plus demander dans ce navigateur pendant {days} jours',
  'mfa.other': 'Essayer une autre méthode',
  'mfa.lost': 'Appareil perdu ?',
  'mfa.lost_body':
    'Si plus rien ne fonctionne, demandez de l’aide à {tenant}. Une fois votre identité vérifiée, la seconde étape peut être retirée de votre compte.',

  'enroll.title': 'Configurez une seconde étape',
  'enroll.lead':
    'Ainsi, un mot de passe volé ne suffit pas pour entrer dans votre compte. Comment voulez-vous confirmer une connexion ?',
  'enroll.hint.otp': 'Des codes fournis par une application, même hors connexion.',
  'enroll.hint.push': 'Approuvez chaque connexion sur votre téléphone.',
  'enroll.hint.sms': 'Nous envoyons des codes à votre mobile.',
  'enroll.hint.voice': 'Nous vous appelons pour dicter un code.',
  'enroll.hint.email': 'Nous envoyons des codes à votre adresse e-mail.',
  'enroll.other': 'Choisir une autre méthode',
  'enroll.otp.title': 'Configurez votre application d’authentification',
  'enroll.otp.lead': 'Scannez ceci avec l’application de votre téléphone.',
  'enroll.qr': 'QR code',
  'enroll.otp.open': 'Ouvrir l’application sur cet appareil',
  'enroll.otp.key': 'Ou saisissez-y cette clé :',
  'enroll.otp.code': 'Code affiché par l’application',
  'enroll.phone.title': 'Quel est votre numéro ?',
  'enroll.phone.label': 'Numéro de téléphone',
  'enroll.phone.hint': 'Avec l’indicatif du pays : +33 1 23 45 67 89',
  'enroll.code.title': 'Saisissez le code',
  'enroll.push.title': 'Connectez votre téléphone',
  'enroll.push.lead': 'Scannez ceci avec l’appareil photo de votre téléphone et confirmez-y.',
  'enroll.push.open': 'Vous êtes sur votre téléphone ? Ouvrez ce lien',
  'enroll.done.title': 'Votre seconde étape est configurée',
  'enroll.done.lead': 'Vous pouvez fermer cette page. Désormais, nous vous la demanderons à la connexion.',
  'copy.copy': 'Copier',
  'copy.copied': 'Copié',

  'recovery.title': 'Conservez votre code de récupération',
  'recovery.lead': 'Il vous permet d’entrer si votre téléphone est perdu ou cassé. Nous ne l’affichons que cette fois.',
  'recovery.keep':
    'Un gestionnaire de mots de passe convient, ou une feuille dans un tiroir. Pas le téléphone lui-même.',
  'recovery.file': 'Code de récupération de {user} chez {tenant}',
  'recovery.download': 'Télécharger',
  'recovery.print': 'Imprimer',
  'recovery.submit': 'Je l’ai conservé, continuer',

  'push.connect_title': 'Approuver les connexions avec cet appareil ?',
  'push.connect_lead': 'Ne continuez que si vous êtes en train de le configurer vous-même, sur votre propre téléphone.',
  'push.connect_for': 'Compte : {user}. Application : {client}.',
  'push.connect_replaces':
    'Ce navigateur est connecté pour {user} depuis le {date}. Cette association sera remplacée : ces connexions ne pourront plus être approuvées ici.',
  'push.connect': 'Connecter cet appareil',
  'push.connected_title': 'Cet appareil est connecté',
  'push.connected_body':
    'Revenez là où vous vous connectez. Les connexions à approuver s’affichent sur la page ci-dessous : ajoutez-la à votre écran d’accueil.',
  'push.open': 'Ouvrir les connexions à approuver',
  'push.idle_title': 'Rien à approuver',
  'push.idle_body': 'Les connexions en tant que {user} s’affichent ici.',
  'push.check': 'Vérifier à nouveau',
  'push.prompt_title': 'Êtes-vous en train de vous connecter ?',
  'push.prompt_lead': 'À {client}, en tant que {user}',
  'push.ip': 'Adresse réseau',
  'push.number': 'Nombre affiché sur l’autre écran',
  'push.warning': 'Sinon, quelqu’un connaît votre mot de passe. Refusez et choisissez-en un autre.',
  'push.approve': 'Approuver',
  'push.reject': 'Refuser',
  'push.approved_title': 'Approuvé',
  'push.approved_body': 'Revenez à l’autre écran pour continuer.',
  'push.rejected_title': 'Refusé',
  'push.rejected_body': 'La connexion a été refusée. Si ce n’était pas vous, changez votre mot de passe maintenant.',

  'passwordless.identifier.email': 'Adresse e-mail',
  'passwordless.identifier.phone': 'Numéro de téléphone',
  'passwordless.identifier.either': 'E-mail ou numéro de téléphone',
  'passwordless.hint': 'Nous vous enverrons un code. Vous n’avez pas besoin de mot de passe.',
  'passwordless.code_lead': 'Saisissez le code que nous avons envoyé à {address}. Cela peut prendre une minute.',
  'passwordless.again': 'Envoyer un nouveau code',
  'passwordless.again_in': 'Un nouveau code pourra être envoyé dans {seconds} s.',
  'passwordless.other_address': 'Utiliser une autre adresse',
  'passwordless.with_password': 'Se connecter avec un mot de passe',
  'passwordless.instead': 'Se connecter avec un code',
  'passwordless.hint_link': 'Nous vous enverrons un lien. Vous n’avez pas besoin de mot de passe.',
  'passwordless.link_sent_title': 'Consultez vos e-mails',
  'passwordless.link_sent':
    'Nous avons envoyé un lien à {address}. Cela peut prendre une minute. Ouvrez-le dans ce navigateur ou sur un autre appareil.',
  'passwordless.both_sent':
    'Saisissez le code que nous avons envoyé à {address}, ou ouvrez le lien qui l’accompagne. Cela peut prendre une minute.',
  'passwordless.number': 'Sur un autre appareil, le lien demande ce nombre :',
  'passwordless.waiting': 'En attente du lien…',
  'passwordless.answered': 'La connexion a été approuvée.',
  'passwordless.approved': 'J’ai approuvé là-bas',
  'passwordless.link_again': 'Envoyer un nouveau lien',
  'passwordless.link_again_in': 'Un nouveau lien pourra être envoyé dans {seconds} s.',
  'passwordless.elsewhere':
    'Seulement si vous avez commencé vous-même : saisissez le nombre affiché sur votre autre écran, puis continuez là-bas. Vous ne serez pas connecté sur cet appareil.',
  'passwordless.not_me': 'Ce n’était pas moi',
  'passwordless.rejected_body': 'La connexion a été refusée, et le lien ne fonctionne plus.',
  'passwordless.link_title': 'Se connecter à {client} ?',
  'passwordless.confirm_lead':
    'Vous serez connecté en tant que {user}. Continuez uniquement si vous venez de demander vous-même à vous connecter ici.',
  'passwordless.replaces':
    'Vous êtes actuellement connecté en tant que {user}. Si vous continuez, cette connexion prendra fin.',
  'passwordless.link_lead':
    'Vous serez connecté en tant que {email}. Continuez uniquement si vous avez demandé ce lien vous-même.',

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
  'error.no_device.title': 'Cet appareil n’est pas encore connecté',
  'error.no_device.body':
    'Pour approuver des connexions avec lui, choisissez « Approbation sur votre téléphone » quand une connexion demande une seconde étape, puis scannez l’image affichée.',
  'error.logout_url.title': 'Nous ne pouvons pas vous rediriger',
  'error.logout_url.body':
    'L’adresse prévue après la déconnexion n’est pas enregistrée ; nous nous sommes arrêtés là. Les responsables de l’application peuvent l’ajouter aux URL de déconnexion autorisées.',
  'error.logout_hint.title': 'Impossible de vous déconnecter ainsi',
  'error.logout_hint.body':
    'L’application a envoyé une preuve de connexion qui ne vient pas de nous : rien n’a été fait. Revenez à l’application et réessayez. Si cela ne suffit pas, prévenez ses responsables.',
  'error.link_expired.title': 'Ce lien ne fonctionne plus',
  'error.link_expired.body': 'Il a expiré ou a déjà servi. Demandez-en un nouveau et utilisez le dernier message reçu.',
  'error.access_denied.title': 'Vous n’avez pas accès',
  'error.access_denied.body':
    'Votre compte n’est pas autorisé ici. Si vous pensez qu’il devrait l’être, adressez-vous aux responsables de l’application.',
  'error.foreign_page.title': 'Cela ne vient pas de notre page',
  'error.foreign_page.body':
    'Un autre site a fait envoyer ce formulaire par votre navigateur : rien n’a été fait. Revenez à l’application et recommencez à partir de là.',
  'error.connection_unavailable.title': 'Ce mode de connexion n’est pas disponible',
  'error.connection_unavailable.body':
    'L’application a demandé un mode de connexion qui n’est pas activé pour elle. Revenez en arrière et choisissez-en un autre.',
  'error.upstream_answer.title': 'Cette connexion ne peut pas aboutir',
  'error.upstream_answer.body':
    'La réponse de l’autre service ne correspond à aucune connexion dans ce navigateur, ou elle a déjà servi. Retournez à l’application et connectez-vous à nouveau.',
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

  'mail.greeting': 'Bonjour {name},',
  'mail.greeting_unnamed': 'Bonjour,',
  'mail.fallback': 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  'mail.help': 'Obtenir de l’aide',
  'mail.footer':
    '{tenant} vous envoie ce message en raison d’une activité sur votre compte. Les réponses à cette adresse ne sont pas lues.',
  'mail.address': 'Adresse réseau',
  'mail.code': 'Code',
  'mail.organization': 'Organisation',
  'mail.invited_by': 'Invitation de',

  'mail.blocked_account.subject': '{tenant} : nous avons suspendu la connexion à votre compte',
  'mail.blocked_account.preview': 'Il y a eu trop de tentatives de connexion infructueuses.',
  'mail.blocked_account.title': 'Nous avons suspendu la connexion à votre compte',
  'mail.blocked_account.lead':
    'Il y a eu trop de tentatives infructueuses de connexion à votre compte {tenant}. Quelqu’un essaie peut-être de deviner votre mot de passe. Nous n’acceptons donc plus de tentatives depuis l’adresse réseau ci-dessous.',
  'mail.blocked_account.intro':
    'Si c’était vous, vous pouvez débloquer votre compte dès maintenant. Le lien ouvre une page avec un bouton ; rien ne se passe tant que vous n’appuyez pas dessus.',
  'mail.blocked_account.action': 'Débloquer mon compte',
  'mail.blocked_account.closing':
    'Si ce n’était pas vous, vous n’avez rien à faire : cette suspension vous protège. Veillez à n’utiliser ce mot de passe nulle part ailleurs.',

  'mail.verify_email.subject': '{tenant} : confirmez votre adresse e-mail',
  'mail.verify_email.preview': 'Confirmez que cette adresse est bien la vôtre.',
  'mail.verify_email.title': 'Confirmez votre adresse e-mail',
  'mail.verify_email.lead': 'Un compte {tenant} a été créé avec cette adresse e-mail.',
  'mail.verify_email.intro':
    'Si c’était vous, confirmez que cette adresse est la vôtre. Le lien ouvre une page avec un bouton et reste valable cinq jours.',
  'mail.verify_email.action': 'Confirmer mon adresse',
  'mail.verify_email.closing': 'Si ce n’était pas vous, ignorez ce message. L’adresse restera non confirmée.',

  'mail.reset_password.subject': '{tenant} : réinitialisez votre mot de passe',
  'mail.reset_password.preview': 'Voici le lien pour choisir un nouveau mot de passe.',
  'mail.reset_password.title': 'Réinitialisez votre mot de passe',
  'mail.reset_password.lead':
    'Nous avons reçu une demande de réinitialisation du mot de passe de votre compte {tenant}.',
  'mail.reset_password.intro':
    'Si c’était vous, choisissez maintenant un nouveau mot de passe. Le lien fonctionne une seule fois, pendant une heure. Vous serez déconnecté de tous vos appareils.',
  'mail.reset_password.action': 'Choisir un nouveau mot de passe',
  'mail.reset_password.closing': 'Si ce n’était pas vous, ignorez ce message. Votre mot de passe reste inchangé.',

  'mail.stolen_credentials.subject': '{tenant} : votre mot de passe figure dans une fuite de données',
  'mail.stolen_credentials.preview': 'Choisissez un nouveau mot de passe pour vous reconnecter.',
  'mail.stolen_credentials.title': 'Choisissez un nouveau mot de passe',
  'mail.stolen_credentials.lead':
    'Une connexion a été tentée avec votre mot de passe {tenant}, qui figure dans une liste de mots de passe issue d’une fuite de données d’un autre site. Nous l’avons refusée.',
  'mail.stolen_credentials.intro':
    'Choisissez maintenant un nouveau mot de passe. Le lien fonctionne une seule fois, pendant une heure. Vous serez déconnecté de tous vos appareils.',
  'mail.stolen_credentials.action': 'Choisir un nouveau mot de passe',
  'mail.stolen_credentials.closing':
    'Si ce n’était pas vous, une autre personne connaît votre ancien mot de passe. Changez-le partout où vous l’utilisez.',

  'mail.already_registered.subject': '{tenant} : vous avez déjà un compte',
  'mail.already_registered.preview': 'Votre adresse a été utilisée pour une inscription.',
  'mail.already_registered.title': 'Vous avez déjà un compte',
  'mail.already_registered.lead':
    'Nous avons reçu une inscription sur {tenant} avec cette adresse e-mail, qui possède déjà un compte. Aucun second compte n’a été créé.',
  'mail.already_registered.closing':
    'Si c’était vous, connectez-vous avec votre mot de passe habituel. Si vous l’avez oublié, choisissez « Mot de passe oublié ? » sur la page de connexion. Si ce n’était pas vous, vous n’avez rien à faire.',

  'mail.password_changed.subject': '{tenant} : votre mot de passe a été modifié',
  'mail.password_changed.preview': 'Le mot de passe de votre compte vient d’être modifié.',
  'mail.password_changed.title': 'Votre mot de passe a été modifié',
  'mail.password_changed.lead':
    'Le mot de passe de votre compte {tenant} vient d’être modifié et vous avez été déconnecté de tous vos appareils.',
  'mail.password_changed.closing':
    'Si c’était vous, vous n’avez rien d’autre à faire : connectez-vous avec le nouveau mot de passe. Sinon, réinitialisez immédiatement votre mot de passe depuis la page de connexion et vérifiez que personne d’autre n’a accès à vos e-mails.',

  'mail.login_code.subject': '{tenant} : votre code de connexion',
  'mail.login_code.preview': 'Saisissez ce code pour vous connecter.',
  'mail.login_code.title': 'Votre code de connexion',
  'mail.login_code.lead':
    'Saisissez ce code là où vous vous connectez à {tenant}. Il est valable une seule fois, pendant quelques minutes.',
  'mail.login_code.closing':
    'Si vous ne vouliez pas vous connecter, ignorez ce message. Ne donnez ce code à personne : aucun membre de notre équipe ne vous le demandera.',

  'mail.login_link.subject': '{tenant} : votre lien de connexion',
  'mail.login_link.preview': 'Voici votre lien pour vous connecter.',
  'mail.login_link.title': 'Se connecter à {tenant}',
  'mail.login_link.lead': 'Nous avons reçu une demande de connexion à {tenant} avec cette adresse e-mail.',
  'mail.login_link.intro':
    'Si c’est vous, continuez ici. Le lien ouvre une page avec un bouton ; il est valable une seule fois, pendant quelques minutes.',
  'mail.login_link.action': 'Se connecter',
  'mail.login_link.closing': 'Si ce n’est pas vous, ignorez ce message. Sans ce lien, aucune connexion n’est possible.',

  'mail.enroll_factor.subject': '{tenant} : configurez une seconde étape',
  'mail.enroll_factor.preview': 'Protégez votre compte avec une seconde étape.',
  'mail.enroll_factor.title': 'Configurez une seconde étape',
  'mail.enroll_factor.lead':
    '{tenant} vous demande d’ajouter une seconde étape à votre compte, pour qu’un mot de passe volé ne suffise pas.',
  'mail.enroll_factor.intro': 'Continuez ici. Le lien fonctionne une fois et pour une durée limitée.',
  'mail.enroll_factor.action': 'Configurer la seconde étape',
  'mail.enroll_factor.closing':
    'Si vous n’attendiez pas ce message, renseignez-vous auprès de {tenant} avant d’ouvrir le lien.',
  'mail.invitation.subject': '{tenant} : vous êtes invité',
  'mail.invitation.preview': 'Vous êtes invité dans une organisation.',
  'mail.invitation.title': 'Vous êtes invité',
  'mail.invitation.lead': 'Vous êtes invité à rejoindre une organisation qui utilise {tenant}.',
  'mail.invitation.intro': 'Pour accepter, continuez ici. Le lien ne sert qu’une fois et pour une durée limitée.',
  'mail.invitation.action': 'Accepter l’invitation',
  'mail.invitation.closing': 'Si vous ne savez pas de qui il s’agit, ignorez ce message. Rien ne se passera sans vous.',

  'phone.text_message': '{code} est votre code de vérification pour {tenant}. Ne le donnez à personne.',
  'phone.call': 'Votre code de vérification pour {tenant} est : {code}. Je répète : {code}.',
}
