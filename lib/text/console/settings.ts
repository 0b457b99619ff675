/** The texts of settings. */
export const settings = {
  'settings.title': 'Settings',
  'settings.lead': 'What holds for the whole tenant. An application, a connection or an organization may have its own.',
  'settings.general': 'General',
  'settings.basics': 'Name and support',
  'settings.basics.lead': 'Who users see on the login pages and in mails, and whom they can ask for help.',
  'settings.languages': 'Languages',
  'settings.languages.lead':
    'A page has the language that the application or the browser asks for, if it is one of these.',
  'settings.sessions': 'Sessions',
  'settings.sessions.lead':
    'How long a browser stays signed in at this server, in hours. A session that has started keeps its longest time.',
  'settings.login': 'Login',
  'settings.login.lead': 'What is assumed where a request does not say it, and where users may return.',
  'settings.accounts': 'Accounts',
  'settings.accounts.lead': 'What users learn about accounts, and what they may do with their own.',
  'settings.protocols': 'Protocols',
  'settings.protocols.lead':
    'Which of two published behaviours applications get. A change counts from the next request on.',
  'settings.administrators': 'Administrators',
  'settings.administrators.lead': 'How administrators enter this console.',
  'settings.limits': 'Limits',
  'settings.limits.lead': 'How many requests this server takes. Unnamed limits have their defaults.',
  'settings.deletion.never': 'Users cannot delete their accounts',
  'settings.deletion.days': '{days} days',
  'domains.title': 'Domains',
  'domains.lead':
    'Hosts of your own, under which the whole server answers: pages, cookies, links in mails and the issuer of tokens.',
  'domains.new': 'Add a domain',
  'domains.new.lead':
    'A host name, such as login.example.com. The next page says what to publish, so that it is known to be yours.',
  'domains.default': 'Default domain',
  'domains.default.lead':
    'Links in mails that an administrator causes, such as invitations, lead there. Other mails have the domain of the request.',
  'domains.default.badge': 'Default',
  'domains.ready': 'In use',
  'domains.pending': 'Not proven yet',
  'domains.failed': 'Proof not found',
  'domains.kind': 'Certificates',
  'domains.checked': 'Last looked for',
  'domains.proof': 'Prove that it is yours',
  'domains.proof.lead':
    'Publish this TXT record, and let the domain lead to this server by a CNAME or your proxy. The record may be removed afterwards.',
  'domains.record': 'Name of the TXT record',
  'domains.value': 'Value',
  'domains.origin': 'Where the CNAME leads',
  'domains.verify': 'Look for the proof',
  'domains.settings': 'Passkeys, proxy and data',
  'domains.settings.lead':
    'A key for your proxy is shown once, when the domain is proven. The address of a client is believed with that key alone.',
  'domains.delete': 'Remove this domain',
  'domains.delete.lead':
    'It is not answered any more, and its passkeys cannot be used. To add it again, a new proof is needed.',
} as const
