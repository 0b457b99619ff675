/** The texts of security. */
export const security = {
  'security.title': 'Security',
  'security.lead':
    'How logins are protected against guesses, bots and stolen passwords, and what proves who a user is.',
  'security.attacks': 'Attack protection',
  'security.factors': 'Second factors',
  'security.keys': 'Signing keys',
  'security.blocks': 'Blocks',
  'security.on': 'On',
  'security.used': 'In use',
  'security.turn_on': 'Turn on',
  'security.turn_off': 'Turn off',
  'security.brute_force_protection': 'Guessed passwords',
  'security.brute_force_protection.lead':
    'After too many wrong passwords for one account, further attempts are refused, with the right password too. Other accounts are unaffected.',
  'security.suspicious_ip_throttling': 'Suspicious addresses',
  'security.suspicious_ip_throttling.lead':
    'A network address with many failed logins is refused until the end of the day (UTC), one with many sign-ups for a minute.',
  'security.breached_password_detection': 'Breached passwords',
  'security.breached_password_detection.lead':
    'Passwords that were published after a breach elsewhere. They are compared here; no password leaves this server.',
  'security.bot_detection': 'Bots',
  'security.bot_detection.lead':
    'When a captcha must be solved. A request is risky if much has failed lately from its network address.',
  'security.captcha': 'Captcha',
  'security.captcha.lead': 'Who makes the captcha. The built-in one runs on this server alone; another needs its keys.',
  'security.captcha.keys': 'Keys of {provider}',
  'security.policy': 'When a factor is asked for',
  'security.policy.lead': 'An application or an action may ask for more.',
  'security.policy.use': 'Use',
  'security.policy.always': 'Always',
  'security.policy.always.lead': 'Every login needs a second factor. A user without one adds it at the next login.',
  'security.policy.risky': 'When a login is risky',
  'security.policy.risky.lead':
    'In a browser in which the user has not passed before, or from a network with many failures.',
  'security.policy.enrolled': 'For users who have one',
  'security.policy.enrolled.lead': 'Users add a factor in their account portal, and are asked for it from then on.',
  'security.policy.never': 'Never',
  'security.policy.never.lead':
    'Only where an application, an action or this console asks for one, and of users who added one in their account portal.',
  'security.factors.lead':
    'What users may choose from. A factor that is turned off proves nothing any more; those who have no other one add a new one.',
  'security.factors.none': 'No factor is turned on, so no login asks for one, whatever the policy says.',
  'security.factor.otp': 'One-time codes',
  'security.factor.otp.lead': 'Six digits of an authenticator app. They work without a network.',
  'security.factor.push-notification': 'Push notifications',
  'security.factor.push-notification.lead': 'A question on a phone that the user has paired.',
  'security.factor.webauthn-roaming': 'Security keys',
  'security.factor.webauthn-roaming.lead': 'Keys by USB, NFC or Bluetooth. A false login page cannot use them.',
  'security.factor.webauthn-platform': 'Device biometrics',
  'security.factor.webauthn-platform.lead':
    'Fingerprint or face at the device itself. A false login page cannot use them.',
  'security.factor.sms': 'Phone messages',
  'security.factor.sms.lead':
    'A code by text message or call. Phone numbers can be taken over, so prefer another factor.',
  'security.factor.email': 'E-mail',
  'security.factor.email.lead':
    'A code to the verified address. It needs no setting up, and is as safe as the mailbox.',
  'security.factor.recovery-code': 'Recovery codes',
  'security.factor.recovery-code.lead':
    'A code to write down, for users who lose their factor. It is no factor by itself.',
  'security.messages': 'Messages to phones',
  'security.messages.lead': 'How codes get to a phone.',
  'security.security_keys': 'Security keys',
  'security.security_keys.lead': 'Whether a key must recognize its holder, by a PIN or a fingerprint.',
  'security.keys.lead': 'Tokens and assertions are signed with them. Applications read them at /.well-known/jwks.json.',
  'security.key.current': 'Signs now',
  'security.key.next': 'Next',
  'security.key.previous': 'Still accepted',
  'security.key.revoked': 'Revoked',
  'security.key.since': 'since',
  'security.key.until': 'signed until',
  'security.key.certificate': 'Certificate',
  'security.rotate': 'Rotate the keys',
  'security.rotate.lead':
    'The next key of each algorithm signs from now on, and another next key is published. What the present key signed stays valid for up to 30 days. Applications that read the keys notice nothing. Where a certificate was copied by hand, as for SAML, first give the certificate of the next key to the partner.',
  'security.revoke': 'Revoke a key',
  'security.revoke.lead':
    'For a key that was stolen. Everything that it signed is refused at once, so users and services need new tokens. If it signs now, the next key takes over.',
  'security.revoke.one': '{state}: {kid}',
  'security.revoke.do': 'Revoke this key',
  'security.blocks.account': 'An account',
  'security.blocks.account.lead':
    'Too many wrong passwords block an account. The block ends with a new password, 30 days after the last failure, or here.',
  'security.blocks.account.label': 'E-mail address or username',
  'security.blocks.address': 'A network address',
  'security.blocks.address.lead':
    'Too many failed logins at different accounts block the address they came from, until the end of the day (UTC).',
  'security.blocks.address.label': 'IP address',
  'security.blocks.address.blocked': '{name} is blocked.',
  'security.blocks.none': '{name} is not blocked.',
  'security.blocks.lift': 'Lift the block',
} as const
